// The first half of the authorization-code flow: the URL of the consent page, and the address that the browser lands on
// afterwards, however it comes back (callback, paste, pipe).

import { randomBytes } from 'node:crypto';
import { percentEncode } from '../client/request.ts';
import { authorize, scopeList } from '../contract/authorization.ts';
import type { Scope } from '../contract/scope.ts';
import { accessDenied } from '../contract/service-error.ts';
import { Failure, usageError } from '../failure.ts';
import {
  type AuthorizationResponse,
  type CallbackAddress,
  parseAuthorizationResponse,
} from './callback-server.ts';
import { isLoopbackHost } from './host.ts';
import type { Application } from './token-endpoint.ts';

/** What a sign-in is made with, from the consent page to the tokens. */
export interface SignInSettings {
  readonly authUrl: string;
  readonly application: Application;
  readonly scopes: readonly Scope[] | undefined;
  /** What a token response may name: host names, and what ends in them. */
  readonly hostSuffixes: readonly string[];
  readonly hints: SignInHints;
}

/** Command lines that work as they are printed, and what else helps after a failure. */
export interface SignInHints {
  /** The command that begins this sign-in again. */
  readonly restartCommand: string;
  /** The same, with one more host that the sign-in may lead to. */
  commandAllowingHost(host: string): string;
  /** After the client id or the client secret was rejected. */
  readonly checkApplicationHint: string;
}

/** 256 random bits, in text that a URL takes as it is. */
export function createState(): string {
  return randomBytes(32).toString('base64url');
}

/** @see [RFC 6749 §4.1.1] */
export function authorizeUrl(
  { authUrl, application, scopes }: Pick<SignInSettings, 'authUrl' | 'application' | 'scopes'>,
  redirectUri: string,
  state: string,
): string {
  const query: Record<string, string> = {
    client_id: application.clientId,
    response_type: 'code',
    redirect_uri: redirectUri,
    state,
    ...(scopes ? { scope: scopeList.toWire(scopes) } : {}),
  };
  const pairs = Object.entries(query).map(
    ([name, value]) => `${percentEncode(name)}=${percentEncode(value)}`,
  );
  return `${authUrl}${authorize.path}?${pairs.join('&')}`;
}

/**
 * Where to listen for a registered callback; nothing for https, where the landing URL is pasted. Throws a usage failure
 * for what is neither.
 */
export function callbackAddress(redirectUri: string): CallbackAddress | undefined {
  const url = URL.canParse(redirectUri) ? new URL(redirectUri) : undefined;
  if (url?.protocol === 'https:') return undefined;
  if (url?.protocol !== 'http:' || !isLoopbackHost(url.host)) {
    throw usageError(
      `--redirect-uri: ${redirectUri} is neither https nor loopback with a port`,
      'As in https://example.com/callback or http://127.0.0.1:8400/callback, as it is registered with the application.',
    );
  }
  return { hostname: url.hostname, port: Number(url.port), path: url.pathname };
}

/** The landing URL that a person pasted or piped, or what is wrong with it, without a word of it. */
export function parsePastedUrl(text: string, state: string): AuthorizationResponse | string {
  const trimmed = text.trim();
  const landing = URL.canParse(trimmed)
    ? parseAuthorizationResponse(new URL(trimmed).searchParams, state)
    : 'no code';
  if (landing === 'wrong state')
    return 'That is the address of another sign-in. Give the one that this sign-in led to.';
  if (landing === 'no code') return 'That is not the address you landed on, which contains code= and state=.';
  return landing;
}

/** The consent page sent the browser back with an error. */
export function authorizationFailure(
  landing: { readonly error: string; readonly description: string | undefined },
  again: string,
) {
  const { error, description } = landing;
  const wasDenied = error === accessDenied;
  return new Failure('sign_in_needed', {
    message: wasDenied
      ? 'Access was denied on the consent page'
      : `The service did not sign you in: ${error}`,
    why: description,
    errorCode: error,
    hint: wasDenied ? `To allow it, press Allow: ${again}` : `Begin again: ${again}`,
  });
}
