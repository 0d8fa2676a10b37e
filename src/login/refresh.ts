// One refresh, under the profile's lock: writes the marker, sends the request, stores the new tokens, removes the marker. A
// refresh token works once, so at every step it matters whether the service may already have replaced it.

import { failureFromFault } from '#client/request-failure.ts';
import { type TokenResponse, token } from '#contract/authorization.ts';
import { commandHint, Failure, toFailure } from '#failure.ts';
import { withinLimit } from '#within-limit.ts';
import type { HeldLock, HttpFault, HttpResponse, World } from '#world/world.ts';
import { hostOrigin, isAllowedHost, withSchemeOf } from './host.ts';
import { type Profile, signInCommand } from './profile.ts';
import { findRefreshMarker, removeRefreshMarker, writeRefreshMarker } from './refresh-marker.ts';
import { sendTokenRequest } from './send-token-request.ts';
import {
  grantRequest,
  parseTokenResponse,
  type TokenErrorHints,
  tokensOf,
  unsupportedTokenType,
} from './token-endpoint.ts';
import { PromptDeclined, type StoredTokens, type TokenReservation, type TokenStore } from './token-store.ts';

/** Two requests, and the time to store the result, are shorter than a command waits (lockLimits), so it learns the result. */
const timeoutMs = 25_000;
const retryDelayMs = 500;
/** The new tokens exist nowhere else, so a failed write is repeated, for about as long as a command waits for the lock. */
const maxStoreAttempts = 28;
const maxStoreDelayMs = 2000;
/** A user who declines the keychain's prompt is not asked more often. */
const maxPrompts = 5;
/** Then the command goes on with the new tokens. */
const handOverMs = 6000;

export interface RefreshResult {
  readonly tokens: StoredTokens;
  /** For the user, although the refresh succeeded. */
  readonly warning?: string;
  /** True if the tokens could not be stored: only this command can use the access token. */
  readonly isUnstored?: true;
  /** Still trying to store them, under the lock. Never rejects. */
  readonly storing?: Promise<void>;
  /** Why the access token must not be used. The refresh token is stored anyway: it exists nowhere else. */
  readonly unusableReason?: Failure;
}

type RefreshingWorld = Pick<World, 'http' | 'clock' | 'files'>;

/** The lock file was deleted, so another process may hold a lock on the same path. Nothing was sent. */
export class LockLostError extends Error {}

/**
 * Refreshes `item`, which the caller has just read from `store` under `lock`. Sends the request a second time if the first
 * one had no usable response.
 * @see [RFC 6749 §6](https://www.rfc-editor.org/rfc/rfc6749#section-6),
 * [§10.4](https://www.rfc-editor.org/rfc/rfc6749#section-10.4) for rotation of refresh tokens; contract: Authentication 8
 * @throws {Failure} if there are no new tokens. The stored tokens are then unchanged, and the message says whether they are
 * still valid: `sign_in_needed` if they are not.
 * @throws {LockLostError} before anything was sent.
 */
