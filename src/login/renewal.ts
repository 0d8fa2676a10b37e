// One renewal, by whoever holds the profile's lock: the note on disk, the request, the answer into the store, the end of
// the note. The refresh token is good for one use, so the question at every step is whether the service has used it up.

import { faultFailure } from '../client/ending.ts';
import type { TokenAnswer } from '../contract/authorization.ts';
import { Failure } from '../failure.ts';
import type { HeldLock, HttpAnswer, HttpFault, World } from '../world/world.ts';
import { hostOver, mayUseHost, renewalUrl } from './host.ts';
import { noteBegin, noteEnd, wasBegun } from './intent.ts';
import type { Profile } from './profile.ts';
import type { ReservedItem, TokenItem, TokenStore } from './store.ts';
import { expiryOf, readTokenAnswer, refreshRequest, type TokenHelp, unusableType } from './token-request.ts';

/** Two of them, and what storing takes, are less than anybody waits (lockLimits): the command hears how it ended. */
const timeoutMs = 25_000;
const answerBytes = 1024 * 1024;
const pauseMs = 500;
/** The renewed token exists nowhere else, so storing it is tried more than once. */
const storeTries = 5;

export interface Renewed {
  readonly item: TokenItem;
  /** What the person should know, though it worked. */
  readonly warning?: string;
  /** True where no store has it: whoever refreshed it may use its access token, and nobody else. */
  readonly isUnstored?: true;
  /** Why the access token must not be used. The refresh token is stored all the same: it exists nowhere else. */
  readonly unusable?: Failure;
}

type Parts = Pick<World, 'http' | 'clock' | 'files'>;

/** Another process may hold a lock of the same path, since the file of ours was deleted. Nothing was sent. */
export class LockLost extends Error {}

/**
 * Refreshes `item`, which the caller has just read under the lock. Throws a {@link Failure}; the kept sign-in is then as it
 * was, and the message says whether it is still good. Throws {@link LockLost} too.
 */
export async function renew(
  world: Parts,
  store: TokenStore,
  profile: Profile,
  item: TokenItem,
  lock: Pick<HeldLock, 'id' | 'isInPlace'>,
): Promise<Renewed> {
  const { clientId, clientSecret, refreshToken } = item;
  if (refreshToken === undefined || clientId === undefined || clientSecret === undefined) {
    throw new Failure('sign_in_needed', {
      what: 'The token has expired, and there is nothing to renew it with',
      hint: `Sign in again: wm login --profile ${profile.name}`,
    });
  }
  const request = refreshRequest(renewalUrl(item.host), { clientId, clientSecret }, refreshToken);
  /** True where the service may have used the token up in an exchange whose answer nobody has. */
  let mayBeUsed = await wasBegun(world, profile.name, item);
  const left = mayBeUsed ? await store.leftBehind(profile.name, item) : undefined;
  if (left) {
    try {
      await left.adopt();
    } catch (error) {
      return { item: left.item, isUnstored: true, warning: notStored(store, profile, error) };
    }
    await noteEnd(world, profile.name);
    const isOver = left.item.expiresAt !== undefined && left.item.expiresAt <= world.clock.now();
    return isOver ? renew(world, store, profile, left.item, lock) : { item: left.item };
  }
  await noteBegin(world, profile.name, item, lock.id);
  let reserved: ReservedItem;
  try {
    // What could not be stored now could not be stored when it is the only copy.
    reserved = await store.reserve(profile.name, item);
  } catch (error) {
    if (!mayBeUsed) await noteEnd(world, profile.name);
    throw error;
  }
  // From here on, whoever takes another lock finds the marker of this one.
  if (!(await lock.isInPlace())) {
    await reserved.release();
    throw new LockLost();
  }

  for (let attempt = 1; ; attempt++) {
    const asked = world.clock.now();
    const outcome = await world.http.send(request, { timeoutMs, maxBytes: answerBytes });
    try {
      const next = nextItem(item, outcome, asked, profile);
      if (!(await isStillOurs(store, profile, item, lock))) {
        await reserved.release();
        return { item: next.item };
      }
      const unstored = await keep(world, store, reserved, profile, next.item);
      if (unstored) return { ...next, isUnstored: true, warning: unstored };
      await noteEnd(world, profile.name);
      return next;
    } catch (error) {
      if (!(error instanceof Failure)) throw error;
      if (error.word === 'invalid_grant') {
        await reserved.release();
        if (mayBeUsed) throw lost(error, profile);
        await noteEnd(world, profile.name);
        throw error;
      }
      if (!leavesDoubt(outcome)) {
        await reserved.release();
        if (mayBeUsed) throw error.code === 'sign_in_needed' ? error : unanswered(error);
        await noteEnd(world, profile.name);
        throw error;
      }
      mayBeUsed = true;
      // Once more: where the service never saw the first request, the token is as good as before.
      if (attempt === 2) {
        await reserved.release();
        throw unanswered(error);
      }
      await world.clock.sleep(pauseMs);
    }
  }
}

