// The second half of the authorization-code flow: the code becomes tokens. A code is good for one use and ten minutes,
// so it is sent once.

import { failureFromFault } from '../client/request-failure.ts';
import { type TokenResponse, token } from '../contract/authorization.ts';
import { Failure } from '../failure.ts';
import type { World } from '../world/world.ts';
import type { SignInSettings } from './authorization-request.ts';
import { isAllowedHost, isHostName, isLoopbackHost, withSchemeOf } from './host.ts';
import { exchangeRequest, parseTokenResponse, tokenExpiry, unsupportedTokenType } from './token-endpoint.ts';
import type { StoredTokens } from './token-store.ts';

/** Of a token response, in bytes. */
const maxResponseBytes = 1024 * 1024;

/**
 * Sends the code. `redirectUri` is the one of the authorize request, to the letter.
 * @throws {Failure} where there are no tokens, or where they are for a host that this sign-in may not lead to.
 */
export async function exchangeCode(
  world: Pick<World, 'http' | 'clock' | 'secrets'>,
  settings: SignInSettings,
  {
    code,
    redirectUri,
    timeoutMs,
  }: { readonly code: string; readonly redirectUri: string; readonly timeoutMs: number },
): Promise<StoredTokens> {
  const { authUrl, application, hints } = settings;
  world.secrets.add(code, application.clientSecret);
  const request = exchangeRequest(authUrl + token.path, application, code, redirectUri);
  const sentAt = world.clock.now();
  const outcome = await world.http.send(request, { timeoutMs, maxBytes: maxResponseBytes });
  if ('fault' in outcome) {
    const failure = failureFromFault(outcome);
    throw failure.withHint(`${failure.hint}\nBegin again: ${hints.restartCommand}`);
  }
  const got = parseTokenResponse(
    outcome,
    {
      invalidGrant: {
        what: 'The service did not accept the code of this sign-in',
        hint: `A code is good for one use, within ten minutes. Begin again: ${hints.restartCommand}`,
      },
      checkApplicationHint: hints.checkApplicationHint,
      restartHint: `Begin again: ${hints.restartCommand}`,
    },
    world.clock.now(),
  );
  world.secrets.add(got.access_token, got.refresh_token);
  const wrongType = unsupportedTokenType(got);
  if (wrongType) throw wrongType;
  const host = validateHost(got, settings);
  return {
    generation: 1,
    accessToken: got.access_token,
    ...(got.refresh_token === undefined ? {} : { refreshToken: got.refresh_token }),
    ...tokenExpiry(got, sentAt),
    host,
    clientId: application.clientId,
    clientSecret: application.clientSecret,
  };
}

function validateHost({ host }: TokenResponse, { authUrl, hostSuffixes, hints }: SignInSettings): string {
  if (host === undefined) {
    throw new Failure('bad_response', {
      message: 'The token response names no host',
      why: 'the host says where the token is good, and wm sends it nowhere else',
      hint: 'Check the authorization URL (--auth-url). A permanent token comes without a host: wm login --with-token --host api.example.com < token.txt',
    });
  }
  if (isAllowedHost(host, authUrl, hostSuffixes)) return withSchemeOf(authUrl, host.toLowerCase());
  throw new Failure('bad_response', {
    message: `The token is for the host ${JSON.stringify(host)}, which this sign-in may not lead to`,
    why: isHostName(host)
      ? `allowed are ${hostSuffixes.join(', ') || 'loopback hosts'} and what ends in them`
      : isLoopbackHost(host)
        ? 'only an authorization URL on loopback may lead to loopback'
        : 'it is not a host name',
    hint: isHostName(host)
      ? `If that host is right, allow it: ${hints.commandAllowingHost(host.toLowerCase())}`
      : 'Check the authorization URL (--auth-url): another server may have responded there.',
  });
}
