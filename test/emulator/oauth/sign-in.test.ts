// Signing in over HTTP: the consent page, codes, tokens, refresh, version 3, data centres. The expectations come from the contract and
// RFC 6749.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { tokenResponse } from '#contract/authorization.ts';
import { control } from '#test/support/service/control.ts';
import { outcome, records, rowsOf, valuesOf } from '#test/support/service/records.ts';
import { send } from '#test/support/service/send.ts';
import { call, query, type Reply, type Started, started } from '#test/support/service/start-emulator.ts';
import { shows } from '../shows.ts';

const callback = 'http://127.0.0.1:53682/callback';
const two = {
  client_id: 'Tw0hX5nB',
  client_secret: 'Qm3LzYt8NcVx1RwKp6JgDf4HsAe0uTb9oIi7Z2rUxWyMvBnCkEjSqFhGlPaXs5d8',
};

function authorizeUrl(
  { authUrl, clientId }: Started,
  more: Record<string, string> = {},
  less: readonly string[] = [],
): string {
  const parameters: Record<string, string> = {
    client_id: clientId,
    response_type: 'code',
    redirect_uri: callback,
    state: 's t+1',
    ...more,
  };
  for (const name of less) delete parameters[name];
  return `${authUrl}/oauth2/authorize/v4?${query(parameters)}`;
}

const get = (url: string) => fetch(url, { redirect: 'manual' });

function ticketIn(html: string): string {
  const ticket = /name="ticket" value="([^"]+)"/.exec(html)?.[1];
  assert.ok(ticket);
  return ticket;
}

function answerPage(
  { authUrl }: Started,
  fields: Record<string, string>,
  headers: Record<string, string> = {},
) {
  return fetch(`${authUrl}/oauth2/authorize/v4`, {
    method: 'POST',
    redirect: 'manual',
    body: new URLSearchParams(fields),
    headers,
  });
}

async function consented(
  emulator: Started,
  more: Record<string, string> = {},
  less: readonly string[] = [],
  user = 'KUAAADAQ',
): Promise<URL> {
  const ticket = ticketIn(await (await get(authorizeUrl(emulator, more, less))).text());
  const response = await answerPage(emulator, { ticket, decision: 'allow', user });
  assert.equal(response.status, 303);
  return new URL(response.headers.get('location') ?? '');
}

async function postToken(
  base: string,
  fields: Record<string, string>,
  headers: Record<string, string> = {},
  path = '/oauth2/token',
) {
  const response = await send(`${base}${path}`, {
    method: 'POST',
    body: new URLSearchParams(fields),
    headers,
  });
  return { status: response.status, headers: response.headers, body: JSON.parse(response.text) };
}

async function exchange(emulator: Started, code: string | null, more: Record<string, string> = {}) {
  const { authUrl, clientId, clientSecret } = emulator;
  return postToken(authUrl, {
    client_id: clientId,
    client_secret: clientSecret,
    grant_type: 'authorization_code',
    code: code ?? '',
    redirect_uri: callback,
    ...more,
  });
}

async function signedIn(emulator: Started, more: Record<string, string> = {}, user = 'KUAAADAQ') {
  const back = await consented(emulator, more, [], user);
  const { status, body } = await exchange(emulator, back.searchParams.get('code'));
  assert.equal(status, 200);
  return body;
}

const renewWith = (
  { clientId, clientSecret }: Started,
  refresh_token: string,
  more: Record<string, string> = {},
) => ({
  client_id: clientId,
  client_secret: clientSecret,
  grant_type: 'refresh_token',
  refresh_token,
  ...more,
});

const accountStatus = async (base: string, token: string) =>
  (await fetch(`${base}/account`, { headers: { Authorization: `Bearer ${token}` } })).status;

const pageOf = async (...request: Parameters<typeof authorizeUrl>) =>
  (await get(authorizeUrl(...request))).text();
const ticketFor = async (...request: Parameters<typeof authorizeUrl>) => ticketIn(await pageOf(...request));
const renew = async (emulator: Started, token: string, more: Record<string, string> = {}, base?: string) => {
  const { status, body } = await postToken(base ?? emulator.authUrl, renewWith(emulator, token, more));
  return { status, error: body.error, body };
};

test('the consent page is a plain form without scripts, and cannot be framed', async (t) => {
  const emulator = await started(t);
  const response = await get(authorizeUrl(emulator, { scope: 'wsReadOnly,amReadOnlyUser' }));
  const html = await response.text();
  assert.equal(response.status, 200);
  assert.equal(response.headers.get('content-type'), 'text/html; charset=utf-8');
  assert.equal(response.headers.get('cache-control'), 'no-store');
  const policy = response.headers.get('content-security-policy') ?? '';
  for (const part of [
    /default-src 'none'/,
    /frame-ancestors 'none'/,
    /form-action 'self' http:\/\/127\.0\.0\.1:53682/,
  ])
    assert.match(policy, part);
  for (const part of [
    /<html lang="en">/,
    /<button[^>]*value="allow">Allow<\/button>/,
    /<button[^>]*value="deny">Deny<\/button>/,
    /wsReadOnly/,
    /amReadOnlyUser/,
    /Ada Fields/,
    /Ben Okafor/,
  ])
    assert.match(html, part);
  assert.doesNotMatch(html, /<script/);
});