export async function refreshTokens(
  world: RefreshingWorld,
  store: TokenStore,
  profile: Profile,
  item: StoredTokens,
  lock: Pick<HeldLock, 'id' | 'isInPlace'>,
  trace?: (line: string) => unknown,
): Promise<RefreshResult> {
  const { clientId, clientSecret, refreshToken } = item;
  if (refreshToken === undefined || clientId === undefined || clientSecret === undefined)
    throw new Failure('sign_in_needed', {
      message: 'The token has expired and cannot be refreshed',
      hint: commandHint('Sign in again: ', signInCommand(profile.name)),
    });
  const url = hostOrigin(item.host) + token.path;
  const application = { clientId, clientSecret };
  const request = grantRequest(url, application, 'refresh_token', { refresh_token: refreshToken });
  /** True if the service may have replaced the refresh token in a response that was lost. */
  const marker = await findRefreshMarker(world, profile.name, item);
  let mayBeUsed = marker !== undefined;
  const interrupted = mayBeUsed ? await store.findInterruptedWrite(profile.name, item) : undefined;
  if (interrupted) {
    const { tokens } = interrupted;
    try {
      await interrupted.adopt();
    } catch (error) {
      return { tokens, isUnstored: true, warning: storeWarning(store, profile, error) };
    }
    await removeRefreshMarker(world, profile.name);
    const hasExpired = tokens.expiresAt !== undefined && tokens.expiresAt <= world.clock.now();
    return hasExpired ? refreshTokens(world, store, profile, tokens, lock, trace) : { tokens };
  }
  // After a power cut, only the marker that this one replaces would lead to these tokens.
  await store.settle(profile.name);
  await writeRefreshMarker(world, profile.name, item, lock.id, marker?.arrived);
  let reserved: TokenReservation;
  try {
    // Reserve the room for the new tokens first: the response is their only copy.
    reserved = await store.reserve(profile.name, item);
  } catch (error) {
    if (!mayBeUsed) await removeRefreshMarker(world, profile.name);
    throw error;
  }
  // The marker is on disk: a process that acquires a lock on a new file from here on finds it.
  if (!(await lock.isInPlace())) {
    await reserved.release();
    throw new LockLostError();
  }

  for (let attempt = 1; ; attempt++) {
    const requestedAt = world.clock.now();
    const outcome = await sendTokenRequest(world, request, timeoutMs, trace);
    try {
      const next = parseRefreshOutcome(item, outcome, requestedAt, profile);
      let fault: unknown = new Failure('token_store', { message: 'it has not responded yet' });
      const isCurrent = () => isStillCurrent(store, profile, item, lock);
      const storing = storeTokens(world, reserved, next.tokens, isCurrent, (error) => {
        fault = error;
      });
      const removeMarker = async (outcome?: StoreOutcome) =>
        outcome === 'stored' ? removeRefreshMarker(world, profile.name) : undefined;
      const stored = await withinLimit(world.clock, handOverMs, storing, () => undefined);
      await removeMarker(stored);
      if (stored === 'replaced') return { tokens: next.tokens };
      if (stored === 'stored') return next;
      await writeRefreshMarker(world, profile.name, item, lock.id, true).catch(() => {});
      const warning = storeWarning(store, profile, fault, stored === undefined);
      return { ...next, isUnstored: true, warning, storing: storing.then(removeMarker) };
    } catch (error) {
      if (!(error instanceof Failure)) throw error;
      const isRejected = error.errorCode === 'invalid_grant';
      const hasNoResult = !isRejected && mayHaveRotated(outcome);
      // Try once more: if the first request never arrived, the refresh token is still valid.
      if (hasNoResult && attempt === 1) {
        mayBeUsed = true;
        await world.clock.sleep(retryDelayMs);
        continue;
      }
      await reserved.release();
      if (hasNoResult) throw noResponseFailure(error);
      const earlierLoss = marker?.arrived
        ? `and the response arrived, but could not be stored in ${store.name}`
        : marker && 'but the new tokens were not stored';
      if (mayBeUsed && isRejected)
        throw refreshLostFailure(error, profile, earlierLoss ?? 'but no usable response arrived');
      if (mayBeUsed && error.code !== 'sign_in_needed') throw noResponseFailure(error);
      if (!mayBeUsed) await removeRefreshMarker(world, profile.name);
      throw error;
    }
  }
}

/** False if the lock file was deleted, and another process has signed in or out: the earlier tokens must not come back. */
async function isStillCurrent(
  store: TokenStore,
  { name }: Profile,
  item: StoredTokens,
  lock: Pick<HeldLock, 'isInPlace'>,
): Promise<boolean> {
  try {
    return (await lock.isInPlace()) || (await store.read(name))?.refreshToken === item.refreshToken;
  } catch {
    // In doubt, the only copy of the tokens is stored.
    return true;
  }
}

/** Whether the service may have replaced the refresh token, although its response is unusable. */
function mayHaveRotated(outcome: HttpResponse | HttpFault): boolean {
  if ('fault' in outcome) return outcome.sent;
  return outcome.status >= 500 || (outcome.status >= 200 && outcome.status < 400);
}

