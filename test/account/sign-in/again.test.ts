// Signing in again to a profile: what was asked for and allowed then, and is not said anew, still holds, and is said.
// It holds for that profile alone, and only at the address where it was given: to allow a host is to trust one service.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { startAuthService } from '#test/support/service/auth-service.ts';
import type { Person } from '#test/support/sign-in/person.ts';
import { personForEach, serviceForAll } from '#test/support/sign-in/stage.ts';

const service = await serviceForAll();
let person: Person;
personForEach((created) => {
  person = created;
});

const newHost = 'eu.example.com';
const first = ['--allow-host', newHost, '--scope', 'wsReadOnly,amReadOnlyUser'];

/** As `profiles.json` has it, and as the consent page was asked for it. */
async function kept(name = 'default') {
  const { profiles } = JSON.parse((await person.files()).get('profiles.json') ?? '');
  const { hostSuffixes, scopes } = profiles.find((profile: { name: string }) => profile.name === name);
  return { hostSuffixes, scopes, asked: person.consent?.searchParams.get('scope') ?? undefined };
}

const asFirst = {
  hostSuffixes: [newHost],
  scopes: ['wsReadOnly', 'amReadOnlyUser'],
  asked: 'wsReadOnly,amReadOnlyUser',
};

test('without new flags, wm reuses hosts and scopes and says so', async () => {
  assert.equal((await person.login(service, ...first)).status, 0);
  assert.deepEqual(await kept(), asFirst);
  for (let count = 0; count < 2; count++) {
    const ran = await person.login(service);
    assert.equal(ran.status, 0, ran.errors);
    assert.match(
      ran.errors,
      /^As before, the sign-in may lead to eu\.example\.com\. To change that: --allow-host$/m,
    );
    assert.match(
      ran.errors,
      /^As before, wm requests these scopes: wsReadOnly, amReadOnlyUser\. To change that: --scope$/m,
    );
    assert.deepEqual(await kept(), asFirst);
  }
});

test('new flags replace the earlier hosts and scopes', async () => {
  await person.login(service, ...first);
  const ran = await person.login(service, '--allow-host', 'us.example.com', '--scope', 'Default');
  assert.doesNotMatch(ran.errors, /before/);
  assert.deepEqual(await kept(), { hostSuffixes: ['us.example.com'], scopes: ['Default'], asked: 'Default' });
});

test('without earlier flags, wm reports no reuse', async () => {
  await person.login(service);
  const ran = await person.login(service);
  assert.doesNotMatch(ran.errors, /before/);
  assert.deepEqual(await kept(), { hostSuffixes: [], scopes: undefined, asked: undefined });
});

test('at another address, reuses neither and says so', async (context) => {
  const other = await startAuthService();
  context.after(() => other.close());
  await person.login(service, ...first);
  const ran = await person.login(other);
  assert.equal(ran.status, 0, ran.errors);
  assert.match(
    ran.errors,
    /^Not reused, because the last sign-in was for .*: --allow-host eu\.example\.com, --scope wsReadOnly,amReadOnlyUser$/m,
  );
  assert.ok(ran.errors.includes(service.url));
  assert.deepEqual(await kept(), { hostSuffixes: [], scopes: undefined, asked: undefined });
});

test('for another application, reuses the hosts but not the scopes', async () => {
  await person.login(service, ...first);
  const ran = await person.login(service, '--client-id', 'another');
  assert.match(ran.errors, /^As before, the sign-in may lead to eu\.example\.com/m);
  assert.match(
    ran.errors,
    /^Not reused, because the last sign-in was for the application app é: --scope wsReadOnly,amReadOnlyUser$/m,
  );
  assert.deepEqual(await kept(), { hostSuffixes: [newHost], scopes: undefined, asked: undefined });
});

test('another profile does not reuse anything', async () => {
  await person.login(service, ...first);
  const ran = await person.login(service, '--profile', 'work');
  assert.doesNotMatch(ran.errors, /before|[Nn]ot kept/);
  assert.deepEqual(await kept('work'), { hostSuffixes: [], scopes: undefined, asked: undefined });
  assert.deepEqual({ ...(await kept()), asked: asFirst.asked }, asFirst);
});