test('the page escapes what comes from the request', async (t) => {
  const emulator = await started(t);
  const html = await pageOf(emulator, { redirect_uri: `${callback}?x="><script>alert(1)</script>` });
  assert.match(html, /&quot;&gt;&lt;script&gt;/);
  const error = await pageOf(emulator, { redirect_uri: `https://evil.example.com/<script>` });
  for (const page of [html, error]) assert.doesNotMatch(page, /<script/);
});

test('allowing redirects back with a code and the state', async (t) => {
  const emulator = await started(t);
  for (const [more, less, names] of [
    [{}, [], ['code', 'state']],
    [{}, ['state'], ['code']],
    [{ redirect_uri: `${callback}?a=1` }, [], ['a', 'code', 'state']],
  ] as const) {
    const back = await consented(emulator, more, [...less]);
    assert.equal(back.origin + back.pathname, callback);
    assert.deepEqual([...back.searchParams.keys()], names);
    assert.equal(back.searchParams.get('state'), names.at(-1) === 'state' ? 's t+1' : null);
  }
});

test('denying redirects back with access_denied, a description and the state', async (t) => {
  const emulator = await started(t);
  const denied = async (more: Record<string, string>) => {
    const fields = { ticket: await ticketFor(emulator, more), decision: 'deny', user: 'KUAAADAQ' };
    const { status, headers } = await answerPage(emulator, fields);
    assert.equal(status, 303);
    return headers.get('location');
  };
  const parameters = 'error=access_denied&error_description=The%20user%20denied%20access&state=';
  assert.equal(await denied({}), `${callback}?${parameters}s%20t%2B1`);
  // A callback that ends in a question mark gets them after it.
  assert.equal(await denied({ redirect_uri: `${callback}?`, state: 's' }), `${callback}?${parameters}s`);
});

test('a ticket works once, and for ten minutes', async (t) => {
  const emulator = await started(t);
  const statusOf = async (ticket: string) =>
    (await answerPage(emulator, { ticket, decision: 'allow', user: 'KUAAADAQ' })).status;
  const [ticket, late] = [await ticketFor(emulator), await ticketFor(emulator)];
  assert.deepEqual(
    [await statusOf(ticket), await statusOf(ticket), await statusOf('guessed')],
    [303, 400, 400],
  );
  emulator.clock.move(600_000);
  assert.equal(await statusOf(late), 400);
});

test('a wrong application or callback never gets a redirect', async (t) => {
  const emulator = await started(t);
  const client = { client_id: two.client_id };
  for (const [more, ...less] of [
    [{ client_id: 'Unknown1' }],
    [{}, 'client_id'],
    [{}, 'redirect_uri'],
    [{ redirect_uri: 'https://evil.example.com/callback' }],
    [{ redirect_uri: 'http://127.0.0.1.evil.example.com/callback' }],
    [{ redirect_uri: 'http://user@127.0.0.1:1/callback' }],
    [{ redirect_uri: 'not a url' }],
    [{ redirect_uri: `${callback}#fragment` }],
    [{ redirect_uri: 'http://127.0.0.1:1/\r\nSet-Cookie: x' }],
    [{ redirect_uri: 'http://127.0.0.1:1/\u4f60' }],
    [client],
    [client, 'redirect_uri'],
    [{ ...client, redirect_uri: 'https://app.example.com/oauth/callback/' }],
  ] as const) {
    const url = authorizeUrl(emulator, more, less);
    const response = await get(url);
    assert.equal(response.status, 400, url);
    assert.equal(response.headers.get('location'), null);
    assert.equal(assumed(response), 'authorization-errors');
    assert.equal(response.headers.get('content-type'), 'text/html; charset=utf-8');
    if (less[0] === 'redirect_uri') assert.match(await response.text(), /The redirect_uri is missing/);
  }
});

test('a wrong response_type or scope redirects to the application with an error', async (t) => {
  shows('authorization-errors', 'default');
  const emulator = await started(t);
  for (const [more, less, error] of [
    [{ response_type: 'token' }, [], 'unsupported_response_type'],
    [{}, ['response_type'], 'invalid_request'],
    [{ scope: 'wsFuture' }, [], 'invalid_scope'],
    [{ scope: 'wsReadOnly wsReadWrite' }, [], 'invalid_scope'],
  ] as const) {
    const response = await get(authorizeUrl(emulator, more, [...less]));
    assert.deepEqual([response.status, assumed(response)], [303, 'authorization-errors']);
    const back = new URL(response.headers.get('location') ?? '');
    assert.deepEqual([back.searchParams.get('error'), back.searchParams.get('state')], [error, 's t+1']);
  }
});