function parseRefreshOutcome(
  item: StoredTokens,
  outcome: HttpResponse | HttpFault,
  requestedAt: number,
  profile: Profile,
): RefreshResult {
  if ('fault' in outcome) throw failureFromFault(outcome);
  const response = parseTokenResponse(outcome, hintsFor(profile), requestedAt);
  const { expiresAt: _, ...unchanged } = item;
  const unusable = unsupportedTokenType(response);
  const next: StoredTokens = {
    ...unchanged,
    generation: item.generation + 1,
    ...tokensOf(response, requestedAt),
    // An unusable token counts as expired: the next command refreshes it first.
    ...(unusable ? { expiresAt: 0 } : {}),
  };
  return { ...withHost(next, response, item, profile), ...(unusable ? { unusableReason: unusable } : {}) };
}

function withHost(next: StoredTokens, response: TokenResponse, item: StoredTokens, profile: Profile) {
  const { host } = response;
  if (host === undefined || host.toLowerCase() === item.host) return { tokens: next };
  // Checked before it is lowercased: the lower case of a letter outside ASCII may be an ASCII letter.
  if (profile.authUrl !== undefined && isAllowedHost(host, profile.authUrl, profile.hostSuffixes))
    return { tokens: { ...next, host: withSchemeOf(profile.authUrl, host.toLowerCase()) } };
  // The new tokens are valid, so keep them, with the old host.
  const warning = `The refresh returned the host ${JSON.stringify(response.host)}, which this sign-in does not allow; wm still uses ${item.host}.`;
  return { tokens: next, warning };
}

function hintsFor({ name }: Profile): TokenErrorHints {
  const command = signInCommand(name);
  const restartHint = commandHint('Sign in again: ', command);
  return {
    invalidGrant: { message: 'The service no longer accepts this sign-in', hint: restartHint },
    // A sign-in to the profile uses the stored secret, unless the variable gives another.
    checkApplicationHint: `Compare the client id and the client secret with the service’s console. If the secret has changed, set WM_CLIENT_SECRET. Then: ${command}`,
    restartHint,
  };
}

type StoreOutcome = 'stored' | 'replaced' | 'failed';

/** Repeats a write that failed, unless another sign-in has replaced `item` meanwhile. Never rejects. */
async function storeTokens(
  { clock }: RefreshingWorld,
  reserved: TokenReservation,
  tokens: StoredTokens,
  isCurrent: () => Promise<boolean>,
  onFault: (error: unknown) => void,
): Promise<StoreOutcome> {
  let declined = 0;
  for (let attempt = 1; attempt <= maxStoreAttempts; attempt++) {
    if (!(await isCurrent())) {
      await reserved.release();
      return 'replaced';
    }
    try {
      await reserved.write(tokens);
      return 'stored';
    } catch (error) {
      onFault(error);
      if (error instanceof PromptDeclined && ++declined === maxPrompts) return 'failed';
      await clock.sleep(Math.min(retryDelayMs * attempt, maxStoreDelayMs));
    }
  }
  return 'failed';
}

function storeWarning(store: TokenStore, { name }: Profile, error: unknown, isTrying = false): string {
  const { why, message } = toFailure(error);
  const trying = isTrying ? ' wm keeps trying to store them for 50 s.' : '';
  return `Cannot store the new tokens of ${name} in ${store.name}: ${why ?? message}
This command uses them; the old ones are no longer valid.${trying} If the next command reports a lost refresh: ${signInCommand(name)}`;
}

/** `loss`: what became of the new tokens. */
function refreshLostFailure(cause: Failure, { name }: Profile, loss: string): Failure {
  return cause.with({
    code: 'sign_in_needed',
    message: `The refresh of the sign-in ${name} was lost`,
    why: `the service has already replaced the refresh token, ${loss}`,
    hint: commandHint('Sign in again: ', signInCommand(name)),
    cause,
  });
}

function noResponseFailure(cause: Failure): Failure {
  return cause.with({
    code: cause.code === 'bad_response' ? 'server' : cause.code,
    message: 'Cannot refresh the sign-in: no usable response',
    why: cause.sentence,
    hint: 'The sign-in is unchanged. Run the command again; it says if you must sign in again.',
    cause,
  });
}
