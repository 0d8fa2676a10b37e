// Gathers the settings of a sign-in through the consent page, each from the first of: its flag, its variable, the profile's own
// setting, the last sign-in of the profile, the setting for all profiles, a prompt.

import { isIP } from 'node:net';
import type { Context } from '#cli/context.ts';
import { cannotPromptFailure, requireValues } from '#cli/flags/missing-values.ts';
import type { StoredSetting } from '#cli/settings/settings.ts';
import { scopeList } from '#contract/authorization.ts';
import type { Scope } from '#contract/scope.ts';
import { Failure, toFailure, usageError } from '#failure.ts';
import { callbackAddress, type SignInSettings } from '#login/authorization-request.ts';
import type { CallbackAddress } from '#login/callback-server.ts';
import { defaultHostSuffixes, hostOrigin, isHost, parseAuthUrl } from '#login/host.ts';
import { findProfile, type Profile } from '#login/profile.ts';
import { assertReachable } from '#login/reachability.ts';
import type { TokenStore } from '#login/token-store.ts';
import { chooseStore } from './choose-store.ts';
import { configuredSignIn, orRemembered } from './configured-sign-in.ts';
import type { LoginFlags } from './flags.ts';
import { createSignInHelp } from './login-command.ts';

export interface SignInPlan {
  /** The store for the tokens, which was just tested by storing something. */
  readonly store: TokenStore;
  readonly settings: SignInSettings;
  /** The registered callback, if there is one. */
  readonly redirectUri: string | undefined;
  /** Where to listen for the callback; undefined if the user pastes the landing URL. */
  readonly callbackAddress: CallbackAddress | undefined;
  /** The last sign-in of the profile. */
  readonly before: Profile | undefined;
}

export const clientSecretQuestion = 'Client secret (hidden):';

/** Throws a usage failure that names the missing settings if the user cannot be prompted for them. */
export async function gatherSettings(context: Context, name: string, given: LoginFlags): Promise<SignInPlan> {
  const { world } = context;
  // Before any prompt: what cannot be stored need not be typed.
  const store = await chooseStore(context, name, given.store);
  const before = await findProfile(world, name);
  const { secretIsStored, ...known } = await readKnownSettings(context, name, store, before, given);
  if (!context.canPrompt)
    requireValues(known, (names) => cannotPromptFailure(names, context.whyCannotPrompt));
  const authUrl =
    known['--auth-url'] === undefined ? await promptForAddress(context) : parseAuthUrl(known['--auth-url']);
  const clientId =
    known['--client-id'] ??
    (await context.prompt('--client-id', (prompt) =>
      prompt.text('Client id:', { validate: (text) => text !== '' || 'Required' }),
    ));
  const clientSecret =
    known.WM_CLIENT_SECRET ??
    (await context.prompt('WM_CLIENT_SECRET', (prompt) => prompt.secret(clientSecretQuestion)));

  world.secrets.addCredentials(clientSecret);
  const { hostSuffixes, scopes, redirectUri, remarks } = resolveRememberedSettings(
    given,
    before,
    { authUrl, clientId },
    configuredSignIn(context.settings, name).at(authUrl).hostSuffixes,
  );
  for (const remark of remarks) await context.report.info(remark);
  const port =
    given.port ??
    callbackPort(world.environment['WM_CALLBACK_PORT']) ??
    context.settings.find('callback-port', name)?.value ??
    0;
  const help = createSignInHelp(
    {
      context,
      start: given.start === true,
      authUrl,
      clientId,
      hostSuffixes,
      scopes,
      redirectUri,
      port: given.port,
      callbackHost: given.callbackHost,
      noBrowser: given.browser === false,
      force: given.force,
      store: given.store,
    },
    known.WM_CLIENT_SECRET === undefined ? 'person' : secretIsStored ? 'store' : 'variable',
  );
  return {
    store,
    settings: { authUrl, application: { clientId, clientSecret }, scopes, hostSuffixes, hints: help },
    redirectUri,
    callbackAddress: callbackPlaceOf(redirectUri, port, given.callbackHost),
    before,
  };
}

/** Prompts until the address can be reached. If the command ended here, the user might type the secret into the shell. */
async function promptForAddress(context: Context): Promise<string> {
  const { world, report, timeoutMs } = context;
  const question = 'Address to sign in at (such as login.example.com):';
  const validate = (text: string) => {
    if (text === '') return 'Required';
    try {
      addressOf(text);
      return true;
    } catch (error) {
      return toFailure(error).message;
    }
  };
  for (;;) {
    const address = addressOf(
      await context.prompt('--auth-url', (prompt) => prompt.text(question, { validate })),
    );
    try {
      await assertReachable(world, address, timeoutMs);
      return address;
    } catch (error) {
      if (!(error instanceof Failure)) throw error;
      await report.warn(error.sentence);
    }
  }
}

/** Parses an address as a user types it: a host alone is enough. */
function addressOf(text: string): string {
  const trimmed = text.trim();
  return parseAuthUrl(isHost(trimmed) ? hostOrigin(trimmed) : trimmed);
}

