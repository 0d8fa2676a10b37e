// A sign-in in two steps, for machines without a browser: `wm login --start` prints the URL of the consent page and
// ends; `wm login --complete` reads the URL that the browser landed on.

import type { Context } from '#cli/context.ts';
import { flagWords, formatCommandWith, withProfile } from '#cli/format-command.ts';
import type { Identity } from '#cli/identity.ts';
import { Failure } from '#failure.ts';
import { authorizeUrl, createState } from '#login/authorization-request.ts';
import { authorizationFailure, parsePastedUrl } from '#login/authorization-response.ts';
import { exchangeCode } from '#login/code-exchange.ts';
import { openTokenStore } from '#login/open-token-store.ts';
import {
  claimPendingSignIn,
  type PendingSignIn,
  pendingSignInMs,
  readPendingSignIn,
} from '#login/pending-sign-in.ts';
import { findProfile, withProfileLock } from '#login/profile.ts';
import { assertReachable } from '#login/reachability.ts';
import { omitUndefined } from '#omit-undefined.ts';
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
import { createSignInHints } from './login-command.ts';
import { gatherSettings } from './settings.ts';

/** Prints the address, as a line or as JSON. The profile's present sign-in stays unchanged. */
export async function startSignIn(context: Context, name: string, flags: LoginFlags): Promise<void> {
  const { world, report } = context;
  const plan = await gatherSettings(context, name, flags);
  const {
    store,
    authUrl,
    application,
    scopes,
    hostSuffixes,
    redirectUri: registered,
    callbackAddress,
  } = plan;
  await assertReachable(world, authUrl, context.timeoutMs);
  const redirectUri =
    registered ?? `http://127.0.0.1:${callbackAddress?.port || (await findFreePort(world))}/callback`;
  const state = createState(world);
  const expiresAt = world.clock.now() + pendingSignInMs;
  const request = { state, redirectUri, isRegistered: registered !== undefined, authUrl, ...application };
  const pending: PendingSignIn = { ...request, ...omitUndefined({ scopes }), hostSuffixes, expiresAt };
  await withProfileLock(world, name, async () => {
    await store.announce(name);
    await store.pending.write(name, JSON.stringify(pending));
  });
  // Remove a sign-in started earlier in the other store, which would be found first.
  if (store.kind !== 'file') await openTokenStore(world, 'file').pending.remove(name);
  const url = authorizeUrl(plan, redirectUri, state);
  if (report.wantsJson)
    await report.json({ url, profile: name, redirectUri, expiresAt: new Date(expiresAt).toISOString() });
  else await report.line(url);
  await report.info(
    `Open the address in a browser and press Allow. The page you land on may show an error; only its address matters.\nWithin ${Math.round(pendingSignInMs / 60_000)} minutes, give that address to: ${formatStep(context, flags, '--complete')}`,
  );
}

/** If it throws a {@link Failure}, the profile's present sign-in is unchanged. */
export async function completeSignIn(context: Context, name: string, flags: LoginFlags): Promise<Identity> {
  const { world, timeoutMs, report } = context;
  const store = await openPendingStore(context, name, flags.store);
  const startLine = formatStep(context, flags, '--start');
  const pending = await readPendingSignIn(world, store, name, startLine);
  const settings = pendingSettings(context, flags, pending);
  const { restartCommand } = settings.hints;
  if (!canReadCallbackUrl(context))
    throw cannotReadCallbackUrl(context, `Pipe it: ... | ${formatStep(context, flags, '--complete')}`);
  await store.assertWritable(name);
  const response = await readAuthorizationResponse(context, pending);
  if (response === undefined) {
    // If the sign-in has expired, throws that, and removes it.
    await readPendingSignIn(world, store, name, restartCommand);
    throw endedWithoutCallbackUrl(formatStep(context, flags, '--complete'));
  }
  if ('error' in response) {
    await claimPendingSignIn(world, store, name, pending, restartCommand);
    throw authorizationFailure(response, restartCommand);
  }
  // Before the sign-in is claimed: without a connection, it can be completed later.
  await assertReachable(world, pending.authUrl, timeoutMs);
  await claimPendingSignIn(world, store, name, pending, restartCommand);
  const tokens = await exchangeCode(world, settings, {
    code: response.code,
    redirectUri: pending.redirectUri,
    timeoutMs,
    trace: report.trace,
  });
  return finishSignIn(
    context,
    { ...settings, name, store, previous: await findProfile(world, name) },
    { tokens, finish: async () => {} },
    '\nThis sign-in cannot be used again. Start another one, and complete it with --yes or with another --profile.',
  );
}

function pendingSettings(context: Context, flags: LoginFlags, pending: PendingSignIn) {
  const { authUrl, clientId, clientSecret, scopes, hostSuffixes } = pending;
  const redirectUri = pending.isRegistered ? pending.redirectUri : undefined;
  const port = pending.isRegistered ? undefined : Number(new URL(pending.redirectUri).port);
  const shared = { authUrl, scopes, hostSuffixes };
  const startFlags = { ...flags, start: true, ...omitUndefined({ port }) };
  const hints = createSignInHints({ context, ...shared, clientId, redirectUri, flags: startFlags }, 'start');
  return { ...shared, redirectUri, application: { clientId, clientSecret }, hints };
}

/** In the first turn Node asks the system for input, in the second it delivers it. */
const lastTurns = 2;

/** Reads until the right landing URL arrives, past any other text. Undefined if the input or the time ends before. */
async function readAuthorizationResponse(context: Context, { state, expiresAt }: PendingSignIn) {
  const { clock } = context.world;
  const expiry = new AbortController();
  const cancel = clock.after(Math.max(0, expiresAt - clock.now()), async () => {
    // A process that was stopped meanwhile has not yet read input that came in time.
    for (let turn = 0; turn < lastTurns; turn++) await clock.nextTurn();
    expiry.abort();
  });
  try {
    return await readCallbackUrl(context, {
      question: 'Paste the address you landed on:',
      parse: (text) => parsePastedUrl(text, state),
      signal: expiry.signal,
    });
  } catch (error) {
    if (expiry.signal.aborted && !(error instanceof Failure)) return undefined;
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

/** Finds a port on which no program listens here. The browser may run on another machine. */
async function findFreePort({ server }: Pick<World, 'server'>): Promise<number> {
  const listener = await server.listen({ host: '127.0.0.1', port: 0 }, (_request, response) => {
    response.end();
  });
  if ('fault' in listener) throw new Failure('other', { message: 'No free port', why: listener.detail });
  await listener.close();
  return listener.port;
}
