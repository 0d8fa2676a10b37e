// The token endpoint: builds its requests and parses its responses. Pure, so that one file shows all that is sent and accepted.

import { encodePairs } from '#client/request.ts';
import { parseJsonObject, statusFailure } from '#client/response.ts';
import { type TokenResponse, type token, tokenResponse } from '#contract/authorization.ts';
import { retryAfterMs } from '#contract/retry-after.ts';
import { readLeniently, replaceError, ValidationError } from '#contract/schema.ts';
import { Failure, type Hint } from '#failure.ts';
import { omitUndefined } from '#omit-undefined.ts';
import type { HttpRequest, HttpResponse } from '#world/world.ts';
import type { StoredTokens } from './token-store.ts';

/** The latest time that a Date can hold, in milliseconds since 1970. A longer lifetime ends there. */
const maxInstant = 8_640_000_000_000_000;

/**
 * The tokens of a response as they are stored. `requestedAt`: when the request was sent, in milliseconds since 1970, so that the
 * transfer shortens the lifetime and never extends it.
 * @see [RFC 6749 §5.1](https://www.rfc-editor.org/rfc/rfc6749#section-5.1); contract: Authentication 6
 */
export function tokensOf(
  { access_token: accessToken, refresh_token: refreshToken, expires_in }: TokenResponse,
  requestedAt: number,
): Pick<StoredTokens, 'accessToken' | 'refreshToken' | 'expiresAt'> {
  const expiresAt =
    expires_in === undefined ? undefined : Math.min(requestedAt + expires_in * 1000, maxInstant);
  return { accessToken, ...omitUndefined({ refreshToken, expiresAt }) };
}

/** The client credentials of the user's application. @see [RFC 6749 §2.3.1](https://www.rfc-editor.org/rfc/rfc6749#section-2.3.1) */
export interface Application {
  readonly clientId: string;
  readonly clientSecret: string;
}

type Grant = keyof typeof token.grants;
type Fields = Readonly<Record<string, string>>;

function formRequest(url: string, fields: Fields): HttpRequest {
  return {
    method: 'POST',
    url,
    headers: { 'Content-Type': 'application/x-www-form-urlencoded', Accept: 'application/json' },
    body: encodePairs(Object.entries(fields)),
  };
}

/**
 * Exchanges a code (RFC 6749 §4.1.3) or a refresh token (§6) for tokens. `url`: for a refresh, of the user's data centre. `values`: what
 * the grant needs besides its name and the application. Contract: Authentication 5 and 8.
 */
export function grantRequest(
  url: string,
  application: Application,
  grant: Grant,
  values: Fields,
): HttpRequest {
  const { clientId: client_id, clientSecret: client_secret } = application;
  return formRequest(url, { client_id, client_secret, grant_type: grant, ...values });
}

/** Exchanges a version 3 refresh token for version 4 tokens for one account. Contract: Authorization endpoints. */
export function convertRequest(url: string, refreshToken: string, accountId: string): HttpRequest {
  return formRequest(url, { refresh_token: refreshToken, accountId });
}

/** What the errors of one kind of token request mean to the user, and what to do. */
export interface TokenErrorHints {
  /** For `invalid_grant`: the service rejected the code or the refresh token. */
  readonly invalidGrant: { readonly message: string; readonly hint: Hint };
  readonly checkApplicationHint: string;
  readonly restartHint: Hint;
}

/** The service rejected the client id or the client secret, so the code or the refresh token was not used. */
export class RejectedApplication extends Failure {}

/**
 * Throws `sign_in_needed` for a 4xx except 429, with a hint from `hints`. `now`: milliseconds since 1970, for a Retry-After that is a date.
 * @see [RFC 6749 §5.1 and §5.2](https://www.rfc-editor.org/rfc/rfc6749#section-5.1)
 */
export function parseTokenResponse(response: HttpResponse, hints: TokenErrorHints, now: number) {
  const body = parseJsonObject(response);
  const errorCode = typeof body?.['error'] === 'string' ? body['error'] : undefined;
  const isSuccess = response.status >= 200 && response.status < 300;
  // Some services report errors with a status of 200.
  const isError = errorCode !== undefined && body?.['access_token'] === undefined;
  if (isSuccess && body && !isError)
    return replaceError(
      ValidationError,
      () => readLeniently(tokenResponse, body),
      // A validation error would quote the response, which holds tokens.
      () => new Failure('bad_response', { message: 'The token response contains no access token' }),
    );
  const description = typeof body?.['error_description'] === 'string' ? body['error_description'] : undefined;
  const { status } = response;
  const details = { why: description ?? errorCode, errorCode, httpStatus: status };
  if (errorCode === 'invalid_grant')
    throw new Failure('sign_in_needed', { ...details, ...hints.invalidGrant });
  if (errorCode === 'invalid_client' || errorCode === 'unauthorized_client' || status === 401)
    throw new RejectedApplication('sign_in_needed', {
      ...details,
      message: 'The service rejected the application’s client id or client secret',
      hint: hints.checkApplicationHint,
    });
  if (status >= 400 && status < 500 && status !== 429)
    throw new Failure('sign_in_needed', {
      ...details,
      message: `The token endpoint responded with ${status}`,
      hint: hints.restartHint,
    });
  if (isSuccess && isError)
    throw new Failure('bad_response', {
      ...details,
      message: 'The token response contains no access token',
      hint: hints.restartHint,
    });
  const failure = statusFailure(response);
  const waitMs = response.status === 429 ? retryAfterMs(response, now) : undefined;
  if (waitMs === undefined) throw failure;
  throw failure.with({ why: `the service asks for a wait of ${Math.ceil(waitMs / 1000)} s` });
}

/** A client must not use a token of a type that it does not know (RFC 6749 §7.1); `bearer`: RFC 6750 §4. Undefined if it is fine. */
export function unsupportedTokenType({ token_type: type }: TokenResponse): Failure | undefined {
  if (type === undefined || type.toLowerCase() === 'bearer') return undefined;
  return new Failure('bad_response', {
    message: `The service returned a token of type ${JSON.stringify(type)}, which wm cannot use`,
    why: 'wm can use bearer tokens only',
  });
}
