// A sign-in in two steps: `start` prints the URL of the consent page and stores what `complete` needs, in the token store
// of the profile. It can be completed once, within ten minutes. docs/decisions/two-step-sign-in.md says why.

import { scopeList } from '../contract/authorization.ts';
import { parseJsonIfValid } from '../contract/json.ts';
import { limit } from '../contract/limit.ts';
import { ValidationError } from '../contract/schema.ts';
import type { Scope } from '../contract/scope.ts';
import { Failure, usageError } from '../failure.ts';
import type { World } from '../world/world.ts';
import { acquireProfileLock } from './profile.ts';
import type { TokenStore } from './token-store.ts';

/** Everything that completing it takes, but for the landing URL. */
export interface PendingSignIn {
  readonly state: string;
  /** As it stands in the authorize request. */
  readonly redirectUri: string;
  /** True where the person gave it, so that the profile remembers it. */
  readonly isRegistered: boolean;
  readonly authUrl: string;
  readonly clientId: string;
  readonly clientSecret: string;
  readonly scopes: readonly Scope[] | undefined;
  readonly hostSuffixes: readonly string[];
  /** Milliseconds since 1970. */
  readonly expiresAt: number;
}

export const pendingSignInMs = limit.authorizationCodeSeconds * 1000;

type Parts = Pick<World, 'files' | 'lock' | 'clock'>;
type Learning = Parts & Pick<World, 'secrets'>;

/** Stores it in the place of one that was started before. The tokens of the profile are left alone. */
export async function savePendingSignIn(
  world: Parts,
  store: TokenStore,
  profile: string,
  pending: PendingSignIn,
): Promise<void> {
  await withLock(world, profile, () => store.pending.write(profile, JSON.stringify(pending)));
}

/**
 * Reads it and leaves it there, unless it has expired.
 * @throws {Failure} where there is none, or where it is too late; `start` is the command that begins again.
 */
export async function readPendingSignIn(
  world: Learning,
  store: TokenStore,
  profile: string,
  start: string,
): Promise<PendingSignIn> {
  const text = await store.pending.read(profile);
  if (text === undefined) {
    throw usageError(
      `No sign-in was started for the profile ${profile}`,
      `Start one: ${start}\nIf it was started for another profile, name that: wm login --complete --profile NAME`,
    );
  }
  const pending = parsePendingSignIn(text);
  world.secrets.add(pending?.state, pending?.clientSecret);
  if (pending && world.clock.now() < pending.expiresAt) return pending;
  await withLock(world, profile, async () => {
    // Another start may have replaced it by now.
    if ((await store.pending.read(profile)) === text) await store.pending.remove(profile);
  });
  throw new Failure('sign_in_needed', {
    message: pending
      ? 'The sign-in that was started has expired'
      : `What is stored in ${store.name} is not a started sign-in`,
    why: pending && `it was to be completed by ${new Date(pending.expiresAt).toISOString()}`,
    hint: `Start again: ${start}`,
  });
}

/** Removes it, so that nobody else completes it. Throws a {@link Failure} where somebody did, or started another. */
export async function claimPendingSignIn(
  world: Parts,
  store: TokenStore,
  profile: string,
  { state }: PendingSignIn,
  start: string,
): Promise<void> {
  await withLock(world, profile, async () => {
    const text = await store.pending.read(profile);
    const now = text === undefined ? undefined : parsePendingSignIn(text);
    if (now?.state === state) {
      await store.pending.remove(profile);
      return;
    }
    throw usageError(
      now ? 'Another sign-in was started in the meantime' : 'This sign-in was completed in the meantime',
      now ? 'Run the same command with the address that the later one led to.' : `To sign in anew: ${start}`,
    );
  });
}

async function withLock(world: Parts, profile: string, work: () => Promise<void>): Promise<void> {
  const held = await acquireProfileLock(world, profile);
  try {
    await work();
  } finally {
    await held.release();
  }
}

/** Nothing for what `storePending` has not written. */
function parsePendingSignIn(text: string): PendingSignIn | undefined {
  const value = parseJsonIfValid(text);
  if (typeof value !== 'object' || value === null) return undefined;
  const members = new Map<string, unknown>(Object.entries(value));
  const textOf = (name: string) => {
    const member = members.get(name);
    return typeof member === 'string' ? member : undefined;
  };
  const [state, redirectUri, authUrl] = [textOf('state'), textOf('redirectUri'), textOf('authUrl')];
  const [clientId, clientSecret] = [textOf('clientId'), textOf('clientSecret')];
  const [expiresAt, hostSuffixes] = [members.get('expiresAt'), members.get('hostSuffixes')];
  if (state === undefined || redirectUri === undefined || authUrl === undefined) return undefined;
  if (clientId === undefined || clientSecret === undefined || typeof expiresAt !== 'number') return undefined;
  if (!Array.isArray(hostSuffixes) || !hostSuffixes.every((one) => typeof one === 'string')) return undefined;
  const scopes = parseScopes(members.get('scopes'));
  if (scopes === 'broken') return undefined;
  return {
    state,
    redirectUri,
    isRegistered: members.get('isRegistered') === true,
    authUrl,
    clientId,
    clientSecret,
    scopes,
    hostSuffixes,
    expiresAt,
  };
}

function parseScopes(member: unknown): readonly Scope[] | undefined | 'broken' {
  if (member === undefined) return undefined;
  try {
    return scopeList.validate(member);
  } catch (error) {
    if (error instanceof ValidationError) return 'broken';
    throw error;
  }
}
