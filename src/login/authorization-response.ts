// What the consent page sends back: a code or an error, in the query of the redirect URI. It arrives at the callback
// server, or as a URL that the user pastes or pipes; both are parsed here.

import { accessDenied } from '#contract/service-error.ts';
import { isSameText } from '#contract/signature.ts';
import { Failure } from '#failure.ts';

/** @see [RFC 6749 §4.1.2](https://www.rfc-editor.org/rfc/rfc6749#section-4.1.2); contract: Authentication 4 */
export type AuthorizationResponse = { readonly code: string } | AuthorizationError;

/** @see [RFC 6749 §4.1.2.1](https://www.rfc-editor.org/rfc/rfc6749#section-4.1.2.1) */
interface AuthorizationError {
  readonly error: string;
  readonly description: string | undefined;
}

/** Compares `state` first, in constant time, and looks at nothing else unless it matches: it may be an attacker's (RFC 6749 §10.12). */
export function parseAuthorizationResponse(
  query: URLSearchParams,
  state: string,
): AuthorizationResponse | 'wrong state' | 'no code' {
  if (!isSameText(query.get('state') ?? '', state)) return 'wrong state';
  const error = query.get('error');
  if (error) return { error, description: query.get('error_description') ?? undefined };
  const code = query.get('code');
  return code ? { code } : 'no code';
}

/** Returns a string for the user if the text is not acceptable. */
export type ParseUrl = (text: string) => AuthorizationResponse | string;

/** A {@link ParseUrl} for the sign-in with this state. It quotes nothing of the text, which may hold a code. */
export function parsePastedUrl(text: string, state: string): AuthorizationResponse | string {
  const query = pastedQuery(text);
  if (query.has('code') && !query.has('state'))
    return 'This is only a part of the URL: state= is missing. Give all of it.';
  const response = query.has('state') ? parseAuthorizationResponse(query, state) : 'no code';
  if (response === 'wrong state')
    return 'This URL belongs to another sign-in. Give the URL that this sign-in led to.';
  if (response === 'no code')
    return 'This is not the URL that the browser landed on, which contains code= and state=.';
  return response;
}

/** Accepts a URL as people copy it: without its scheme, in quotes or angle brackets, broken by a line end, or only its query. */
function pastedQuery(text: string): URLSearchParams {
  const url = text
    .replace(/\s+/g, '')
    .replace(/^[<"'`“‘]+|[>"'`”’]+$/g, '')
    .replace(/#.*$/, '');
  return new URLSearchParams(url.slice(url.indexOf('?') + 1));
}

/** The failure for an error response (`sign_in_needed`). `restartCommand` starts the sign-in again. */
export function authorizationFailure({ error, description }: AuthorizationError, restartCommand: string) {
  const isDenied = error === accessDenied;
  return new Failure('sign_in_needed', {
    message: isDenied
      ? 'Access was denied on the consent page'
      : `The service rejected the sign-in: ${error}`,
    why: description,
    errorCode: error,
    hint: isDenied ? `Sign in again, and press Allow: ${restartCommand}` : `Start again: ${restartCommand}`,
  });
}