for (const mode of ['default', 'bare', 'strict'] as const) {
  test(`a scope outside the list is left out and reported, in ${mode} mode`, async (t) => {
    shows('unknown-scope', 'default', 'strict');
    const emulator = await started(t, { mode });
    const response = await get(authorizeUrl(emulator, { scope: 'wsReadOnly,wsFuture' }));
    if (mode === 'strict') {
      assert.deepEqual([response.status, assumed(response)], [303, 'unknown-scope']);
      const back = new URL(response.headers.get('location') ?? '');
      assert.equal(back.searchParams.get('error'), 'invalid_scope');
      const { refresh_token } = await signedIn(emulator, { scope: 'wsReadOnly' });
      const form = renewWith(emulator, refresh_token, { scope: 'wsFuture,wsReadOnly' });
      const { status, body } = await postToken(emulator.authUrl, form);
      assert.deepEqual(
        [status, body.error, body.error_description],
        [400, 'invalid_scope', 'The scope wsFuture was not granted'],
      );
      return;
    }
    assert.deepEqual([response.status, assumed(response)], [200, 'unknown-scope, loopback-redirect']);
    const warning = 'Scopes outside the list of the contract were left out: wsFuture';
    assert.equal(response.headers.get('emulator-warning'), warning);
    assert.match(await response.text(), /wsFuture/);
    const { access_token, refresh_token } = await signedIn(emulator, { scope: 'wsReadOnly,wsFuture' });
    assert.equal(await accountStatus(emulator.baseUrl, access_token), 200);
    const renewed = await postToken(
      emulator.authUrl,
      renewWith(emulator, refresh_token, { scope: 'wsFuture,wsReadOnly' }),
    );
    assert.deepEqual([renewed.status, assumed(renewed)?.split(', ').includes('unknown-scope')], [200, true]);
    assert.equal(renewed.headers.get('emulator-warning'), warning);
  });
}

const one = {
  client_id: 'On3vJ9sL',
  client_secret: 'Hs6DfGj2KlQw9ErTy4UiOp0AzXc7VbNm1Zx3CvBn5MqWe8RtYu6IoPa2SdFg4Hj1',
};

test('an application with one callback needs no redirect_uri, at either step', async (t) => {
  const emulator = await started(t);
  const only = 'https://one.example.com/oauth/callback';
  const back = await consented(emulator, { client_id: one.client_id }, ['redirect_uri']);
  assert.equal(back.origin + back.pathname, only);
  const form = { ...one, grant_type: 'authorization_code', code: back.searchParams.get('code') ?? '' };
  // The token request may also name the only one.
  const other = await postToken(emulator.authUrl, { ...form, redirect_uri: callback });
  const why = 'redirect_uri differs from the one in the authorization request';
  assert.deepEqual([other.status, other.body.error_description], [400, why]);
  assert.equal((await postToken(emulator.authUrl, form)).status, 200);
  const again = await consented(emulator, { client_id: one.client_id }, ['redirect_uri']);
  const named = await exchange(emulator, again.searchParams.get('code'), { ...one, redirect_uri: only });
  assert.equal(named.status, 200);
});

test('a code returns the five fields of a token response, and the access token works for an hour', async (t) => {
  const emulator = await started(t);
  const back = await consented(emulator);
  const { status, headers, body } = await exchange(emulator, back.searchParams.get('code'));
  assert.equal(status, 200);
  assert.equal(headers.get('cache-control'), 'no-store');
  assert.deepEqual(Object.keys(body), ['access_token', 'refresh_token', 'token_type', 'expires_in', 'host']);
  tokenResponse.validate(body);
  assert.deepEqual([body.token_type, body.expires_in, body.host], ['bearer', 3600, emulator.host]);
  assert.equal(await accountStatus(emulator.baseUrl, body.access_token), 200);
  emulator.clock.move(3_599_000);
  assert.equal(await accountStatus(emulator.baseUrl, body.access_token), 200);
  emulator.clock.move(1_000);
  assert.equal(await accountStatus(emulator.baseUrl, body.access_token), 401);
});

test('a code works once and for ten minutes; using it again revokes its tokens', async (t) => {
  const emulator = await started(t);
  const code = (await consented(emulator)).searchParams.get('code');
  const first = await exchange(emulator, code);
  const second = await exchange(emulator, code);
  assert.deepEqual([second.status, second.body.error], [400, 'invalid_grant']);
  assert.equal(await accountStatus(emulator.baseUrl, first.body.access_token), 401);
  const late = (await consented(emulator)).searchParams.get('code');
  emulator.clock.move(599_999);
  const inTime = (await consented(emulator)).searchParams.get('code');
  emulator.clock.move(1);
  assert.equal((await exchange(emulator, late)).body.error, 'invalid_grant');
  assert.equal((await exchange(emulator, inTime)).status, 200);
});

