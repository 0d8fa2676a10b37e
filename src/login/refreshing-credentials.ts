// The credentials of a profile: its access token, refreshed when it is about to expire or was rejected. A refresh token works
// once, so a refresh happens under the profile's lock, after reading tokens that another process may just have stored, and in
// a helper process that outlives the command. See docs/decisions/renewal.md.

import type { SignIn } from '#client/response-hint.ts';
import type { Access, Credentials } from '#client/session.ts';
import { type Scope, scopes } from '#contract/scope.ts';
import { commandHint, Failure } from '#failure.ts';
import { internalCommands } from '#internal-commands.ts';
import { omitUndefined } from '#omit-undefined.ts';
import type { HeldLock, LockHolder, World } from '#world/world.ts';
import { apiBaseUrl } from './host.ts';
import { lockTimeoutFailure, lockWaitMessage, waitForHelper } from './lock-wait.ts';
import { acquireProfileLock, type Profile, profileLockPath, signInCommand } from './profile.ts';
import { isRefreshInFlightElsewhere, otherRefreshMessage } from './refresh-marker.ts';
import { type HelperInput, parseHelperOutput } from './refresh-process.ts';
import type { StoredTokens, TokenStore } from './token-store.ts';

/** A token that expires sooner is refreshed before it is used. */
const minLifetimeMs = 60_000;
/** If a helper process is killed, another one is started, up to this number. */
const maxHelpers = 3;

export function toAccess(item: StoredTokens): Access {
  return { token: item.accessToken, baseUrl: apiBaseUrl(item.host) };
}

/** Undefined for a permanent token, which has no scopes. */
function signInOf({ authUrl, name, scopes: requested }: Profile): SignIn | undefined {
  if (authUrl === undefined) return undefined;
  const isScope = (text: string): text is Scope => scopes.some((scope) => scope === text);
  return { scopes: requested?.filter(isScope), command: signInCommand(name) };
}

export interface TokensInUse {
  readonly profile: Profile;
  /** Undefined before the first request. */
  tokens(): StoredTokens | undefined;
  /** True if the last refresh could not store them. */
  isUnstored(): boolean;
}

export type RefreshWorld = Pick<World, 'clock' | 'files' | 'http' | 'lock' | 'process' | 'environment'>;

interface RefreshOptions {
  readonly store: TokenStore;
  /** The value of WM_TOKEN_STORE, for the helper process: see openProfileStore. */
  readonly storeVariable: string | undefined;
  readonly profile: Profile;
  readonly info: (line: string) => unknown;
  readonly warn: (line: string) => unknown;
  readonly trace?: (line: string) => unknown;
}

/**
 * Credentials that refresh themselves. `access` resolves with a token that lives for another minute, or that has just been
 * refreshed; `refresh` replaces a token that the service rejected. Both throw a {@link Failure}: `sign_in_needed` if there is
 * no token, or the service rejects the refresh token; otherwise what made the refresh fail.
 * @see [RFC 6749 §1.5](https://www.rfc-editor.org/rfc/rfc6749#section-1.5),
 * [RFC 6750 §3.1](https://www.rfc-editor.org/rfc/rfc6750#section-3.1); contract: Authentication 7 and 8
 */
