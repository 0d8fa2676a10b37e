// A profile's token, renewed when it is about to expire or was refused. The refresh token is good for one use, so a
// renewal happens under the profile's lock, after reading again what another process may just have renewed, and in a
// helper process that outlives the command. docs/decisions/renewal.md says why.

import type { SignIn } from '../client/forbidden.ts';
import type { Access, Credentials } from '../client/session.ts';
import { type Scope, scopes } from '../contract/scope.ts';
import { Failure } from '../failure.ts';
import { inner } from '../inner.ts';
import type { HeldLock, LockHolder, World } from '../world/world.ts';
import { endsInTime, waitedTooLong, waitingFor } from './held-lock.ts';
import { apiBase } from './host.ts';
import { lockPathOf, type Profile, takeLock } from './profile.ts';
import { type Order, readReport } from './renewal-process.ts';
import type { TokenItem, TokenStore } from './store.ts';

/** A token with less life left than this is renewed before it is used. */
const freshMs = 60_000;
/** A helper that was killed is followed by another, but not for ever. */
const helpers = 3;

export function accessOf(item: TokenItem): Access {
  return { token: item.accessToken, baseUrl: apiBase(item.host) };
}

/** Nothing for a permanent token, which no sign-in gave scopes. */
function signInOf({ authUrl, name, scopes: asked }: Profile): SignIn | undefined {
  if (authUrl === undefined) return undefined;
  const isScope = (text: string): text is Scope => scopes.some((scope) => scope === text);
  return { scopes: asked?.filter(isScope), command: `wm login --profile ${name}` };
}

export type RenewingWorld = Pick<World, 'clock' | 'files' | 'http' | 'lock' | 'process' | 'environment'>;

export interface Renewing {
  readonly store: TokenStore;
  /** What WM_TOKEN_STORE says, for the helper: see storeOf. */
  readonly storeVariable: string | undefined;
  readonly profile: Profile;
  readonly say: (line: string) => unknown;
  readonly warn: (line: string) => unknown;
}

export function renewingCredentials(world: RenewingWorld, renewing: Renewing): Credentials {
  const { store, profile } = renewing;

  async function readItem(): Promise<TokenItem> {
    const item = await store.read(profile.name);
    if (item) return item;
    throw new Failure('sign_in_needed', {
      what: `There is no token for the profile ${profile.name} in ${store.name}`,
      hint: `Sign in: wm login --profile ${profile.name}`,
    });
  }

  function isFresh(item: TokenItem): boolean {
    return item.expiresAt === undefined || item.expiresAt - world.clock.now() > freshMs;
  }

  /** `stale` is the access token that must not be used any more. */
  async function renewed(stale: string): Promise<TokenItem> {
    const lockPath = lockPathOf(world, profile.name);
    for (let helper = 1; ; helper++) {
      const held = await takeLock(world, profile.name);
      let item: TokenItem;
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
        if (said?.failure?.code === 'bad_answer') throw said.failure;
        return after;
      }
      if (said?.failure) throw said.failure;
      if (said || helper === helpers) throw helperFailed(profile);
    }
  }

  /** What this process knows already; reading a keychain takes milliseconds, and may take a person. */
  let known: TokenItem | undefined;
  /** A token that had this little life when it was just renewed is used until the service refuses it. */
  let shortLived: string | undefined;
  let underWay: Promise<TokenItem> | undefined;

  async function anew(stale: string): Promise<TokenItem> {
    const item = await renewed(stale);
    if (!isFresh(item)) shortLived = item.accessToken;
    return item;
  }

  /** Several calls of one command at once are one reading, and one renewal. */
  async function together(work: () => Promise<TokenItem>): Promise<Access> {
    underWay ??= work().finally(() => {
      underWay = undefined;
    });
    known = await underWay;
    return accessOf(known);
  }

  const signIn = signInOf(profile);
  return {
    ...(signIn ? { signIn } : {}),
    async access() {
      if (known && (isFresh(known) || known.accessToken === shortLived)) return accessOf(known);
      return together(async () => {
        const item = await readItem();
        return isFresh(item) ? item : anew(item.accessToken);
      });
    },
    async renew(refused) {
      const item = await readItem();
      if (item.accessToken === refused.token && item.refreshToken === undefined) return undefined;
      return together(async () => (item.accessToken === refused.token ? anew(refused.token) : item));
    },
  };
}

async function runHelper(
  world: RenewingWorld,
  { profile, storeVariable, say }: Renewing,
  item: TokenItem,
  held: HeldLock,
  lockPath: string,
): Promise<ReturnType<typeof readReport>> {
  const inherited = held.descriptor;
  // Where a lock cannot be inherited, the helper takes it; whoever comes between renews in its place.
  if (inherited === undefined) await held.release();
  const order: Order = {
    profile: profile.name,
    store: storeVariable,
    generation: item.generation,
    // The first after the three standard ones.
    descriptor: inherited === undefined ? undefined : 3,
    lockPath,
    certificates: world.http.certificates,
  };
  let said = '';
  const child = world.process.start([...world.process.self, inner.renewal], {
    environment: world.environment,
    streams: 'captured',
    input: JSON.stringify(order),
    detached: true,
    inherits: inherited === undefined ? [] : [inherited],
    onOutput: (text) => {
      said += text;
    },
  });
  await child.started;
  await held.handOver(child.pid());
  const doing = `refreshing the sign-in ${profile.name}`;
  const tell = (holder: LockHolder | undefined) => say(waitingFor(holder, doing));
  if (await endsInTime(world, child, lockPath, tell)) return readReport(said);
  // It is not ended: it may hold the only copy of the new token.
  child.leave();
  throw waitedTooLong(await world.lock.holder(lockPath), doing, 'The sign-in is kept.');
}

function helperFailed({ name }: Profile): Failure {
  return new Failure('other', {
    what: `The sign-in ${name} was not renewed: the process that renews it ended before it was done`,
    hint: 'The sign-in is kept. Run the command again.',
  });
}