test('redirect_uri must match the authorize request', async (t) => {
  const emulator = await started(t);
  const code = (await consented(emulator)).searchParams.get('code');
  for (const [redirect_uri, status, error] of [
    [`${callback}2`, 400, 'invalid_grant'],
    ['', 400, 'invalid_request'],
    [callback, 200, undefined],
  ] as const) {
    const exchanged = await exchange(emulator, code, { redirect_uri });
    assert.deepEqual([exchanged.status, exchanged.body.error], [status, error]);
  }
});

test('the token endpoint returns errors as in RFC 6749', async (t) => {
  const emulator = await started(t);
  const { authUrl, clientId, clientSecret } = emulator;
  const form = { client_id: clientId, client_secret: clientSecret };
  const cases: [Record<string, string>, string][] = [
    [{ ...form, client_secret: 'wrong', grant_type: 'authorization_code', code: 'x' }, 'invalid_client'],
    [{ ...form, client_id: 'Unknown1', grant_type: 'authorization_code', code: 'x' }, 'invalid_client'],
    [{ ...form, grant_type: 'authorization_code', code: 'unknown' }, 'invalid_grant'],
    [{ ...form, grant_type: 'authorization_code' }, 'invalid_request'],
    [{ ...form, grant_type: 'refresh_token', refresh_token: 'unknown' }, 'invalid_grant'],
    [{ ...form, grant_type: 'refresh_token' }, 'invalid_request'],
    [{ ...form, grant_type: 'password' }, 'unsupported_grant_type'],
    [form, 'invalid_request'],
    [{ client_id: clientId, grant_type: 'refresh_token', refresh_token: 'x' }, 'invalid_request'],
  ];
  for (const [fields, error] of cases) {
    const { status, headers, body } = await postToken(authUrl, fields);
    assert.deepEqual([status, body.error], [400, error]);
    assert.deepEqual(Object.keys(body), ['error', 'error_description']);
    assert.equal(headers.get('cache-control'), 'no-store');
  }
  assert.equal((await fetch(`${authUrl}/oauth2/token`)).status, 405);
  const twice = await fetch(`${authUrl}/oauth2/token`, {
    method: 'POST',
    body: new URLSearchParams([
      ...Object.entries(form),
      ['grant_type', 'refresh_token'],
      ['grant_type', 'password'],
    ]),
  });
  assert.deepEqual(await twice.json(), {
    error: 'invalid_request',
    error_description: 'grant_type is given more than once',
  });
  const json = await fetch(`${authUrl}/oauth2/token`, {
    method: 'POST',
    body: '{}',
    headers: { 'Content-Type': 'application/json' },
  });
  assert.equal(json.status, 400);
  const inQuery = await fetch(`${authUrl}/oauth2/token?${query(form)}`, {
    method: 'POST',
    body: new URLSearchParams({ grant_type: 'refresh_token' }),
  });
  assert.equal(inQuery.status, 400);
});

test('the client may authenticate with HTTP Basic instead', async (t) => {
  const emulator = await started(t);
  const { authUrl, clientId, clientSecret } = emulator;
  const { refresh_token } = await signedIn(emulator);
  const basic = (secret: string) => ({
    Authorization: `Basic ${Buffer.from(`${clientId}:${secret}`).toString('base64')}`,
  });
  const fields = { grant_type: 'refresh_token', refresh_token };
  const wrong = await postToken(authUrl, fields, basic('wrong'));
  assert.deepEqual([wrong.status, wrong.body.error], [401, 'invalid_client']);
  assert.match(wrong.headers.get('www-authenticate') ?? '', /^Basic /);
  const both = await postToken(authUrl, { ...fields, client_secret: 'wrong' }, basic(clientSecret));
  assert.deepEqual([both.status, both.body.error], [400, 'invalid_request']);
  assert.equal((await postToken(authUrl, fields, basic(clientSecret))).status, 200);
});

test('a refresh token works once, and each use returns a new one', async (t) => {
  const emulator = await started(t);
  const first = await signedIn(emulator);
  const { status, body: second } = await renew(emulator, first.refresh_token);
  assert.equal(status, 200);
  assert.deepEqual(Object.keys(second), Object.keys(first));
  assert.notEqual(second.refresh_token, first.refresh_token);
  assert.notEqual(second.access_token, first.access_token);
  const again = await renew(emulator, first.refresh_token);
  assert.deepEqual([again.status, again.error], [400, 'invalid_grant']);
  // The reuse harms nobody.
  for (const { access_token } of [first, second])
    assert.equal(await accountStatus(emulator.baseUrl, access_token), 200);
  assert.equal((await renew(emulator, second.refresh_token)).status, 200);
});

