// Signing in as another: the sign-in that is kept is replaced only where somebody said so.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { json, secrets } from './auth-service.ts';
import type { Person } from './person.ts';
import { personForEach, serviceForAll } from './stage.ts';

const service = await serviceForAll();
const ada = service.who;
const others = {
  'another account': { ...ada, accountId: 'IEAAAAAZ' },
  'another user': { ...ada, userId: 'KUAAAAAZ' },
};
let person: Person;
personForEach((one) => {
  person = one;
  service.who = ada;
});

const withToken = (...more: string[]) =>
  person.wm(['login', '--with-token', '--host', service.host, ...more], { input: secrets.access });
const ways = {
  'through the browser': (...more: string[]) => person.login(service, ...more),
  '--with-token': withToken,
};

/** All but locks and what a sign-in only tried out. */
const kept = async () => [...(await person.files())].filter(([path]) => !path.endsWith('.lock'));
const profileOf = (files: readonly (readonly [string, string])[]) =>
  JSON.parse(new Map(files).get('profiles.json') ?? '').profiles[0];

for (const [way, login] of Object.entries(ways)) {
  for (const [whose, other] of Object.entries(others)) {
    test(`${way}, ${whose}: the sign-in before is untouched, and the way out is said`, async () => {
      assert.equal((await login()).status, 0);
      const before = await kept();
      service.who = other;
      const ran = await login();
      assert.equal(ran.status, 2, ran.errors);
      assert.match(
        ran.errors,
        /^wm: Not confirmed: Replace the sign-in of Ada .* in the profile default by /m,
      );
      assert.match(ran.errors, /For a second account: wm login --profile NAME/);
      assert.equal(ran.output, '');
      assert.deepEqual(await kept(), before);
    });
  }

  test(`${way}: --yes, or the profile by name, replaces it; the same person needs neither`, async () => {
    assert.equal((await login()).status, 0);
    assert.equal((await login()).status, 0);
    service.who = others['another user'];
    assert.equal((await login('--yes')).status, 0);
    assert.equal(profileOf(await kept()).userId, 'KUAAAAAZ');
    service.who = others['another account'];
    assert.equal((await login('--profile', 'default')).status, 0);
    assert.equal(profileOf(await kept()).accountId, 'IEAAAAAZ');
  });
}

test('the browser hears that it is not done, and the terminal says more', async () => {
  await person.login(service);
  service.who = others['another account'];
  await person.login(service);
  assert.match((await person.pages.at(-1))?.text ?? '', /who is not signed in yet: see the terminal/);
});

test('whose it is cannot be read: the sign-in before is untouched', async () => {
  assert.equal((await person.login(service)).status, 0);
  const before = await kept();
  const { answer } = service;
  service.answer = (response) =>
    json(response, 200, { access_token: 'canary-nobody', token_type: 'bearer', host: service.host });
  const ran = await person.login(service);
  service.answer = answer;
  assert.equal(ran.status, 4, ran.errors);
  assert.match(ran.errors, /The sign-in before is untouched/);
  assert.deepEqual(await kept(), before);
});
