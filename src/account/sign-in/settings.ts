// Gathers the settings of a sign-in through the consent page, each from the first of: its flag, its variable, the profile's own
// setting, the last sign-in of the profile, the setting for all profiles, a prompt.

import { isIP } from 'node:net';
import type { Context } from '#cli/context.ts';
import { cannotPromptFailure, requireValues } from '#cli/flags/missing-values.ts';
import type { StoredSetting } from '#cli/settings/load-settings.ts';
import { scopeList } from '#contract/authorization.ts';
import { Failure, toFailure, usageError } from '#failure.ts';
import { callbackAddress, parseCallbackPort, type SignInSettings } from '#login/authorization-request.ts';
import type { CallbackAddress } from '#login/callback-server.ts';
import { defaultHostSuffixes, parseAuthUrl } from '#login/host.ts';
import { findProfile, type Profile } from '#login/profile.ts';
import { assertReachable } from '#login/reachability.ts';
import type { TokenStore } from '#login/token-store.ts';
import { chooseStore } from './choose-store.ts';
import { configuredSignIn, orRemembered } from './configured-sign-in.ts';
import type { LoginFlags } from './flags.ts';
import { createSignInHints } from './login-command.ts';

export interface SignInPlan extends SignInSettings {
  /** The name of the profile. */
  readonly name: string;
  /** The store for the tokens, which was just tested by storing something. */
  readonly store: TokenStore;
  /** The registered callback, which the profile remembers. */
  readonly redirectUri: string | undefined;
  /** Where to listen for the callback; undefined if the user pastes the landing URL. */
  readonly callbackAddress: CallbackAddress | undefined;
  readonly previous: Profile | undefined;
}

export const clientSecretQuestion = 'Client secret (hidden):';

/** If the user cannot be prompted, throws a usage failure that names the missing settings. */
export async function gatherSettings(context: Context, name: string, flags: LoginFlags): Promise<SignInPlan> {
  const { world } = context;
  const typedAddress = flags.authUrl ?? world.environment['WM_AUTH_URL'];
  if (typedAddress !== undefined) parseAuthUrl(typedAddress);
  // Before any prompt: without a store, the user need not type anything.
  const store = await chooseStore(context, name, flags.store);
  const previous = await findProfile(world, name);
  const { secretIsStored, ...knownSettings } = await readKnownSettings(context, name, store, previous, flags);
  if (!context.canPrompt)
    requireValues(knownSettings, (names) => cannotPromptFailure(names, context.whyCannotPrompt));
  const { '--auth-url': knownAddress } = knownSettings;
  const authUrl = knownAddress === undefined ? await promptForAddress(context) : parseAuthUrl(knownAddress);
  const clientId =
    knownSettings['--client-id'] ??
    (await context.prompt('--client-id', (prompt) =>
      prompt.text('Client id:', { validate: (text) => (text === '' ? 'Required' : undefined) }),
    ));
  const clientSecret =
    knownSettings.WM_CLIENT_SECRET ??
    (await context.prompt('WM_CLIENT_SECRET', (prompt) => prompt.secret(clientSecretQuestion)));

  world.secrets.addCredentials(clientSecret);
  const { hostSuffixes, scopes, redirectUri, remarks } = resolveRememberedSettings(
    flags,
    previous,
    { authUrl, clientId },
    configuredSignIn(context.settings, name).forAddress(authUrl).hostSuffixes,
  );
  for (const remark of remarks) await context.report.info(remark);
  const portText = world.environment['WM_CALLBACK_PORT'];
  const port =
    flags.port ??
    (portText === undefined
      ? (context.settings.find('callback-port', name)?.value ?? 0)
      : parseCallbackPort(portText));
  const hints = createSignInHints(
    { context, authUrl, clientId, hostSuffixes, scopes, redirectUri, flags },
    knownSettings.WM_CLIENT_SECRET === undefined ? 'person' : secretIsStored ? 'store' : 'variable',
  );
  return {
    name,
    store,
    authUrl,
    application: { clientId, clientSecret },
    scopes,
    hostSuffixes,
    hints,
    redirectUri,
    callbackAddress: resolveCallbackAddress(redirectUri, port, flags.callbackHost),
    previous,
  };
}

