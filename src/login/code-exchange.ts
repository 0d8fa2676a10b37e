// Exchanges the code for tokens, the second step of the authorization code flow. A code works once, so it is never retried.

import { failureFromFault } from '#client/request-failure.ts';
import { type TokenResponse, token } from '#contract/authorization.ts';
import { Failure } from '#failure.ts';
import type { World } from '#world/world.ts';
import type { SignInSettings } from './authorization-request.ts';
import { isAllowedHost, isHostName, isLoopbackHost, withSchemeOf } from './host.ts';
import { sendTokenRequest } from './send-token-request.ts';
import { grantRequest, parseTokenResponse, tokensOf, unsupportedTokenType } from './token-endpoint.ts';
import type { StoredTokens } from './token-store.ts';

interface CodeExchange {
  readonly code: string;
  /** The text of the authorization request. */
  readonly redirectUri: string;
  readonly timeoutMs: number;
  readonly trace?: ((line: string) => unknown) | undefined;
}

/**
 * Exchanges the code for tokens.
 * @see [RFC 6749 §4.1.3](https://www.rfc-editor.org/rfc/rfc6749#section-4.1.3); contract: Authentication 5 and 6
 * @throws {Failure} if the service returns no bearer token, or one for a host that is not allowed.
 */
export async function exchangeCode(
  world: Pick<World, 'http' | 'clock' | 'secrets'>,
  settings: SignInSettings,
  { code, redirectUri, timeoutMs, trace }: CodeExchange,
): Promise<StoredTokens> {
  const { authUrl, application, hints } = settings;
  world.secrets.add(code);
  world.secrets.addCredentials(application.clientSecret);
  const values = { code, redirect_uri: redirectUri };
  const request = grantRequest(authUrl + token.path, application, 'authorization_code', values);
  const sentAt = world.clock.now();
  const outcome = await sendTokenRequest(world, request, timeoutMs, trace);
  if ('fault' in outcome) {
    const failure = failureFromFault(outcome);
    throw failure.with({ hint: `${failure.hint}\nStart again: ${hints.restartCommand}` });
  }
  const response = parseTokenResponse(
    outcome,
    {
      invalidGrant: {
        message: 'The service rejected the authorization code',
        hint: `A code works once, within ten minutes. Start again: ${hints.restartCommand}`,
      },
      checkApplicationHint: hints.checkApplicationHint,
      restartHint: `Start again: ${hints.restartCommand}`,
    },
    world.clock.now(),
  );
  world.secrets.addCredentials(response.access_token, response.refresh_token);
  const unsupported = unsupportedTokenType(response);
  if (unsupported) throw unsupported;
  const host = validateHost(response, settings);
  return {
    generation: 1,
    ...tokensOf(response, sentAt),
    host,
    clientId: application.clientId,
    clientSecret: application.clientSecret,
  };
}

function validateHost({ host }: TokenResponse, { authUrl, hostSuffixes, hints }: SignInSettings): string {
  if (host === undefined)
    throw new Failure('bad_response', {
      message: 'The token response names no host',
      why: 'wm sends a token only to the host that came with it',
      hint: 'Check the authorization URL (--auth-url). For a permanent token, name the host: wm login --with-token --host api.example.com < token.txt',
    });
  if (isAllowedHost(host, authUrl, hostSuffixes)) return withSchemeOf(authUrl, host.toLowerCase());
  const isDomain = isHostName(host);
  throw new Failure('bad_response', {
    message: `The token is for the host ${JSON.stringify(host)}, which this sign-in does not allow`,
    why: isDomain
      ? hostSuffixes.length === 0
        ? 'it allows loopback hosts only'
        : `it allows ${hostSuffixes.join(', ')} and subdomains`
      : isLoopbackHost(host)
        ? 'a loopback host needs an authorization URL on loopback'
        : 'it is not a host name',
    hint: isDomain
      ? `If that host is right, allow it: ${hints.commandAllowingHost(host.toLowerCase())}`
      : 'Check the authorization URL (--auth-url): another server may have responded there.',
  });
}
