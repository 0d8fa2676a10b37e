// A sign-in in two steps, for machines without a browser: `wm login --start` prints the URL of the consent page and
// ends; `wm login --complete` reads the URL that the browser landed on.

import type { Context } from '#cli/context.ts';
import { flagWords, formatCommandWith, withProfile } from '#cli/format-command.ts';
import type { Identity } from '#cli/identity.ts';
import { Failure } from '#failure.ts';
import { authorizeUrl, createState, type SignInSettings } from '#login/authorization-request.ts';
import { authorizationFailure, parsePastedUrl } from '#login/authorization-response.ts';
import { exchangeCode } from '#login/code-exchange.ts';
import { openTokenStore } from '#login/open-token-store.ts';
import {
  claimPendingSignIn,
  type PendingSignIn,
  pendingSignInMs,
  readPendingSignIn,
  savePendingSignIn,
} from '#login/pending-sign-in.ts';
import { findProfile } from '#login/profile.ts';
import { assertReachable } from '#login/reachability.ts';
import type { World } from '#world/world.ts';
import {
  cannotReadCallbackUrl,
  canReadCallbackUrl,
  endedWithoutCallbackUrl,
  readCallbackUrl,
} from './callback-url.ts';
import { openPendingStore } from './choose-store.ts';
import { finishSignIn } from './finish-sign-in.ts';
import type { LoginFlags } from './flags.ts';
import { createSignInHelp } from './login-command.ts';
import { gatherSettings } from './settings.ts';

/** Prints the address, as a line or as JSON. The profile's present sign-in stays unchanged. */
export async function startSignIn(context: Context, name: string, given: LoginFlags): Promise<void> {
  const { world, report } = context;
  const {
    store,
    settings,
    redirectUri: registered,
    callbackAddress,
  } = await gatherSettings(context, name, given);
  await assertReachable(world, settings.authUrl, context.timeoutMs);
  const redirectUri =
    registered ?? `http://127.0.0.1:${callbackAddress?.port || (await findFreePort(world))}/callback`;
  const state = createState();
  const expiresAt = world.clock.now() + pendingSignInMs;
  const { authUrl, scopes, hostSuffixes } = settings;
  const { clientId, clientSecret } = settings.application;
  const isRegistered = registered !== undefined;
  const pending = {
    state,
    redirectUri,
    isRegistered,
    authUrl,
    clientId,
    clientSecret,
    scopes,
    hostSuffixes,
    expiresAt,
  };
  await savePendingSignIn(world, store, name, pending);
  // Remove a sign-in started earlier in the other store, which would be found first.
  if (store.kind !== 'file') await openTokenStore(world, 'file').pending.remove(name);
  const url = authorizeUrl(settings, redirectUri, state);
  if (report.wantsJson)
    await report.json({ url, profile: name, redirectUri, expiresAt: new Date(expiresAt).toISOString() });
  else await report.line(url);
  await report.info(
    `Open the address in a browser and press Allow. The page you land on may show an error; only its address matters.\nWithin ${Math.round(pendingSignInMs / 60_000)} minutes, give that address to: ${formatStep(context, given, '--complete')}`,
  );
}

