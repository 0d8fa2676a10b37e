// The first step of the authorization code flow: the URL of the consent page, and the redirect URI that it leads back to.
// PKCE (RFC 7636) is not used: the contract's authorization request has no code_challenge (contract: Authentication 3).

import { encodePairs } from '#client/request.ts';
import { authorize, scopeList } from '#contract/authorization.ts';
import type { Scope } from '#contract/scope.ts';
import { usageError } from '#failure.ts';
import type { World } from '#world/world.ts';
import type { CallbackAddress } from './callback-server.ts';
import { isLoopbackHost } from './host.ts';
import type { Application } from './token-endpoint.ts';

export interface SignInSettings {
  /** An origin, and a path without a slash at its end. */
  readonly authUrl: string;
  readonly application: Application;
  readonly scopes: readonly Scope[] | undefined;
  /** The hosts that a token response may name: these domains and their subdomains. */
  readonly hostSuffixes: readonly string[];
  readonly hints: SignInHints;
}

/** Commands that work as printed, and other remedies for a failed sign-in. */
export interface SignInHints {
  readonly restartCommand: string;
  /** The same command, with one more allowed host. */
  commandAllowingHost(host: string): string;
  /** What to do if the service rejects the client id or the client secret. */
  readonly checkApplicationHint: string;
}

/** 256 random bits as base64url, which an attacker cannot guess. @see [RFC 6749 §10.12](https://www.rfc-editor.org/rfc/rfc6749#section-10.12) */
export function createState({ randomBytes }: Pick<World, 'randomBytes'>): string {
  return randomBytes(32).toString('base64url');
}

/**
 * The URL of the consent page.
 * @see [RFC 6749 §4.1.1](https://www.rfc-editor.org/rfc/rfc6749#section-4.1.1); contract: Authentication 3
 */
export function authorizeUrl(
  { authUrl, application, scopes }: Pick<SignInSettings, 'authUrl' | 'application' | 'scopes'>,
  redirectUri: string,
  state: string,
): string {
  const query = encodePairs([
    ['client_id', application.clientId],
    ['response_type', 'code'],
    ['redirect_uri', redirectUri],
    ['state', state],
    ...(scopes ? [['scope', scopeList.toWire(scopes)] as const] : []),
  ]);
  return `${authUrl}${authorize.path}?${query}`;
}

/** Where to listen (RFC 8252 §7.3): undefined for https, where the user pastes the URL. Throws `usage` for any other URI. */
export function callbackAddress(redirectUri: string): CallbackAddress | undefined {
  const url = URL.canParse(redirectUri) ? new URL(redirectUri) : undefined;
  if (url?.protocol === 'https:') return undefined;
  if (url?.protocol !== 'http:' || !isLoopbackHost(url.host))
    throw usageError(
      `--redirect-uri: ${redirectUri} is neither https nor loopback with a port`,
      'Give the URI that is registered with the application, such as https://example.com/callback or http://127.0.0.1:8400/callback.',
    );
  return { hostname: url.hostname, port: Number(url.port), path: url.pathname };
}

/** The value of WM_CALLBACK_PORT. @throws {Failure} `usage` for any other text than a port. */
export function parseCallbackPort(text: string): number {
  if (/^\d{1,5}$/.test(text) && Number(text) <= 65_535) return Number(text);
  throw usageError(
    `WM_CALLBACK_PORT: ${JSON.stringify(text)} is not a port`,
    'Set it to a number from 0 to 65535.',
  );
}
