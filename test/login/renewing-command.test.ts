// Commands whose token has expired or is refused: renewed once, by the helper process of the built program, and used.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { json, tokens } from '#test/support/service/auth-service.ts';
import { personForEach, serviceForAll } from '#test/support/sign-in/stage.ts';

const service = await serviceForAll();
const person = personForEach();

test('a command silently refreshes an expired token, and uses the new one', async () => {
  service.answer = (response, { body }) => {
    const first = { access_token: 'canary-first', expires_in: 59 };
    json(response, 200, tokens(service.host, body.includes('grant_type=refresh_token') ? {} : first));
  };
  await person.loginEnds(4, service);
  await person.wm(['whoami', '--verbose']);
  assert.equal(service.exchanges.length, 2);
  assert.equal((await person.item()).generation, 2);
  await person.wm(['auth', 'status', '--json']);
});

test('two rejected requests of one command refresh once', async () => {
  service.answer = (response) => json(response, 200, tokens(service.host, { access_token: 'canary-first' }));
  await person.loginEnds(4, service);
  service.exchanges.length = 0;
  service.answer = (response) => json(response, 200, tokens(undefined, { refresh_token: 'canary-s' }));
  await person.wm(['whoami', '--verbose']);
  assert.equal(service.exchanges.length, 1);
});

test('a token rejected again after a refresh is exit 4, after one refresh', async () => {
  let count = 0;
  service.answer = (response) =>
    json(response, 200, tokens(service.host, { access_token: `canary-bad-${count++}` }));
  await person.loginEnds(4, service);
  service.exchanges.length = 0;
  service.calls.length = 0;
  const ran = await person.wm(['task', 'get', 'IEAAAAAQKQAB5BNG', '--verbose'], { exit: 4 });
  assert.match(ran.errors, /data centre/);
  assert.deepEqual([service.exchanges.length, service.calls.length], [1, 2]);
});