/** If it throws a {@link Failure}, the profile's present sign-in is unchanged. */
export async function completeSignIn(context: Context, name: string, given: LoginFlags): Promise<Identity> {
  const { world, timeoutMs, report } = context;
  const store = await openPendingStore(context, name, given.store);
  const startLine = formatStep(context, given, '--start');
  const pending = await readPendingSignIn(world, store, name, startLine);
  const settings = settingsOf(context, given, pending);
  const { restartCommand } = settings.hints;
  if (!canReadCallbackUrl(context))
    throw cannotReadCallbackUrl(context, `Pipe it: ... | ${formatStep(context, given, '--complete')}`);
  await store.assertWritable(name);
  const response = await readAuthorizationResponse(context, given, pending);
  if (response === 'too late') {
    // Throws that the sign-in has expired, and removes it.
    await readPendingSignIn(world, store, name, restartCommand);
    throw endedWithoutCallbackUrl(formatStep(context, given, '--complete'));
  }
  if ('error' in response) {
    await claimPendingSignIn(world, store, name, pending, restartCommand);
    throw authorizationFailure(response, restartCommand);
  }
  // Before it is used up: with no connection, it can be completed later.
  await assertReachable(world, pending.authUrl, timeoutMs);
  await claimPendingSignIn(world, store, name, pending, restartCommand);
  const { redirectUri } = pending;
  const item = await exchangeCode(world, settings, {
    code: response.code,
    redirectUri,
    timeoutMs,
    trace: report.trace,
  });
  return finishSignIn(context, {
    store,
    name,
    settings,
    redirectUri: pending.isRegistered ? redirectUri : undefined,
    before: await findProfile(world, name),
    signedIn: { tokens: item, finish: async () => {} },
    another: {
      words: restartCommand,
      more: '\nThis sign-in cannot be used again. Start another one, and complete it with --yes or with another --profile.',
    },
  });
}

function settingsOf(context: Context, { force, store }: LoginFlags, pending: PendingSignIn): SignInSettings {
  const { authUrl, clientId, clientSecret, scopes, hostSuffixes } = pending;
  const redirectUri = pending.isRegistered ? pending.redirectUri : undefined;
  const port = pending.isRegistered ? undefined : Number(new URL(pending.redirectUri).port);
  const line = {
    context,
    start: true,
    authUrl,
    clientId,
    hostSuffixes,
    scopes,
    redirectUri,
    port,
    force,
    store,
  };
  const application = { clientId, clientSecret };
  return { authUrl, application, scopes, hostSuffixes, hints: createSignInHelp(line, 'start') };
}

/** The first turn asks the system for ready input, the second receives it. */
const lastTurns = 2;

/** Reads until the right landing URL arrives, past any other text. */
async function readAuthorizationResponse(
  context: Context,
  given: LoginFlags,
  { state, expiresAt }: PendingSignIn,
) {
  const { clock } = context.world;
  const expiring = new AbortController();
  const cancel = clock.after(Math.max(0, expiresAt - clock.now()), async () => {
    // A process that was stopped meanwhile has not read yet what was given to it in time.
    for (let turn = 0; turn < lastTurns; turn++) await clock.nextTurn();
    expiring.abort();
  });
  const read = (text: string) => parsePastedUrl(text, state);
  try {
    const text = await readCallbackUrl(context, {
      question: 'Paste the address you landed on:',
      check(line) {
        const response = read(line);
        return typeof response === 'string' ? response : true;
      },
      signal: expiring.signal,
    });
    const response = text === undefined ? undefined : read(text);
    if (response !== undefined && typeof response !== 'string') return response;
    if (expiring.signal.aborted) return 'too late';
    throw endedWithoutCallbackUrl(formatStep(context, given, '--complete'));
  } catch (error) {
    if (expiring.signal.aborted && !(error instanceof Failure)) return 'too late';
    throw error;
  } finally {
    cancel();
  }
}

/** The command for the other step, with the flags it needs again. Variables and folder settings still apply then. */
function formatStep(context: Context, { force, store }: LoginFlags, step: '--start' | '--complete'): string {
  const flags = [
    ...flagWords('--profile', context.common.profile),
    ...(force ? ['--force'] : []),
    ...flagWords('--store', store),
  ];
  return formatCommandWith(withProfile(context, undefined), 'login', [], step, ...flags);
}

/** A redirect URI whose port no program here listens on. wm does not know which machine the browser runs on. */
async function findFreePort({ server }: Pick<World, 'server'>): Promise<number> {
  const listening = await server.listen({ host: '127.0.0.1', port: 0 }, (_request, response) => {
    response.end();
  });
  if ('fault' in listening) throw new Failure('other', { message: 'No free port', why: listening.detail });
  await listening.close();
  return listening.port;
}
