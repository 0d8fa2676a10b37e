// A sign-in that goes well, held against literals: the address of the consent page, the exchange, what is kept, and the
// page that the browser lands on.

import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { stat } from 'node:fs/promises';
import { createServer } from 'node:net';
import { networkInterfaces } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { json, secrets, tokens } from '#test/support/service/auth-service.ts';
import { freePort } from '#test/support/service/free-port.ts';
import { backTo, visit } from '#test/support/sign-in/person.ts';
import { personForEach, serviceForAll } from '#test/support/sign-in/stage.ts';

const hasIpv6 = Object.values(networkInterfaces())
  .flat()
  .some((entry) => entry?.address === '::1');
const service = await serviceForAll();
const other = await serviceForAll();
const person = personForEach();

test('opens the consent page with these parameters, in this order', async () => {
  await person.login(service);
  assert.match(person.consent?.search ?? '', /&state=[\w-]{43}$/);
  const state = person.consent?.searchParams.get('state') ?? '';
  const ran = await person.login(service, '--scope', 'Default,wsReadOnly');
  const [address, query] = person.consent?.href.split('?') ?? [];
  assert.equal(address, `${service.url}/oauth2/authorize/v4`);
  assert.match(
    query ?? '',
    /^client_id=app%20%C3%A9&response_type=code&redirect_uri=http%3A%2F%2F127\.0\.0\.1%3A\d+%2Fcallback&state=[\w-]{43}&scope=Default%2CwsReadOnly$/,
  );
  assert.ok(!query?.includes(state), 'another state each time');
  assert.ok(ran.errors.includes(`${address}?${query}`), 'the address is always printed');
});

test('the exchange is one form with these five fields, and the port of the callback is closed', async () => {
  await person.login(service);
  const callback = person.consent?.searchParams.get('redirect_uri') ?? '';
  const { port } = new URL(callback);
  assert.equal(service.exchanges.length, 1);
  const [exchange] = service.exchanges;
  assert.equal(exchange?.line, 'POST /oauth2/token');
  assert.equal(exchange?.headers['content-type'], 'application/x-www-form-urlencoded');
  assert.equal(exchange?.headers.authorization, undefined);
  assert.equal(
    exchange?.body,
    `client_id=app%20%C3%A9&client_secret=canary-client-secret&grant_type=authorization_code&code=canary-code&redirect_uri=http%3A%2F%2F127.0.0.1%3A${port}%2Fcallback`,
  );
  await assert.rejects(visit(callback), /ECONNREFUSED/);
});

test('the stored files, their location and their permissions', async () => {
  const before = Date.now();
  const ran = await person.login(service);
  assert.deepEqual(ran.output.split('\t').slice(0, 2), ['Ada <b>Lovelace</b>', 'KUAAAAAA']);
  const { expiresAt = 0, ...item } = await person.item();
  assert.deepEqual(item, {
    generation: 1,
    accessToken: secrets.access,
    refreshToken: secrets.refresh,
    host: service.host,
    clientId: 'app é',
    clientSecret: secrets.clientSecret,
  });
  assert.ok(expiresAt >= before + 3_600_000 && expiresAt <= Date.now() + 3_600_000);
  const names = [...(await person.files()).keys()].filter((path) => !path.endsWith('.lock'));
  assert.deepEqual(names, ['profiles.json', 'state/said.json', 'tokens/default.json']);
  const { signedInAt, ...profile } = (await person.profiles()).profiles[0];
  assert.ok(signedInAt >= before);
  assert.deepEqual(profile, {
    name: 'default',
    authUrl: service.url,
    host: service.host,
    hostSuffixes: [],
    store: 'file',
    clientId: 'app é',
    user: 'Ada <b>Lovelace</b>',
    userId: 'KUAAAAAA',
    account: 'Acme <&> Co',
    accountId: 'IEAAAAAQ',
  });
  for (const [path, mode] of [
    ['profiles.json', 0o600],
    ['tokens/default.json', 0o600],
    ['tokens', 0o700],
  ] as const) {
    assert.equal((await stat(join(person.folder, path))).mode & 0o777, mode, path);
  }
  assert.match(ran.errors, /plain text/);
});

