// The token endpoint: each request built, each answer read. Pure, so that what is sent and believed can be seen in one
// place.

import { percentEncode } from '../client/request.ts';
import { parseJsonObject, responseFailure } from '../client/response.ts';
import { retryAfterMs } from '../client/retry.ts';
import { type TokenResponse, tokenResponse } from '../contract/authorization.ts';
import { readLeniently, ValidationError } from '../contract/schema.ts';
import { Failure } from '../failure.ts';
import type { HttpRequest, HttpResponse } from '../world/world.ts';

/** The last instant that a date can be. A token said to live longer lives until then. */
const maxInstant = 8_640_000_000_000_000;

/** When a token ends that was asked for at `asked`; nothing where the answer does not say. */
export function tokenExpiry({ expires_in }: TokenResponse, asked: number): { readonly expiresAt?: number } {
  return expires_in === undefined ? {} : { expiresAt: Math.min(asked + expires_in * 1000, maxInstant) };
}

export interface Application {
  readonly clientId: string;
  readonly clientSecret: string;
}

function formRequest(url: string, fields: Readonly<Record<string, string>>): HttpRequest {
  return {
    method: 'POST',
    url,
    headers: { 'Content-Type': 'application/x-www-form-urlencoded', Accept: 'application/json' },
    body: Object.entries(fields)
      .map(([name, value]) => `${percentEncode(name)}=${percentEncode(value)}`)
      .join('&'),
  };
}

/** `redirectUri` is the one of the authorize request, to the letter. */
export function exchangeRequest(
  url: string,
  application: Application,
  code: string,
  redirectUri: string,
): HttpRequest {
  return formRequest(url, {
    client_id: application.clientId,
    client_secret: application.clientSecret,
    grant_type: 'authorization_code',
    code,
    redirect_uri: redirectUri,
  });
}

export function refreshRequest(url: string, application: Application, refreshToken: string): HttpRequest {
  return formRequest(url, {
    client_id: application.clientId,
    client_secret: application.clientSecret,
    grant_type: 'refresh_token',
    refresh_token: refreshToken,
  });
}

/** A version 3 refresh token for tokens of version 4, for one account. */
export function convertRequest(url: string, refreshToken: string, accountId: string): HttpRequest {
  return formRequest(url, { refresh_token: refreshToken, accountId });
}

/** What a failure of one kind of token request means to the person, and what to do about it. */
export interface TokenErrorHints {
  /** What the service did not accept: a code, a refresh token. */
  readonly invalidGrant: { readonly what: string; readonly hint: string };
  /** After the client id or the client secret was rejected. */
  readonly checkApplicationHint: string;
  /** After anything else. */
  readonly restartHint: string;
}

/**
 * Reads the response of the token endpoint. `now`: milliseconds since 1970, for a Retry-After that is a date.
 * @see [RFC 6749 §5.2] for the error codes.
 * @throws {Failure} that says what the response means for the sign-in; `help` says what to do about it.
 */
export function parseTokenResponse(answer: HttpResponse, help: TokenErrorHints, now: number): TokenResponse {
  const body = parseJsonObject(answer);
  if (answer.status >= 200 && answer.status < 300 && body) {
    try {
      return readLeniently(tokenResponse, body);
    } catch (error) {
      if (!(error instanceof ValidationError)) throw error;
      // The refusal would show the answer, and the answer holds tokens.
      throw new Failure('bad_response', { message: 'The token endpoint responded without an access token' });
    }
  }
  const word = typeof body?.['error'] === 'string' ? body['error'] : undefined;
  const says = typeof body?.['error_description'] === 'string' ? body['error_description'] : undefined;
  if (word === 'invalid_grant') {
    return throwSignInNeeded(answer, word, says, help.invalidGrant.what, help.invalidGrant.hint);
  }
  if (word === 'invalid_client' || word === 'unauthorized_client' || answer.status === 401) {
    return throwSignInNeeded(
      answer,
      word,
      says,
      'The service does not accept the application',
      help.checkApplicationHint,
    );
  }
  if (answer.status >= 400 && answer.status < 500 && answer.status !== 429) {
    return throwSignInNeeded(
      answer,
      word,
      says,
      `The token endpoint responded with ${answer.status}`,
      help.restartHint,
    );
  }
  const failure = responseFailure(answer);
  const waitMs = answer.status === 429 ? retryAfterMs(answer, now) : undefined;
  if (waitMs === undefined) throw failure;
  const { code, message: what, hint, errorCode: ownWord, httpStatus } = failure;
  const why = `the service asks to wait ${Math.ceil(waitMs / 1000)} s`;
  throw new Failure(code, { message: what, why, hint, errorCode: ownWord, httpStatus });
}

/**
 * Nothing where the token can be used: a bearer token, or one of a type that the response leaves out.
 * @see [RFC 6749 §7.1]: a client must not use a token of a type that it does not understand.
 */
export function unsupportedTokenType({ token_type: type }: TokenResponse): Failure | undefined {
  if (type === undefined || type.toLowerCase() === 'bearer') return undefined;
  return new Failure('bad_response', {
    message: `The service returned a token of the type ${JSON.stringify(type)}, which wm cannot use`,
    why: 'wm can use bearer tokens only',
  });
}

function throwSignInNeeded(
  answer: HttpResponse,
  word: string | undefined,
  says: string | undefined,
  what: string,
  hint: string,
): never {
  throw new Failure('sign_in_needed', {
    message: what,
    why: says ?? word,
    hint,
    errorCode: word,
    httpStatus: answer.status,
  });
}
