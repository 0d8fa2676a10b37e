// Signing in again to a profile: what was asked for and allowed then, and is not said anew, still holds, and is said.
// It holds for that profile alone, and only at the address where it was given: to allow a host is to trust one service.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { personForEach, serviceForAll } from '#test/support/sign-in/stage.ts';

const service = await serviceForAll();
const other = await serviceForAll();
const person = personForEach();

const newHost = 'eu.example.com';
const first = ['--allow-host', newHost, '--scope', 'wsReadOnly,amReadOnlyUser'];

/** As `profiles.json` has it, and as the consent page was asked for it. */
async function kept(name = 'default') {
  const { profiles } = await person.profiles();
  const { hostSuffixes, scopes } = profiles.find((profile) => profile.name === name);
  return { hostSuffixes, scopes, asked: person.consent?.searchParams.get('scope') ?? undefined };
}

const nothing = { hostSuffixes: [], scopes: undefined, asked: undefined };
const asFirst = {
  hostSuffixes: [newHost],
  scopes: ['wsReadOnly', 'amReadOnlyUser'],
  asked: 'wsReadOnly,amReadOnlyUser',
};

test('without new flags, wm reuses hosts and scopes and says so', async () => {
  await person.login(service, ...first);
  assert.deepEqual(await kept(), asFirst);
  for (let count = 0; count < 2; count++) {
    const ran = await person.login(service);
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
  assert.deepEqual(await kept(), nothing);
});

test('at another address, reuses neither and says so', async () => {
  await person.login(service, ...first);
  const ran = await person.login(other);
  assert.match(
    ran.errors,
    /^Not reused, because the last sign-in was for .*: --allow-host eu\.example\.com, --scope wsReadOnly,amReadOnlyUser$/m,
  );
  assert.ok(ran.errors.includes(service.url));
  assert.deepEqual(await kept(), nothing);
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
  assert.deepEqual(await kept('work'), nothing);
  assert.deepEqual({ ...(await kept()), asked: asFirst.asked }, asFirst);
});