test('the page names the user, escaped, loads no other resources, and drops the code from its address', async () => {
  await person.login(service);
  const page = await person.pages[0];
  assert.equal(page?.status, 200);
  assert.equal(page?.headers['content-type'], 'text/html; charset=utf-8');
  assert.equal(page?.headers['cache-control'], 'no-store');
  assert.equal(page?.headers['referrer-policy'], 'no-referrer');
  assert.equal(page?.headers['x-content-type-options'], 'nosniff');
  assert.match(page?.text ?? '', /<h1>Signed in<\/h1>/);
  assert.ok(
    page?.text.includes('Ada &#60;b&#62;Lovelace&#60;/b&#62;, in Acme &#60;&#38;&#62; Co.'),
    page?.text,
  );
  assert.doesNotMatch(page?.text ?? '', /canary|https?:|src=|href=|@import|url\(/);
  const [, script = ''] = /<script>(.*)<\/script>/.exec(page?.text ?? '') ?? [];
  assert.equal(script, "history.replaceState(null, '', '/')");
  const hash = createHash('sha256').update(script).digest('base64');
  assert.equal(
    page?.headers['content-security-policy'],
    `default-src 'none'; style-src 'unsafe-inline'; script-src 'sha256-${hash}'; frame-ancestors 'none'`,
  );
});

test('sends a registered callback unchanged in both requests', async () => {
  const port = await freePort();
  for (const address of [
    `http://localhost:${port}/cb?tenant=a%2Fb`,
    `http://127.0.0.1:${port}`,
    `http://127.0.0.1:${port}/Deep/Path/`,
    ...(hasIpv6 ? [`http://[::1]:${port}/six`] : []),
  ]) {
    await person.login(service, '--redirect-uri', address);
    assert.equal(person.consent?.searchParams.get('redirect_uri'), address);
    assert.equal(new URLSearchParams(service.exchanges.at(-1)?.body).get('redirect_uri'), address);
  }
});

test('--redirect-uri with localhost listens on both addresses', { skip: !hasIpv6 }, async () => {
  const port = await freePort();
  for (const address of ['127.0.0.1', '[::1]']) {
    person.does = (authorize) => {
      const back = backTo(authorize, { code: secrets.code }).replace('//localhost', `//${address}`);
      return visit(back, { host: `localhost:${port}` });
    };
    await person.login(service, '--redirect-uri', `http://localhost:${port}/cb`);
  }
});

test('--redirect-uri with localhost: a port in use on either address is an error, and nothing listens', {
  skip: !hasIpv6,
}, async () => {
  for (const [taken, free] of [
    ['127.0.0.1', '[::1]'],
    ['::1', '127.0.0.1'],
  ] as const) {
    const port = await freePort();
    const other = createServer().listen(port, taken);
    await once(other, 'listening');
    const ran = await person.loginEnds(1, service, '--redirect-uri', `http://localhost:${port}/cb`);
    assert.match(ran.errors, new RegExp(`^wm: Cannot listen on the callback port ${port}$`, 'm'));
    assert.deepEqual(service.exchanges, []);
    await assert.rejects(visit(`http://${free}:${port}/cb`), /ECONNREFUSED/);
    other.close();
  }
});

test('uses a fixed port', async () => {
  const port = await freePort();
  await person.login(service, '--port', `${port}`);
  assert.equal(person.consent?.searchParams.get('redirect_uri'), `http://127.0.0.1:${port}/callback`);
});

test('sends later requests to the host of the token', async () => {
  service.answer = (response) => json(response, 200, tokens(other.host));
  await person.login(service);
  await person.wm(['whoami']);
  assert.deepEqual([service.calls.length, other.calls.length], [0, 4]);
});

test('a browser that was closed in the meantime does not hold up the sign-in', async () => {
  service.answer = (response) => {
    closed.then(() => json(response, 200, tokens(service.host)));
    cut();
  };
  let cut = () => {};
  let isClosed = () => {};
  const closed = new Promise<void>((resolve) => {
    isClosed = resolve;
  });
  person.does = (authorize) => {
    const stopping = new AbortController();
    cut = () => stopping.abort();
    fetch(backTo(authorize, { code: secrets.code }), { signal: stopping.signal }).catch(isClosed);
    return undefined;
  };
  await person.login(service);
});