test('in bare mode, a refresh response has no host', async (t) => {
  const emulator = await started(t, { mode: 'bare' });
  const { refresh_token, host } = await signedIn(emulator);
  assert.equal(host, emulator.host);
  const { body } = await renew(emulator, refresh_token);
  assert.deepEqual(Object.keys(body), ['access_token', 'refresh_token', 'token_type', 'expires_in']);
});

test('a refresh token works only for its application and its data centre', async (t) => {
  const emulator = await started(t);
  const { refresh_token, host } = await signedIn(emulator, {}, 'KUEUADAQ');
  const europe = emulator.dataCentres.find(({ name }) => name === 'EU');
  assert.equal(host, europe?.host);
  for (const [more, base, status, error] of [
    [two, europe?.authUrl, 400, 'invalid_grant'],
    [{}, emulator.authUrl, 400, 'invalid_grant'],
    [{}, europe?.authUrl, 200, undefined],
  ] as const) {
    const renewed = await renew(emulator, refresh_token, more, base);
    assert.deepEqual([renewed.status, renewed.error], [status, error]);
  }
});

test('a refresh may ask for fewer scopes, never for more', async (t) => {
  const emulator = await started(t);
  const { refresh_token } = await signedIn(emulator, { scope: 'wsReadOnly,amReadOnlyUser' });
  const more = await renew(emulator, refresh_token, { scope: 'wsReadWrite' });
  assert.deepEqual([more.status, more.error], [400, 'invalid_scope']);
  const fewer = await renew(emulator, refresh_token, { scope: 'amReadOnlyUser' });
  assert.equal(fewer.status, 200);
  const { status } = await call(emulator, 'GET', '/tasks', { token: fewer.body.access_token });
  assert.equal(status, 403);
});

test('a request without a suitable scope is forbidden; one such scope is enough', async (t) => {
  const emulator = await started(t);
  const put = `/tasks/${emulator.sampleTask}?title=x`;
  for (const [scope, method, path, isAllowed] of [
    ['wsReadOnly', 'GET', '/tasks', true],
    ['wsReadOnly', 'PUT', put, false],
    ['wsReadWrite', 'PUT', put, true],
    ['wsReadWrite', 'GET', '/tasks', true],
    ['amReadWriteUser,wsReadWrite', 'PUT', put, true],
    ['', 'PUT', put, true],
    ['', 'GET', '/workflows', true],
    ['amReadOnlyGroup', 'GET', '/tasks', false],
  ] as const) {
    const { access_token: token } = await signedIn(emulator, scope === '' ? {} : { scope });
    const expected = isAllowed ? [200, undefined] : [403, 'access_forbidden'];
    assert.deepEqual(await outcome(emulator, method, path, { token }), expected, `${scope} ${path}`);
  }
});

const version3 = 'rtkV3nWs8QzTx1KyLr5VcHj7DfGp2MbUe9OoIi4PaRk6YtNwBvCgFhSlJzEu0Xm';

test('accepts a bearer token (ignoring case of the scheme), or access_token in the query; anything else is the same 401', async (t) => {
  const { baseUrl, token, dataCentres } = await started(t);
  for (const authorization of [`Bearer ${token}`, `bearer ${token}`, `BEARER ${token}`]) {
    assert.equal(
      (await fetch(`${baseUrl}/account`, { headers: { Authorization: authorization } })).status,
      200,
    );
  }
  assert.equal((await fetch(`${baseUrl}/account?access_token=${token}`)).status, 200);
  const wrongCentre = dataCentres.find(({ name }) => name === 'EU')?.baseUrl ?? '';
  for (const [url, headers] of [
    [`${baseUrl}/account`, {}],
    [`${baseUrl}/account`, { Authorization: 'Bearer nonsense' }],
    [`${baseUrl}/account`, { Authorization: `Basic ${token}` }],
    [`${baseUrl}/account`, { Authorization: token }],
    [`${baseUrl}/account?access_token=nonsense`, {}],
    [`${wrongCentre}/account`, { Authorization: `Bearer ${token}` }],
    // Of version 3.
    [`${baseUrl}/account`, { Authorization: `Bearer ${version3}` }],
  ] as const) {
    const response = await fetch(url, { headers });
    const isVersion3 = 'Authorization' in headers && headers.Authorization.includes(version3);
    assert.deepEqual(
      [response.status, assumed(response)],
      [401, isVersion3 ? 'v3-token' : 'unauthorized-body'],
    );
    assert.equal(
      await response.text(),
      '{"errorDescription":"Access token is unknown or invalid","error":"not_authorized"}',
    );
  }
});

