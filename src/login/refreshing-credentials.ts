// A profile's token, renewed when it is about to expire or was refused. The refresh token is good for one use, so a
// renewal happens under the profile's lock, after reading again what another process may just have renewed, and in a
// helper process that outlives the command. docs/decisions/renewal.md says why.

import type { SignIn } from '../client/forbidden-hint.ts';
import type { Access, Credentials } from '../client/session.ts';
import { type Scope, scopes } from '../contract/scope.ts';
import { Failure } from '../failure.ts';
import { internalCommands } from '../internal-commands.ts';
import type { HeldLock, LockHolder, World } from '../world/world.ts';
import { apiBaseUrl } from './host.ts';
import { lockTimeoutFailure, lockWaitMessage, waitForHelper } from './lock-wait.ts';
import { acquireProfileLock, type Profile, profileLockPath } from './profile.ts';
import { type HelperInput, parseHelperOutput } from './refresh-process.ts';
import type { StoredTokens, TokenStore } from './token-store.ts';

/** A token with less life left than this is renewed before it is used. */
const minLifetimeMs = 60_000;
/** A helper that was killed is followed by another, but not for ever. */
const maxHelpers = 3;

export function toAccess(item: StoredTokens): Access {
  return { token: item.accessToken, baseUrl: apiBaseUrl(item.host) };
}

/** Nothing for a permanent token, which no sign-in gave scopes. */
function signInOf({ authUrl, name, scopes: asked }: Profile): SignIn | undefined {
  if (authUrl === undefined) return undefined;
  const isScope = (text: string): text is Scope => scopes.some((scope) => scope === text);
  return { scopes: asked?.filter(isScope), command: `wm login --profile ${name}` };
}

export type RefreshWorld = Pick<World, 'clock' | 'files' | 'http' | 'lock' | 'process' | 'environment'>;

export interface RefreshOptions {
  readonly store: TokenStore;
  /** What WM_TOKEN_STORE says, for the helper: see storeOf. */
  readonly storeVariable: string | undefined;
  readonly profile: Profile;
  readonly say: (line: string) => unknown;
  readonly warn: (line: string) => unknown;
}

export function createRefreshingCredentials(world: RefreshWorld, renewing: RefreshOptions): Credentials {
  const { store, profile } = renewing;

  async function readItem(): Promise<StoredTokens> {
    const item = await store.read(profile.name);
    if (item) return item;
    throw new Failure('sign_in_needed', {
      message: `There is no token for the profile ${profile.name} in ${store.name}`,
      hint: `Sign in: wm login --profile ${profile.name}`,
    });
  }

  function isFresh(item: StoredTokens): boolean {
    return item.expiresAt === undefined || item.expiresAt - world.clock.now() > minLifetimeMs;
  }

  /** `stale` is the access token that must not be used any more. */
  async function refresh(stale: string): Promise<StoredTokens> {
    const lockPath = profileLockPath(world, profile.name);
    for (let helper = 1; ; helper++) {
      const held = await acquireProfileLock(world, profile.name);
      let item: StoredTokens;
      try {
        item = await readItem();
      } catch (error) {
        await held.release();
        throw error;
      }
      if (item.accessToken !== stale) {
        await held.release();
        return item;
      }
      const said = await runHelper(world, renewing, item, held, lockPath);
      for (const warning of said?.warnings ?? []) renewing.warn(warning);
      if (said?.unstored) return { ...item, ...said.unstored };
      // What counts is what is in the store, whatever became of the helper.
      const after = await readItem().catch((error: unknown) => {
        throw said?.failure ?? error;
      });
      if (after.generation !== item.generation) {
        // Stored, with an access token of a type that must not be used.
        if (said?.failure?.code === 'bad_response') throw said.failure;
        return after;
      }
      if (said?.failure) throw said.failure;
      if (said || helper === maxHelpers) throw helperFailed(profile);
    }
  }

  /** What this process knows already; reading a keychain takes milliseconds, and may take a person. */
  let known: StoredTokens | undefined;
  /** A token that had this little life when it was just renewed is used until the service refuses it. */
  let shortLived: string | undefined;
  let inFlight: Promise<StoredTokens> | undefined;

  async function refreshAndRemember(stale: string): Promise<StoredTokens> {
    const item = await refresh(stale);
    if (!isFresh(item)) shortLived = item.accessToken;
    return item;
  }

  /** Several calls of one command at once are one reading, and one renewal. */
  async function share(work: () => Promise<StoredTokens>): Promise<Access> {
    inFlight ??= work().finally(() => {
      inFlight = undefined;
    });
    known = await inFlight;
    return toAccess(known);
  }

  const signIn = signInOf(profile);
  return {
    ...(signIn ? { signIn } : {}),
    async access() {
      if (known && (isFresh(known) || known.accessToken === shortLived)) return toAccess(known);
      return share(async () => {
        const item = await readItem();
        return isFresh(item) ? item : refreshAndRemember(item.accessToken);
      });
    },
    async refresh(refused) {
      const item = await readItem();
      if (item.accessToken === refused.token && item.refreshToken === undefined) return undefined;
      return share(async () =>
        item.accessToken === refused.token ? refreshAndRemember(refused.token) : item,
      );
    },
  };
}

async function runHelper(
  world: RefreshWorld,
  { profile, storeVariable, say }: RefreshOptions,
  item: StoredTokens,
  held: HeldLock,
  lockPath: string,
): Promise<ReturnType<typeof parseHelperOutput>> {
  const inherited = held.descriptor;
  // Where a lock cannot be inherited, the helper takes it; whoever comes between renews in its place.
  if (inherited === undefined) await held.release();
  const order: HelperInput = {
    profile: profile.name,
    store: storeVariable,
    generation: item.generation,
    // The first after the three standard ones.
    descriptor: inherited === undefined ? undefined : 3,
    lockPath,
    certificates: world.http.certificates,
  };
  let said = '';
  const child = world.process.start([...world.process.self, internalCommands.refreshProcess], {
    environment: world.environment,
    streams: 'pipe',
    input: JSON.stringify(order),
    detached: true,
    inherits: inherited === undefined ? [] : [inherited],
    onOutput: (text) => {
      said += text;
    },
  });
  await child.started;
  await held.handOverTo(child.pid());
  const doing = `refreshing the sign-in ${profile.name}`;
  const tell = (holder: LockHolder | undefined) => say(lockWaitMessage(holder, doing));
  if (await waitForHelper(world, child, lockPath, tell)) return parseHelperOutput(said);
  // It is not ended: it may hold the only copy of the new token.
  child.detach();
  throw lockTimeoutFailure(await world.lock.holder(lockPath), doing, 'The sign-in is kept.');
}

function helperFailed({ name }: Profile): Failure {
  return new Failure('other', {
    message: `The sign-in ${name} was not renewed: the process that renews it ended before it was done`,
    hint: 'The sign-in is kept. Run the command again.',
  });
}
