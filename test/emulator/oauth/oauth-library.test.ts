// An independent OAuth 2.0 client library (oauth4webapi) against the emulator: the complete flow, with credentials in the form and as
// HTTP Basic, refresh, denial, and a wrong code.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as oauth from 'oauth4webapi';
import { type Started, started } from '#test/support/service/start-emulator.ts';

const redirectUri = 'http://127.0.0.1:53682/callback';
// Plain http is for this machine alone.
const insecure = { [oauth.allowInsecureRequests]: true };

function server({ authUrl }: Started): oauth.AuthorizationServer {
  return {
    issuer: authUrl,
    authorization_endpoint: `${authUrl}/oauth2/authorize/v4`,
    token_endpoint: `${authUrl}/oauth2/token`,
  };
}

/** What the person at the browser does. Gives the address that they are sent back to. */
async function answered(url: URL, decision: 'allow' | 'deny'): Promise<URL> {
  const html = await (await fetch(url)).text();
  const ticket = /name="ticket" value="([^"]+)"/.exec(html)?.[1] ?? '';
  const back = await fetch(`${url.origin}/oauth2/authorize/v4`, {
    method: 'POST',
    redirect: 'manual',
    body: new URLSearchParams({ ticket, decision, user: 'KUAAADAQ' }),
  });
  return new URL(back.headers.get('location') ?? '');
}

function authorizeUrl({ authUrl, clientId }: Started, state: string): URL {
  const url = new URL(`${authUrl}/oauth2/authorize/v4`);
  url.search = new URLSearchParams({
    client_id: clientId,
    response_type: 'code',
    redirect_uri: redirectUri,
    scope: 'Default,amReadOnlyUser',
    state,
  }).toString();
  return url;
}

for (const [how, authentication] of [
  ['in the form', oauth.ClientSecretPost],
  ['as HTTP Basic', oauth.ClientSecretBasic],
] as const) {
  test(`oauth4webapi signs in, sends requests and refreshes, with its credentials ${how}`, async (t) => {
    const emulator = await started(t);
    const as = server(emulator);
    const client: oauth.Client = { client_id: emulator.clientId };
    const credentials = authentication(emulator.clientSecret);
    const state = oauth.generateRandomState();
    const back = await answered(authorizeUrl(emulator, state), 'allow');
    const parameters = oauth.validateAuthResponse(as, client, back, state);
    const response = await oauth.authorizationCodeGrantRequest(
      as,
      client,
      credentials,
      parameters,
      redirectUri,
      oauth.nopkce,
      insecure,
    );
    const tokens = await oauth.processAuthorizationCodeResponse(as, client, response);
    assert.equal(tokens.token_type, 'bearer');
    assert.equal(tokens.expires_in, 3600);
    assert.equal(tokens['host'], emulator.host);
    const account = await oauth.protectedResourceRequest(
      tokens.access_token,
      'GET',
      new URL(`${emulator.baseUrl}/account`),
      undefined,
      null,
      insecure,
    );
    assert.equal(account.status, 200);

    const refresh = tokens.refresh_token ?? '';
    const renewed = await oauth.processRefreshTokenResponse(
      as,
      client,
      await oauth.refreshTokenGrantRequest(as, client, credentials, refresh, insecure),
    );
    assert.notEqual(renewed.refresh_token, refresh);
    // The old one is worth nothing, and the library understands how it is told.
    await assert.rejects(
      oauth.processRefreshTokenResponse(
        as,
        client,
        await oauth.refreshTokenGrantRequest(as, client, credentials, refresh, insecure),
      ),
      (error) =>
        error instanceof oauth.ResponseBodyError && error.error === 'invalid_grant' && error.status === 400,
    );
  });
}

test('oauth4webapi understands a denial, a wrong code and a wrong secret', async (t) => {
  const emulator = await started(t);
  const as = server(emulator);
  const client: oauth.Client = { client_id: emulator.clientId };
  const denied = await answered(authorizeUrl(emulator, 's'), 'deny');
  assert.throws(
    () => oauth.validateAuthResponse(as, client, denied, 's'),
    (error) => error instanceof oauth.AuthorizationResponseError && error.error === 'access_denied',
  );
  const exchange = async (secret: string, authentication: typeof oauth.ClientSecretPost) => {
    const parameters = oauth.validateAuthResponse(
      as,
      client,
      new URL(`${redirectUri}?code=wrong&state=s`),
      's',
    );
    return oauth.processAuthorizationCodeResponse(
      as,
      client,
      await oauth.authorizationCodeGrantRequest(
        as,
        client,
        authentication(secret),
        parameters,
        redirectUri,
        oauth.nopkce,
        insecure,
      ),
    );
  };
  await assert.rejects(
    exchange(emulator.clientSecret, oauth.ClientSecretPost),
    (error) => error instanceof oauth.ResponseBodyError && error.error === 'invalid_grant',
  );
  await assert.rejects(
    exchange('not the secret', oauth.ClientSecretPost),
    (error) => error instanceof oauth.ResponseBodyError && error.error === 'invalid_client',
  );
  // RFC 6749 (5.2): a client that came with HTTP Basic is challenged for it.
  await assert.rejects(
    exchange('not the secret', oauth.ClientSecretBasic),
    (error) => error instanceof oauth.WWWAuthenticateChallengeError && error.status === 401,
  );
});
