// One renewal, by whoever holds the profile's lock: the note on disk, the request, the answer into the store, the end of
// the note. The refresh token is good for one use, so the question at every step is whether the service has used it up.

import { failureFromFault } from '../client/request-failure.ts';
import type { TokenResponse } from '../contract/authorization.ts';
import { Failure } from '../failure.ts';
import type { HeldLock, HttpFault, HttpResponse, World } from '../world/world.ts';
import { isAllowedHost, refreshUrl, withSchemeOf } from './host.ts';
import type { Profile } from './profile.ts';
import { isRefreshInFlight, removeRefreshMarker, writeRefreshMarker } from './refresh-marker.ts';
import {
  parseTokenResponse,
  refreshRequest,
  type TokenErrorHints,
  tokenExpiry,
  unsupportedTokenType,
} from './token-endpoint.ts';
import type { StoredTokens, TokenReservation, TokenStore } from './token-store.ts';

/** Two of them, and what storing takes, are less than anybody waits (lockLimits): the command hears how it ended. */
const timeoutMs = 25_000;
const maxResponseBytes = 1024 * 1024;
const retryDelayMs = 500;
/** The renewed token exists nowhere else, so storing it is tried more than once. */
const maxStoreAttempts = 5;

export interface RefreshResult {
  readonly item: StoredTokens;
  /** What the person should know, though it worked. */
  readonly warning?: string;
  /** True where no store has it: whoever refreshed it may use its access token, and nobody else. */
  readonly isUnstored?: true;
  /** Why the access token must not be used. The refresh token is stored all the same: it exists nowhere else. */
  readonly unusable?: Failure;
}

type Parts = Pick<World, 'http' | 'clock' | 'files'>;

/** Another process may hold a lock of the same path, since the file of ours was deleted. Nothing was sent. */
export class LockLostError extends Error {}

/**
 * Refreshes `item`, which the caller has just read under the lock. Throws a {@link Failure}; the kept sign-in is then as it
 * was, and the message says whether it is still good. Throws {@link LockLostError} too.
 */
export async function refreshTokens(
  world: Parts,
  store: TokenStore,
  profile: Profile,
  item: StoredTokens,
  lock: Pick<HeldLock, 'id' | 'isInPlace'>,
): Promise<RefreshResult> {
  const { clientId, clientSecret, refreshToken } = item;
  if (refreshToken === undefined || clientId === undefined || clientSecret === undefined) {
    throw new Failure('sign_in_needed', {
      message: 'The token has expired, and there is nothing to renew it with',
      hint: `Sign in again: wm login --profile ${profile.name}`,
    });
  }
  const request = refreshRequest(refreshUrl(item.host), { clientId, clientSecret }, refreshToken);
  /** True where the service may have used the token up in an exchange whose answer nobody has. */
  let mayBeUsed = await isRefreshInFlight(world, profile.name, item);
  const left = mayBeUsed ? await store.findInterruptedWrite(profile.name, item) : undefined;
  if (left) {
    try {
      await left.adopt();
    } catch (error) {
      return { item: left.tokens, isUnstored: true, warning: storeWarning(store, profile, error) };
    }
    await removeRefreshMarker(world, profile.name);
    const isOver = left.tokens.expiresAt !== undefined && left.tokens.expiresAt <= world.clock.now();
    return isOver ? refreshTokens(world, store, profile, left.tokens, lock) : { item: left.tokens };
  }
  await writeRefreshMarker(world, profile.name, item, lock.id);
  let reserved: TokenReservation;
  try {
    // What could not be stored now could not be stored when it is the only copy.
    reserved = await store.reserve(profile.name, item);
  } catch (error) {
    if (!mayBeUsed) await removeRefreshMarker(world, profile.name);
    throw error;
  }
  // From here on, whoever takes another lock finds the marker of this one.
  if (!(await lock.isInPlace())) {
    await reserved.release();
    throw new LockLostError();
  }

  for (let attempt = 1; ; attempt++) {
    const asked = world.clock.now();
    const outcome = await world.http.send(request, { timeoutMs, maxBytes: maxResponseBytes });
    try {
      const next = parseRefreshOutcome(item, outcome, asked, profile);
      if (!(await isStillCurrent(store, profile, item, lock))) {
        await reserved.release();
        return { item: next.item };
      }
      const unstored = await storeTokens(world, store, reserved, profile, next.item);
      if (unstored) return { ...next, isUnstored: true, warning: unstored };
      await removeRefreshMarker(world, profile.name);
      return next;
    } catch (error) {
      if (!(error instanceof Failure)) throw error;
      if (error.errorCode === 'invalid_grant') {
        await reserved.release();
        if (mayBeUsed) throw refreshLostFailure(error, profile);
        await removeRefreshMarker(world, profile.name);
        throw error;
      }
      if (!mayHaveRotated(outcome)) {
        await reserved.release();
        if (mayBeUsed) throw error.code === 'sign_in_needed' ? error : noResponseFailure(error);
        await removeRefreshMarker(world, profile.name);
        throw error;
      }
      mayBeUsed = true;
      // Once more: where the service never saw the first request, the token is as good as before.
      if (attempt === 2) {
        await reserved.release();
        throw noResponseFailure(error);
      }
      await world.clock.sleep(retryDelayMs);
    }
  }
}