/**
 * False where the file of the lock was deleted, and another process has signed out or in under the next one: tokens of the
 * sign-in before must not come back.
 */
async function isStillOurs(
  store: TokenStore,
  { name }: Profile,
  item: TokenItem,
  lock: Pick<HeldLock, 'isInPlace'>,
): Promise<boolean> {
  // Where nobody can tell, the only copy of the tokens is stored.
  if (await lock.isInPlace().catch(() => true)) return true;
  const now = await store.read(name).catch(() => item);
  return now?.refreshToken === item.refreshToken;
}

/** Whether the service may have rotated without our having its answer. */
function leavesDoubt(outcome: HttpAnswer | HttpFault): boolean {
  if ('fault' in outcome) return outcome.sent;
  return outcome.status >= 500 || (outcome.status >= 200 && outcome.status < 400);
}

function nextItem(
  item: TokenItem,
  outcome: HttpAnswer | HttpFault,
  asked: number,
  profile: Profile,
): Renewed {
  if ('fault' in outcome) throw faultFailure(outcome);
  const got = readTokenAnswer(outcome, helpFor(profile), asked);
  const { expiresAt: _, ...kept } = item;
  const unusable = unusableType(got);
  const next: TokenItem = {
    ...kept,
    generation: item.generation + 1,
    accessToken: got.access_token,
    ...(got.refresh_token === undefined ? {} : { refreshToken: got.refresh_token }),
    // One that must not be used has expired already: the next command renews it before anything else.
    ...(unusable ? { expiresAt: 0 } : expiryOf(got, asked)),
  };
  return { ...withHost(next, got, item, profile), ...(unusable ? { unusable } : {}) };
}

function withHost(next: TokenItem, got: TokenAnswer, item: TokenItem, profile: Profile): Renewed {
  const { host } = got;
  if (host === undefined || host.toLowerCase() === item.host) return { item: next };
  // Judged as it came: another alphabet's letter may have one of ours as its small form.
  if (profile.authUrl !== undefined && mayUseHost(host, profile.authUrl, profile.hostSuffixes)) {
    return { item: { ...next, host: hostOver(profile.authUrl, host.toLowerCase()) } };
  }
  // Never a reason to throw the rotated tokens away: the old host stays.
  const warning = `The renewal named the host ${JSON.stringify(got.host)}, which this sign-in may not lead to; ${item.host} is kept.`;
  return { item: next, warning };
}

function helpFor({ name }: Profile): TokenHelp {
  const again = `wm login --profile ${name}`;
  return {
    invalidGrant: { what: 'The service no longer accepts this sign-in', hint: `Sign in again: ${again}` },
    // A sign-in to the profile uses the secret that is stored, unless the variable gives another.
    checkApplication: `Compare the client id and the client secret with the service’s console. If the secret has changed, set WM_CLIENT_SECRET. Then: ${again}`,
    again: `Sign in again: ${again}`,
  };
}

/** What to tell the person where it was not stored. */
async function keep(
  { clock }: Parts,
  store: TokenStore,
  reserved: ReservedItem,
  profile: Profile,
  item: TokenItem,
): Promise<string | undefined> {
  for (let attempt = 1; ; attempt++) {
    try {
      await reserved.write(item);
      return undefined;
    } catch (error) {
      if (attempt < storeTries) {
        await clock.sleep(pauseMs * attempt);
        continue;
      }
      return notStored(store, profile, error);
    }
  }
}

function notStored(store: TokenStore, { name }: Profile, error: unknown): string {
  const why = error instanceof Failure ? (error.why ?? error.message) : String(error);
  return `The new tokens of ${name} could not be stored in ${store.name}: ${why}
This command uses them; the service has replaced the old ones. If the next command says that the refresh was lost: wm login --profile ${name}`;
}

function lost(cause: Failure, { name }: Profile): Failure {
  return new Failure('sign_in_needed', {
    what: `The renewal of the sign-in ${name} was lost`,
    why: 'the service had replaced the refresh token already, and its answer never arrived here',
    hint: `Sign in again: wm login --profile ${name}`,
    word: cause.word,
    httpStatus: cause.httpStatus,
    cause,
  });
}

function unanswered(cause: Failure): Failure {
  return new Failure(cause.code === 'bad_answer' ? 'server' : cause.code, {
    what: 'The sign-in could not be renewed: no answer to it that can be used',
    why: cause.why ? `${cause.message}: ${cause.why}` : cause.message,
    hint: 'The sign-in is kept. Run the command again; if the service had replaced the token, it will say so then.',
    word: cause.word,
    httpStatus: cause.httpStatus,
    cause,
  });
}