function callbackPlaceOf(
  redirectUri: string | undefined,
  port: number,
  callbackHost: string | undefined,
): CallbackAddress | undefined {
  const place: CallbackAddress | undefined =
    redirectUri === undefined
      ? { hostname: '127.0.0.1', port, path: '/callback' }
      : callbackAddress(redirectUri);
  if (callbackHost === undefined) return place;
  if (isIP(callbackHost) === 0) {
    throw usageError(
      `--callback-host: ${JSON.stringify(callbackHost)} is not an IP address`,
      'For example 0.0.0.0, for every address of this machine.',
    );
  }
  if (!place)
    throw usageError(
      '--callback-host and an https --redirect-uri cannot be combined',
      'wm cannot listen for an https callback: you paste the address you land on.',
    );
  if (place.port === 0)
    throw usageError(
      '--callback-host needs --port',
      'Give the port that is reachable from outside: --port 8400',
    );
  return { ...place, address: callbackHost };
}

/** Each under what else would give it. */
async function readKnownSettings(
  { world: { environment }, settings }: Context,
  name: string,
  store: TokenStore,
  before: Profile | undefined,
  given: LoginFlags,
) {
  const configured = configuredSignIn(settings, name);
  const authUrl =
    given.authUrl ?? environment['WM_AUTH_URL'] ?? orRemembered(configured.authUrl, before?.authUrl);
  const address = authUrl === undefined ? undefined : parseAuthUrl(authUrl);
  // What was stored for one address is never sent to another.
  const there = address !== undefined && before?.authUrl === address ? before : undefined;
  const clientId =
    given.clientId ??
    environment['WM_CLIENT_ID'] ??
    orRemembered(configured.at(address).clientId, there?.clientId);
  const isStored = clientId !== undefined && clientId === there?.clientId;
  const stored = isStored && there ? await store.read(there.name).catch(() => undefined) : undefined;
  const fromVariable = environment['WM_CLIENT_SECRET'];
  return {
    '--auth-url': authUrl,
    '--client-id': clientId,
    WM_CLIENT_SECRET: fromVariable ?? stored?.clientSecret,
    secretIsStored: fromVariable === undefined,
  };
}

function callbackPort(text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  if (/^\d{1,5}$/.test(text) && Number(text) <= 65_535) return Number(text);
  throw usageError(`WM_CALLBACK_PORT: ${JSON.stringify(text)} is not a port`);
}

interface RememberedSettings {
  readonly hostSuffixes: readonly string[];
  readonly scopes: readonly Scope[] | undefined;
  readonly redirectUri: string | undefined;
  /** Tells the user which remembered settings are used or dropped. */
  readonly remarks: readonly string[];
}

function resolveRememberedSettings(
  given: LoginFlags,
  before: Profile | undefined,
  now: { readonly authUrl: string; readonly clientId: string },
  configuredHosts: StoredSetting<readonly string[]> | undefined,
): RememberedSettings {
  const usual = configuredHosts?.value ?? defaultHostSuffixes(now.authUrl);
  const isConfigured = given.allowHost !== undefined || configuredHosts?.from === 'profile';
  const hosts = isConfigured ? undefined : allowedHostsBefore(before);
  const scopes = given.scope || !before?.scopes ? undefined : scopeList.validate(before.scopes);
  const sameAddress = before?.authUrl === now.authUrl;
  const sameApplication = sameAddress && before?.clientId === now.clientId;
  const hostsHold = sameAddress ? hosts : undefined;
  const scopesHold = sameApplication ? scopes : undefined;
  const redirectUri = given.redirectUri ?? before?.redirectUri;
  const redirectHolds = given.redirectUri !== undefined || sameAddress;
  const lost = [
    ...(hosts && !hostsHold ? [`--allow-host ${hosts.join(',')}`] : []),
    ...(redirectUri && !redirectHolds ? [`--redirect-uri ${redirectUri}`] : []),
    ...(scopes && !scopesHold ? [`--scope ${scopeList.toWire(scopes)}`] : []),
  ];
  const wasFor = sameAddress ? `the application ${before?.clientId}` : `${before?.authUrl}`;
  return {
    hostSuffixes: given.allowHost ?? hostsHold ?? usual,
    scopes: given.scope ?? scopesHold,
    redirectUri: redirectHolds ? redirectUri : undefined,
    remarks: [
      ...(hostsHold
        ? [`As before, the sign-in may lead to ${hostsHold.join(', ')}. To change that: --allow-host`]
        : []),
      ...(scopesHold
        ? [`As before, wm requests these scopes: ${scopesHold.join(', ')}. To change that: --scope`]
        : []),
      ...(lost.length > 0
        ? [`Not reused, because the last sign-in was for ${wasFor}: ${lost.join(', ')}`]
        : []),
    ],
  };
}

/** Undefined if these were the defaults for the address: the new address has its own. */
function allowedHostsBefore(before: Profile | undefined): readonly string[] | undefined {
  if (before?.authUrl === undefined) return undefined;
  const usual = defaultHostSuffixes(before.authUrl);
  const { hostSuffixes } = before;
  const same = hostSuffixes.length === usual.length && hostSuffixes.every((one) => usual.includes(one));
  return same ? undefined : hostSuffixes;
}