/**
 * False where the file of the lock was deleted, and another process has signed out or in under the next one: tokens of the
 * sign-in before must not come back.
 */
async function isStillCurrent(
  store: TokenStore,
  { name }: Profile,
  item: StoredTokens,
  lock: Pick<HeldLock, 'isInPlace'>,
): Promise<boolean> {
  // Where nobody can tell, the only copy of the tokens is stored.
  if (await lock.isInPlace().catch(() => true)) return true;
  const now = await store.read(name).catch(() => item);
  return now?.refreshToken === item.refreshToken;
}

/** Whether the service may have rotated without our having its answer. */
function mayHaveRotated(outcome: HttpResponse | HttpFault): boolean {
  if ('fault' in outcome) return outcome.sent;
  return outcome.status >= 500 || (outcome.status >= 200 && outcome.status < 400);
}

function parseRefreshOutcome(
  item: StoredTokens,
  outcome: HttpResponse | HttpFault,
  asked: number,
  profile: Profile,
): RefreshResult {
  if ('fault' in outcome) throw failureFromFault(outcome);
  const got = parseTokenResponse(outcome, hintsFor(profile), asked);
  const { expiresAt: _, ...kept } = item;
  const unusable = unsupportedTokenType(got);
  const next: StoredTokens = {
    ...kept,
    generation: item.generation + 1,
    accessToken: got.access_token,
    ...(got.refresh_token === undefined ? {} : { refreshToken: got.refresh_token }),
    // One that must not be used has expired already: the next command renews it before anything else.
    ...(unusable ? { expiresAt: 0 } : tokenExpiry(got, asked)),
  };
  return { ...withHost(next, got, item, profile), ...(unusable ? { unusable } : {}) };
}

function withHost(
  next: StoredTokens,
  got: TokenResponse,
  item: StoredTokens,
  profile: Profile,
): RefreshResult {
  const { host } = got;
  if (host === undefined || host.toLowerCase() === item.host) return { item: next };
  // Judged as it came: another alphabet's letter may have one of ours as its small form.
  if (profile.authUrl !== undefined && isAllowedHost(host, profile.authUrl, profile.hostSuffixes)) {
    return { item: { ...next, host: withSchemeOf(profile.authUrl, host.toLowerCase()) } };
  }
  // Never a reason to throw the rotated tokens away: the old host stays.
  const warning = `The renewal named the host ${JSON.stringify(got.host)}, which this sign-in may not lead to; ${item.host} is kept.`;
  return { item: next, warning };
}

function hintsFor({ name }: Profile): TokenErrorHints {
  const again = `wm login --profile ${name}`;
  return {
    invalidGrant: { message: 'The service no longer accepts this sign-in', hint: `Sign in again: ${again}` },
    // A sign-in to the profile uses the secret that is stored, unless the variable gives another.
    checkApplicationHint: `Compare the client id and the client secret with the service’s console. If the secret has changed, set WM_CLIENT_SECRET. Then: ${again}`,
    restartHint: `Sign in again: ${again}`,
  };
}

/** What to tell the person where it was not stored. */
async function storeTokens(
  { clock }: Parts,
  store: TokenStore,
  reserved: TokenReservation,
  profile: Profile,
  item: StoredTokens,
): Promise<string | undefined> {
  for (let attempt = 1; ; attempt++) {
    try {
      await reserved.write(item);
      return undefined;
    } catch (error) {
      if (attempt < maxStoreAttempts) {
        await clock.sleep(retryDelayMs * attempt);
        continue;
      }
      return storeWarning(store, profile, error);
    }
  }
}

function storeWarning(store: TokenStore, { name }: Profile, error: unknown): string {
  const why = error instanceof Failure ? (error.why ?? error.message) : String(error);
  return `The new tokens of ${name} could not be stored in ${store.name}: ${why}
This command uses them; the service has replaced the old ones. If the next command says that the refresh was lost: wm login --profile ${name}`;
}

function refreshLostFailure(cause: Failure, { name }: Profile): Failure {
  return new Failure('sign_in_needed', {
    message: `The renewal of the sign-in ${name} was lost`,
    why: 'the service had replaced the refresh token already, and its answer never arrived here',
    hint: `Sign in again: wm login --profile ${name}`,
    errorCode: cause.errorCode,
    httpStatus: cause.httpStatus,
    cause,
  });
}

function noResponseFailure(cause: Failure): Failure {
  return new Failure(cause.code === 'bad_response' ? 'server' : cause.code, {
    message: 'The sign-in could not be renewed: no answer to it that can be used',
    why: cause.why ? `${cause.message}: ${cause.why}` : cause.message,
    hint: 'The sign-in is kept. Run the command again; if the service had replaced the token, it will say so then.',
    errorCode: cause.errorCode,
    httpStatus: cause.httpStatus,
    cause,
  });
}