/** Prompts until the address can be reached. If the command ended here, the user might type the secret into the shell. */
async function promptForAddress(context: Context): Promise<string> {
  const { world, report, timeoutMs } = context;
  const question = 'Address to sign in at (such as login.example.com):';
  const validate = (text: string) => {
    if (text === '') return 'Required';
    try {
      parseAuthUrl(text);
      return undefined;
    } catch (error) {
      return toFailure(error).message;
    }
  };
  for (;;) {
    const address = parseAuthUrl(
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

function resolveCallbackAddress(
  redirectUri: string | undefined,
  port: number,
  callbackHost: string | undefined,
): CallbackAddress | undefined {
  const address: CallbackAddress | undefined =
    redirectUri === undefined
      ? { hostname: '127.0.0.1', port, path: '/callback' }
      : callbackAddress(redirectUri);
  if (callbackHost === undefined) return address;
  if (isIP(callbackHost) === 0)
    throw usageError(
      `--callback-host: ${JSON.stringify(callbackHost)} is not an IP address`,
      'For example 0.0.0.0, for every address of this machine.',
    );
  if (!address)
    throw usageError(
      '--callback-host and an https --redirect-uri cannot be combined',
      'wm cannot listen for an https callback: you paste the address you land on.',
    );
  if (address.port === 0)
    throw usageError(
      '--callback-host needs --port',
      'Give the port that is reachable from outside: --port 8400',
    );
  return { ...address, address: callbackHost };
}

/** Each by the name of the flag or variable that sets it. */
async function readKnownSettings(
  { world: { environment }, settings }: Context,
  name: string,
  store: TokenStore,
  previous: Profile | undefined,
  flags: LoginFlags,
) {
  const configured = configuredSignIn(settings, name);
  const authUrl =
    flags.authUrl ?? environment['WM_AUTH_URL'] ?? orRemembered(configured.authUrl, previous?.authUrl);
  const address = authUrl === undefined ? undefined : parseAuthUrl(authUrl);
  // Settings that were stored for another address are never sent to this one.
  const previousHere = address !== undefined && previous?.authUrl === address ? previous : undefined;
  const clientId =
    flags.clientId ??
    environment['WM_CLIENT_ID'] ??
    orRemembered(configured.forAddress(address).clientId, previousHere?.clientId);
  const isStored = clientId !== undefined && clientId === previousHere?.clientId;
  const stored =
    isStored && previousHere ? await store.read(previousHere.name).catch(() => undefined) : undefined;
  const variable = environment['WM_CLIENT_SECRET'];
  return {
    '--auth-url': authUrl,
    '--client-id': clientId,
    WM_CLIENT_SECRET: variable ?? stored?.clientSecret,
    secretIsStored: variable === undefined,
  };
}

/** `remarks`: which remembered settings are used or dropped, for the user. */
function resolveRememberedSettings(
  flags: LoginFlags,
  previous: Profile | undefined,
  current: { readonly authUrl: string; readonly clientId: string },
  configuredHosts: StoredSetting<readonly string[]> | undefined,
) {
  const defaultHosts = configuredHosts?.value ?? defaultHostSuffixes(current.authUrl);
  const isConfigured = flags.allowHost !== undefined || configuredHosts?.from === 'profile';
  const hosts = isConfigured ? undefined : ownAllowedHosts(previous);
  const scopes = flags.scope || !previous?.scopes ? undefined : scopeList.validate(previous.scopes);
  const isSameAddress = previous?.authUrl === current.authUrl;
  const isSameApplication = isSameAddress && previous?.clientId === current.clientId;
  const reusedHosts = isSameAddress ? hosts : undefined;
  const reusedScopes = isSameApplication ? scopes : undefined;
  const redirectUri = flags.redirectUri ?? previous?.redirectUri;
  const isRedirectUsable = flags.redirectUri !== undefined || isSameAddress;
  const dropped = [
    ...(hosts && !reusedHosts ? [`--allow-host ${hosts.join(',')}`] : []),
    ...(redirectUri && !isRedirectUsable ? [`--redirect-uri ${redirectUri}`] : []),
    ...(scopes && !reusedScopes ? [`--scope ${scopeList.toWire(scopes)}`] : []),
  ];
  const wasFor = isSameAddress ? `the application ${previous?.clientId}` : `${previous?.authUrl}`;
  return {
    hostSuffixes: flags.allowHost ?? reusedHosts ?? defaultHosts,
    scopes: flags.scope ?? reusedScopes,
    redirectUri: isRedirectUsable ? redirectUri : undefined,
    remarks: [
      ...(reusedHosts
        ? [`As before, the sign-in may lead to ${reusedHosts.join(', ')}. To change that: --allow-host`]
        : []),
      ...(reusedScopes
        ? [`As before, wm requests these scopes: ${reusedScopes.join(', ')}. To change that: --scope`]
        : []),
      ...(dropped.length > 0
        ? [`Not reused, because the last sign-in was for ${wasFor}: ${dropped.join(', ')}`]
        : []),
    ],
  };
}

/** Undefined if these were the defaults for the address: a new address has its own. */
function ownAllowedHosts(previous: Profile | undefined): readonly string[] | undefined {
  if (previous?.authUrl === undefined) return undefined;
  const defaults = defaultHostSuffixes(previous.authUrl);
  const { hostSuffixes } = previous;
  const areDefaults =
    hostSuffixes.length === defaults.length && hostSuffixes.every((suffix) => defaults.includes(suffix));
  return areDefaults ? undefined : hostSuffixes;
}