test('a version 3 refresh token can be converted, for its own account', async (t) => {
  const emulator = await started(t);
  const convert = async (fields: Record<string, string>) => {
    const { status, body } = await postToken(emulator.authUrl, fields, {}, '/oauth2/convert_v3_token');
    return { status, error: body.error, body };
  };
  const own = { refresh_token: version3, accountId: 'IEAAAAAQ' };
  assert.equal(await accountStatus(emulator.baseUrl, version3), 401);
  assert.equal((await convert({ ...own, accountId: 'IEAAEUAQ' })).status, 400);
  assert.equal((await convert({ refresh_token: version3 })).error, 'invalid_request');
  assert.equal((await convert({ ...own, refresh_token: 'x' })).error, 'invalid_grant');
  const { status, body } = await convert(own);
  assert.equal(status, 200);
  tokenResponse.validate(body);
  assert.equal(await accountStatus(emulator.baseUrl, body.access_token), 200);
  assert.equal((await renew(emulator, body.refresh_token)).status, 200);
  // For a day after the first conversion; the second does not prolong it.
  emulator.clock.move(86_399_999);
  assert.equal((await convert(own)).status, 200);
  emulator.clock.move(1);
  assert.equal((await convert(own)).status, 400);
});

test('denying needs no selected account; allowing does', async (t) => {
  const emulator = await started(t);
  const ticket = await ticketFor(emulator);
  const allowed = await answerPage(emulator, { ticket, decision: 'allow' });
  assert.equal(allowed.status, 400);
  assert.match(await allowed.text(), /No account was chosen/);
  const denied = await answerPage(emulator, { ticket, decision: 'deny' });
  assert.equal(denied.status, 303);
  assert.match(denied.headers.get('location') ?? '', /error=access_denied/);
});

test('the audit log records allowing, but not denying', async (t) => {
  const emulator = await started(t);
  const granted = async () => {
    const log = await records(emulator, 'GET', '/audit_log');
    const entries = log.filter(({ operation }) => operation === 'OAuthAccessGranted');
    return rowsOf(entries, 'userId', 'objectId');
  };
  await answerPage(emulator, { ticket: await ticketFor(emulator), decision: 'deny' });
  assert.deepEqual(await granted(), []);
  await consented(emulator);
  assert.deepEqual(await granted(), [['KUAAADAQ', emulator.clientId]]);
});

test('a consent page that cannot be shown or submitted gives the reason', async (t) => {
  const emulator = await started(t);
  const url = `${emulator.authUrl}/oauth2/authorize/v4`;
  const ticket = ticketIn(await (await get(authorizeUrl(emulator))).text());
  const form = (fields: Record<string, string>) => ({ method: 'POST', body: new URLSearchParams(fields) });
  for (const [target, init, why] of [
    [`${authorizeUrl(emulator)}&state=b`, {}, 'The parameter state is given more than once.'],
    [`${url}?client_id=%ff`, {}, '%ff is not valid percent-encoded UTF-8'],
    [url, { method: 'POST', body: '{}' }, 'The request is not a submitted form.'],
    [
      url,
      form({ decision: 'allow', user: 'KUAADAQ' }),
      'This page has expired or was already submitted. Start signing in again.',
    ],
    [url, form({ ticket, user: 'KUAAADAQ' }), 'The form contains neither Allow nor Deny.'],
    [url, form({ ticket, user: 'KUAAADAQ', decision: 'later' }), 'The form contains neither Allow nor Deny.'],
  ] as const) {
    const page = await fetch(target, { ...init, redirect: 'manual' });
    assert.equal(page.status, 400, why);
    assert.ok((await page.text()).includes(`<p>${why}</p>`), why);
  }
  const put = await fetch(url, { method: 'PUT' });
  assert.deepEqual([put.status, put.headers.get('allow')], [405, 'GET, POST']);
  assert.match(await put.text(), /This page accepts only GET and POST\./);
  const options = await fetch(url, { method: 'OPTIONS' });
  assert.deepEqual([options.status, options.headers.get('allow')], [204, 'OPTIONS, GET, POST']);
});

