// What was given to sign in at one address is told to no other: not the secret, not the client id, not the callback.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type AuthService, secrets, startAuthService } from '#test/support/service/auth-service.ts';
import { freePort } from '#test/support/service/free-port.ts';
import type { Person } from '#test/support/sign-in/person.ts';
import { personForEach, serviceForAll } from '#test/support/sign-in/stage.ts';

const service = await serviceForAll();
let person: Person;
personForEach((created) => {
  person = created;
});

async function otherService(context: { after(end: () => Promise<void>): void }): Promise<AuthService> {
  const other = await startAuthService();
  context.after(() => other.close());
  return other;
}

for (const way of ['--auth-url', 'WM_AUTH_URL'] as const) {
  test(`${way} with another address: names what is missing and sends nothing there`, async (context) => {
    const other = await otherService(context);
    assert.equal((await person.login(service)).status, 0);
    const before = await person.files();
    person.consent = undefined;
    const [typed, environment] =
      way === '--auth-url' ? [['--auth-url', other.url], {}] : [[], { WM_AUTH_URL: other.url }];
    const ran = await person.wm(['login', ...typed], { environment });
    assert.equal(ran.status, 2, ran.errors);
    assert.match(ran.errors, /--client-id/);
    assert.match(ran.errors, /WM_CLIENT_SECRET/);
    // The same id over there is another application.
    const sameId = await person.wm(['login', '--client-id', 'app é', ...typed], { environment });
    assert.equal(sameId.status, 2, sameId.errors);
    assert.match(sameId.errors, /WM_CLIENT_SECRET/);
    assert.doesNotMatch(sameId.errors, /--client-id/);
    assert.equal(person.consent, undefined);
    assert.deepEqual([other.exchanges, other.calls], [[], []]);
    assert.deepEqual(await person.files(), before);
  });
}

test('reuses stored settings for the same address in another spelling', async () => {
  await person.login(service);
  const ran = await person.wm(['login', '--auth-url', `${service.url.toUpperCase()}/`]);
  assert.equal(ran.status, 0, ran.errors);
  assert.ok(service.exchanges.at(-1)?.body.includes(secrets.clientSecret));
});

test('does not reuse a callback address at another authorization address', async (context) => {
  const other = await otherService(context);
  const callback = `http://127.0.0.1:${await freePort()}/here`;
  assert.equal((await person.login(service, '--redirect-uri', callback)).status, 0);
  const ran = await person.login(other);
  assert.equal(ran.status, 0, ran.errors);
  assert.notEqual(person.consent?.searchParams.get('redirect_uri'), callback);
  assert.match(
    ran.errors,
    /^Not reused, because the last sign-in was for .*: --redirect-uri http:\/\/127\.0\.0\.1:\d+\/here$/m,
  );
});
