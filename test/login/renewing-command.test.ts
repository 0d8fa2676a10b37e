// Commands whose token has expired or is refused: renewed once, by the helper process of the built program, and used.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { json, secrets } from '#test/support/service/auth-service.ts';
import type { Person } from '#test/support/sign-in/person.ts';
import { personForEach, serviceForAll } from '#test/support/sign-in/stage.ts';

const service = await serviceForAll();
let person: Person;
personForEach((newPerson) => {
  person = newPerson;
});

test('a command silently refreshes an expired token, and uses the new one', async () => {
  service.answer = (response, { body }) =>
    json(response, 200, {
      access_token: body.includes('grant_type=refresh_token') ? secrets.access : 'canary-first',
      refresh_token: `canary-refresh-${service.exchanges.length}`,
      expires_in: body.includes('grant_type=refresh_token') ? 3600 : 59,
      host: service.host,
    });
  const signedIn = await person.login(service);
  assert.equal(signedIn.status, 4, 'the first token is one that the API does not know');
  const ran = await person.wm(['whoami', '--verbose']);
  assert.equal(ran.status, 0, ran.errors);
  assert.equal(service.exchanges.length, 2);
  assert.equal((await person.item()).generation, 2);
  const printed = await person.wm(['auth', 'status', '--json']);
  assert.equal(printed.status, 0);
});

test('two rejected requests of one command refresh once', async () => {
  service.answer = (response) =>
    json(response, 200, {
      access_token: 'canary-first',
      refresh_token: 'canary-r',
      expires_in: 3600,
      host: service.host,
    });
  await person.login(service);
  service.exchanges.length = 0;
  service.answer = (response) =>
    json(response, 200, { access_token: secrets.access, refresh_token: 'canary-s', expires_in: 3600 });
  const ran = await person.wm(['whoami', '--verbose']);
  assert.equal(ran.status, 0, ran.errors);
  assert.equal(service.exchanges.length, 1);
});

test('a token rejected again after a refresh is exit 4, after one refresh', async () => {
  let count = 0;
  service.answer = (response) =>
    json(response, 200, {
      access_token: `canary-bad-${count++}`,
      refresh_token: 'canary-r',
      expires_in: 3600,
      host: service.host,
    });
  await person.login(service);
  service.exchanges.length = 0;
  service.calls.length = 0;
  const ran = await person.wm(['task', 'get', 'IEAAAAAQKQAB5BNG', '--verbose']);
  assert.equal(ran.status, 4, ran.errors);
  assert.match(ran.errors, /data centre/);
  assert.deepEqual([service.exchanges.length, service.calls.length], [1, 2]);
});