test('an unreadable form or Basic header is an error with the reason', async (t) => {
  const emulator = await started(t);
  const { authUrl, clientId, clientSecret } = emulator;
  const url = `${authUrl}/oauth2/token`;
  const encoded = (text: string) => `Basic ${Buffer.from(text).toString('base64')}`;
  const type = { 'Content-Type': 'application/x-www-form-urlencoded' };
  const form = 'application/x-www-form-urlencoded';
  for (const [init, status, error, why] of [
    [{ body: Buffer.from('a=b') }, 400, 'invalid_request', `The Content-Type is missing; it must be ${form}`],
    [
      { body: '{}', headers: { 'Content-Type': 'Text/JSON; charset=utf-8' } },
      400,
      'invalid_request',
      `The Content-Type is text/json; it must be ${form}`,
    ],
    [{ body: 'code=%ff', headers: type }, 400, 'invalid_request', '%ff is not valid percent-encoded UTF-8'],
    [
      { headers: { ...type, Authorization: 'Bearer x' } },
      401,
      'invalid_client',
      'The Authorization header is not HTTP Basic',
    ],
    [
      { headers: { ...type, Authorization: encoded('no colon') } },
      401,
      'invalid_client',
      'The Authorization header is not HTTP Basic',
    ],
    [
      { headers: { ...type, Authorization: encoded('%ff:x') } },
      401,
      'invalid_client',
      'The Authorization header is not valid percent-encoding',
    ],
    [
      {
        body: 'client_id=other',
        headers: { ...type, Authorization: encoded(`${clientId}:${clientSecret}`) },
      },
      400,
      'invalid_request',
      'client_id differs from the one in the Authorization header',
    ],
  ] as const) {
    const response = await fetch(url, { method: 'POST', ...init });
    const body = JSON.parse(await response.text());
    assert.deepEqual([response.status, body], [status, { error, error_description: why }], why);
  }
  const { refresh_token } = await signedIn(emulator);
  const fields = { grant_type: 'refresh_token', refresh_token, client_id: clientId };
  const same = await postToken(authUrl, fields, { Authorization: encoded(`${clientId}:${clientSecret}`) });
  assert.equal(same.status, 200);
});

const assumed = ({ headers }: Pick<Reply, 'headers'>) => headers.get('emulator-assumption');

test('the default scope is wsReadWrite and amReadOnlyWorkflow, when refreshing and when reading', async (t) => {
  const emulator = await started(t);
  const status = (token: string, path: string) =>
    call(emulator, 'GET', path, { token }).then((response) => response.status);
  let { refresh_token } = await signedIn(emulator);
  for (const [scope, tasks, workflows] of [
    ['wsReadWrite', 200, 200],
    ['wsReadOnly', 200, 200],
    ['amReadOnlyWorkflow', 403, 200],
    ['wsReadWrite,amReadOnlyWorkflow', 200, 200],
    ['Default', 200, 200],
  ] as const) {
    const { body } = await postToken(emulator.authUrl, renewWith(emulator, refresh_token, { scope }));
    assert.deepEqual(
      [await status(body.access_token, '/tasks'), await status(body.access_token, '/workflows')],
      [tasks, workflows],
      scope,
    );
    ({ refresh_token } = body);
  }
  for (const scope of ['amReadOnlyInvitation', 'amReadWriteWorkflow', 'amReadOnlyUser', 'wsFuture']) {
    const more = await postToken(emulator.authUrl, renewWith(emulator, refresh_token, { scope }));
    assert.deepEqual([more.status, more.body.error], [400, 'invalid_scope'], scope);
    assert.equal(assumed(more), 'token-endpoint-errors, refresh-scope');
  }
  // Whoever has both parts has the default scope too, and whoever has only one has not.
  const parts = await signedIn(emulator, { scope: 'wsReadWrite,amReadOnlyWorkflow' });
  const asDefault = renewWith(emulator, parts.refresh_token, { scope: 'Default' });
  assert.equal((await postToken(emulator.authUrl, asDefault)).status, 200);
  const part = await signedIn(emulator, { scope: 'wsReadWrite' });
  const tooMuch = renewWith(emulator, part.refresh_token, { scope: 'Default' });
  assert.equal((await postToken(emulator.authUrl, tooMuch)).status, 400);
});

