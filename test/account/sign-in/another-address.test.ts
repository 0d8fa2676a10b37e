// What was given to sign in at one address is told to no other: not the secret, not the client id, not the callback.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { secrets } from '#test/support/service/auth-service.ts';
import { freePort } from '#test/support/service/free-port.ts';
import { personForEach, serviceForAll } from '#test/support/sign-in/stage.ts';

const service = await serviceForAll();
const other = await serviceForAll();
const person = personForEach();

for (const way of ['--auth-url', 'WM_AUTH_URL'] as const) {
  test(`${way} with another address: names what is missing and sends nothing there`, async () => {
    await person.login(service);
    const before = await person.files();
    person.consent = undefined;
    const [typed, environment] =
      way === '--auth-url' ? [['--auth-url', other.url], {}] : [[], { WM_AUTH_URL: other.url }];
    const ran = await person.wm(['login', ...typed], { exit: 2, environment });
    assert.match(ran.errors, /--client-id/);
    assert.match(ran.errors, /WM_CLIENT_SECRET/);
    // The same id over there is another application.
    const sameId = await person.wm(['login', '--client-id', 'app é', ...typed], { exit: 2, environment });
    assert.match(sameId.errors, /WM_CLIENT_SECRET/);
    assert.doesNotMatch(sameId.errors, /--client-id/);
    assert.equal(person.consent, undefined);
    assert.deepEqual([other.exchanges, other.calls], [[], []]);
    assert.deepEqual(await person.files(), before);
  });
}

test('reuses stored settings for the same address in another spelling', async () => {
  await person.login(service);
  await person.wm(['login', '--auth-url', `${service.url.toUpperCase()}/`]);
  assert.ok(service.exchanges.at(-1)?.body.includes(secrets.clientSecret));
});

test('does not reuse a callback address at another authorization address', async () => {
  const callback = `http://127.0.0.1:${await freePort()}/here`;
  await person.login(service, '--redirect-uri', callback);
  const ran = await person.login(other);
  assert.notEqual(person.consent?.searchParams.get('redirect_uri'), callback);
  assert.match(
    ran.errors,
    /^Not reused, because the last sign-in was for .*: --redirect-uri http:\/\/127\.0\.0\.1:\d+\/here$/m,
  );
});