export function createRefreshingCredentials(
  world: RefreshWorld,
  options: RefreshOptions,
): Credentials & TokensInUse {
  const { store, profile } = options;
  let isUnstored = false;

  async function readItem(): Promise<StoredTokens> {
    const item = await store.read(profile.name);
    if (item) return item;
    throw new Failure('sign_in_needed', {
      message: `No token stored for the profile ${profile.name} in ${store.name}`,
      hint: commandHint('To sign in: ', signInCommand(profile.name)),
    });
  }

  function isFresh(item: StoredTokens): boolean {
    return item.expiresAt === undefined || item.expiresAt - world.clock.now() > minLifetimeMs;
  }

  /** `stale`: the access token that must not be used any more. */
  async function refresh(stale: string): Promise<StoredTokens> {
    const lockPath = profileLockPath(world, profile.name);
    for (let helper = 1; ; helper++) {
      const held = await acquireProfileLock(world, profile.name);
      const item = await readItem().catch(async (error: unknown) => {
        await held.release();
        throw error;
      });
      if (item.accessToken !== stale) {
        await held.release();
        return item;
      }
      const result = await runHelper(world, options, item, held, lockPath);
      for (const line of result?.trace ?? []) options.trace?.(line);
      for (const warning of result?.warnings ?? []) options.warn(warning);
      isUnstored = result?.unstored !== undefined;
      if (result?.unstored) return { ...item, ...result.unstored };
      // A keychain that hangs would take its time twice.
      if (result?.failure?.code === 'token_store') throw result.failure;
      // The store decides, even if the helper process was killed.
      const stored = await readItem().catch((error: unknown) => {
        throw result?.failure ?? error;
      });
      if (stored.generation !== item.generation) {
        // The new tokens are stored, but the access token is of a type that must not be used.
        if (result?.failure?.code === 'bad_response') throw result.failure;
        return stored;
      }
      if (result?.failure) throw result.failure;
      if (result || helper === maxHelpers)
        throw new Failure('other', {
          message: `Cannot refresh the sign-in ${profile.name}: the helper process ended early`,
          hint: 'The sign-in is unchanged. Run the command again.',
        });
    }
  }

  /** In memory, since reading a keychain takes milliseconds and may show a prompt. */
  let cached: StoredTokens | undefined;
  /** A new token that is about to expire: it is used until the service rejects it. */
  let shortLived: string | undefined;
  let inFlight: Promise<StoredTokens> | undefined;

  async function refreshAndRemember(stale: string): Promise<StoredTokens> {
    const item = await refresh(stale);
    if (!isFresh(item)) shortLived = item.accessToken;
    return item;
  }

  /** Concurrent requests of one command share one read, and one refresh. */
  async function share(work: () => Promise<StoredTokens>): Promise<Access> {
    inFlight ??= work().finally(() => {
      inFlight = undefined;
    });
    cached = await inFlight;
    return toAccess(cached);
  }

  const signIn = signInOf(profile);
  return {
    ...(signIn ? { signIn } : {}),
    profile,
    tokens: () => cached,
    isUnstored: () => isUnstored,
    async access() {
      if (cached && (isFresh(cached) || cached.accessToken === shortLived)) return toAccess(cached);
      return share(async () => {
        const item = await readItem();
        return isFresh(item) ? item : refreshAndRemember(item.accessToken);
      });
    },
    async refresh(rejected) {
      const item = await readItem();
      if (item.accessToken === rejected.token && item.refreshToken === undefined) return undefined;
      // What another process has stored meanwhile needs no lock.
      return share(async () =>
        item.accessToken === rejected.token ? refreshAndRemember(rejected.token) : item,
      );
    },
  };
}

async function runHelper(
  world: RefreshWorld,
  { profile, storeVariable, info }: RefreshOptions,
  item: StoredTokens,
  held: HeldLock,
  lockPath: string,
): Promise<ReturnType<typeof parseHelperOutput>> {
  const { descriptor } = held;
  // If the lock cannot be inherited, the helper acquires it; a process that comes first refreshes instead.
  if (descriptor === undefined) await held.release();
  const input: HelperInput = {
    profile: profile.name,
    generation: item.generation,
    lockPath,
    // The first after the three standard streams.
    ...(descriptor === undefined ? {} : { descriptor: 3 }),
    ...omitUndefined({ store: storeVariable, certificates: world.http.certificates }),
  };
  let output = '';
  let handOver = () => {};
  const handedOver = new Promise<number>((resolve) => {
    handOver = () => resolve(0);
  });
  const child = world.process.start([...world.process.self, internalCommands.refreshProcess], {
    environment: world.environment,
    streams: 'pipe',
    input: JSON.stringify(input),
    detached: true,
    inherits: descriptor === undefined ? [] : [descriptor],
    onOutput: (text) => {
      output += text;
      if (text.endsWith('\n')) handOver();
    },
  });
  await held.handOverTo(child.pid());
  const activity = `refreshing the sign-in ${profile.name}`;
  const onWait = async (holder: LockHolder | undefined) => {
    const isElsewhere = await isRefreshInFlightElsewhere(world, profile.name, held.id).catch(() => false);
    info(
      isElsewhere ? otherRefreshMessage(world, profile.name) : lockWaitMessage(holder, activity, child.pid()),
    );
  };
  const ended = Promise.race([child.ended, handedOver]);
  const isDone = await waitForHelper(world, { ended }, lockPath, onWait);
  // It is not killed: it may hold the only copy of the new token, which it still tries to store.
  child.detach();
  if (isDone) return parseHelperOutput(output);
  throw lockTimeoutFailure(await world.lock.holder(lockPath), activity, 'The sign-in is unchanged.');
}