for (const mode of ['default', 'bare', 'strict'] as const) {
  test(`the token endpoint reports what it accepts beyond the contract, in ${mode} mode`, async (t) => {
    shows('token-query', 'default', 'strict');
    shows('both-credentials', 'strict');
    const emulator = await started(t, { mode });
    const { authUrl, clientId, clientSecret } = emulator;
    let { refresh_token } = await signedIn(emulator);
    const basic = (id: string) => ({
      Authorization: `Basic ${Buffer.from(`${id}:${clientSecret}`).toString('base64')}`,
    });
    const renew = async (fields: Record<string, string>, headers: Record<string, string> = {}) => {
      const response = await postToken(
        authUrl,
        { grant_type: 'refresh_token', refresh_token, ...fields },
        headers,
      );
      refresh_token = response.body.refresh_token ?? refresh_token;
      const rows = assumed(response)?.split(', ') ?? [];
      const usual = [
        'token-endpoint-errors',
        'refresh-response',
        'refresh-host',
        'access-token-after-refresh',
      ];
      return [response.status, ...rows.filter((row) => !usual.includes(row))];
    };
    const client = { client_id: clientId, client_secret: clientSecret };
    const beyond = mode === 'strict' ? 400 : 200;
    assert.deepEqual(await renew(client), [200]);
    assert.deepEqual(await renew({}, basic(clientId)), [beyond, 'basic-credentials']);
    assert.deepEqual(await renew(client, basic(clientId)), [beyond, 'both-credentials']);
    assert.deepEqual(await renew({ ...client, client_secret: 'other' }, basic(clientId)), [
      400,
      'both-credentials',
    ]);
    assert.deepEqual(await renew({ client_id: 'other' }, basic(clientId)), [
      400,
      mode === 'strict' ? 'basic-credentials' : 'both-credentials',
    ]);
    const inQuery = new URLSearchParams({ grant_type: 'refresh_token', refresh_token, ...client });
    const response = await fetch(`${authUrl}/oauth2//token?${inQuery}`, { method: 'POST' });
    const rows = assumed(response)?.split(', ') ?? [];
    assert.equal(response.status, beyond);
    assert.ok(rows.includes(mode === 'strict' ? 'double-slash' : 'token-query'), rows.join());
    if (mode === 'strict') {
      const plain = await fetch(`${authUrl}/oauth2/token?${inQuery}`, { method: 'POST' });
      assert.deepEqual([plain.status, assumed(plain)], [400, 'token-endpoint-errors, token-query']);
    } else {
      ({ refresh_token } = JSON.parse(await response.text()));
    }
    const twice = new URLSearchParams({ grant_type: 'refresh_token' });
    const repeated = await fetch(`${authUrl}/oauth2/token?${twice}`, { method: 'POST', body: twice });
    assert.deepEqual(
      [repeated.status, assumed(repeated)],
      [400, `token-endpoint-errors, ${mode === 'strict' ? 'token-query' : 'repeated-parameter'}`],
    );
    assert.deepEqual(await renew({ ...client, code_verifier: 'wrong' }), [beyond, 'pkce']);
    assert.deepEqual(await renew({ ...client, colour: 'red' }), [beyond, 'unknown-token-parameter']);
    assert.deepEqual(await renew({ ...client, scope: '' }), [200, 'empty-token-parameter']);
  });
}

test('accepts a wrong PKCE verifier by default: the contract has no challenge', async (t) => {
  const emulator = await started(t);
  const challenge = { code_challenge: 'abc', code_challenge_method: 'S256' };
  const back = await consented(emulator, challenge);
  const tokens = await exchange(emulator, back.searchParams.get('code'), { code_verifier: 'wrong' });
  assert.deepEqual([tokens.status, assumed(tokens)], [200, 'pkce']);
  assert.equal(tokens.headers.get('emulator-ignored-parameters'), 'code_verifier');
});

test('a deactivated user is an inactive contact, is not on the consent page, and cannot sign in', async (t) => {
  const emulator = await started(t);
  const back = await consented(emulator, {}, [], 'KUAABENQ');
  const { refresh_token, access_token } = await signedIn(emulator, {}, 'KUAABENQ');
  const page = async () => (await get(authorizeUrl(emulator))).text();
  assert.match(await page(), /KUAABENQ/);
  const post = (path: string, body: unknown) =>
    fetch(`${emulator.controlUrl}${path}`, { method: 'POST', body: JSON.stringify(body) });
  await post('/revocations', { cause: 'user-deactivated', token: emulator.tokens.ben });
  const shown = await page();
  assert.doesNotMatch(shown, /KUAABENQ/);
  const chosen = await answerPage(emulator, { ticket: ticketIn(shown), decision: 'allow', user: 'KUAABENQ' });
  assert.equal(chosen.status, 400);
  assert.equal(await accountStatus(emulator.baseUrl, access_token), 401);
  assert.equal((await postToken(emulator.authUrl, renewWith(emulator, refresh_token))).status, 400);
  const late = await exchange(emulator, back.searchParams.get('code'));
  assert.deepEqual([late.status, late.body.error], [400, 'invalid_grant']);
  assert.equal(assumed(late), 'token-endpoint-errors, inactive-user');
  const contacts = async (filter: string) =>
    valuesOf(await records(emulator, 'GET', `/contacts?${filter}`), 'id');
  assert.deepEqual(await contacts('active=false'), ['KUAABENQ']);
  assert.ok(!(await contacts('active=true')).includes('KUAABENQ'));
  const [ben] = await records(emulator, 'GET', '/contacts/KUAABENQ');
  assert.deepEqual([ben.deleted, ben.profiles[0].active], [false, false]);
  await post('/users/KUAABENQ', { active: true });
  assert.match(await page(), /KUAABENQ/);
});

test('without a user who can sign in, the consent page says so and offers nothing', async (t) => {
  const emulator = await started(t);
  const { users } = await control(emulator, 'GET', '/users');
  for (const { id } of users) await control(emulator, 'POST', `/users/${id}`, { active: false });
  const page = await get(authorizeUrl(emulator));
  assert.equal(page.status, 400);
  const text = await page.text();
  assert.match(text, /No user of this emulator can sign in/);
  assert.match(text, /wm emulator reset/);
  assert.doesNotMatch(text, /<button/);
});
