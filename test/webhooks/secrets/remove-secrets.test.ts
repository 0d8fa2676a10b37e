// The stored secret of a webhook goes with the webhook, once it is gone for certain; where it cannot be removed, the command says
// what remains and how to remove it.

import assert from 'node:assert/strict';
import { readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { createMemoryKeychain } from '#test/support/memory-keychain.ts';
import { printedCommand } from '#test/support/program/printed.ts';
import { fail, inFront } from '#test/support/service/intercept.ts';
import { createWorld } from '#world/create-world.ts';
import type { Keychain } from '#world/world.ts';
import { readLocal } from '../local-records.ts';
import { withHooks } from '../three-webhooks.ts';

type Hooks = Awaited<ReturnType<typeof withHooks>>;

const secret = 'a-secret-of-nobody';
const noSleep = { clock: { ...createWorld().clock, sleep: async () => {} } };

const inKeychain = (keychain: Keychain) => ({
  world: { keychain },
  environment: { WM_TOKEN_STORE: 'keychain' },
});

async function secretFiles({ environment }: Hooks): Promise<readonly string[]> {
  const folder = join(environment['WM_CONFIG_DIR'] ?? '', 'webhook-secrets');
  const names = (await readdir(folder)).filter((name) => name.endsWith('.json'));
  return names.map((name) => join(folder, name));
}

const isLocked = { fault: 'locked', detail: 'nobody unlocked it' } as const;

/** Stores the secret of each. */
async function store({ wm }: Pick<Hooks, 'wm'>, ids: readonly string[], setting: object = {}) {
  for (const id of ids) {
    const argv = ['webhook', 'secret', id, '--store', '--secret-stdin'];
    const stored = await wm(argv, { ...setting, input: secret });
    assert.equal(stored.status, 0, stored.errors);
  }
}

test('in a file: removed with one webhook or several; those of others stay', async (context) => {
  const hooks = await withHooks(context);
  const { wm, one, two, three } = hooks;
  await store(hooks, [one, two, three]);
  await wm(['webhook', 'label', one, 'billing']);
  const ran = await wm(['webhook', 'delete', one, '--yes']);
  assert.equal(ran.status, 0, ran.errors);
  assert.doesNotMatch(ran.errors, /secret/);
  assert.equal((await secretFiles(hooks)).length, 2);
  assert.equal(Object.hasOwn(await readLocal(hooks.environment), one), false);
  assert.equal((await wm(['webhook', 'delete', two, '--yes'])).status, 0);
  assert.equal((await wm(['webhook', 'secret', three])).output.split('\t')[1], 'stored');
});

test('in the keychain: removed with several; prints nothing without a keychain', async (context) => {
  const { wm, one, two, three } = await withHooks(context);
  const keychain = createMemoryKeychain();
  await store({ wm }, [one, two], inKeychain(keychain));
  assert.equal(keychain.items.size, 2);
  const ran = await wm(['webhook', 'delete', one, two, '--yes'], inKeychain(keychain));
  assert.equal(ran.status, 0, ran.errors);
  assert.equal(keychain.items.size, 0);
  const missing = async () => ({ fault: 'missing', detail: 'no bus' }) as const;
  const none: Keychain = { read: missing, write: missing, remove: missing };
  const without = await wm(['webhook', 'delete', three, '--yes'], inKeychain(none));
  assert.equal(without.status, 0, without.errors);
  assert.doesNotMatch(without.errors, /secret|keychain/i);
});

test('a locked keychain: deletes the webhooks, and the hints remove the secrets', async (context) => {
  const { wm, one, two, three } = await withHooks(context);
  const keychain = createMemoryKeychain();
  await store({ wm }, [one, two], inKeychain(keychain));
  const locked: Keychain = { ...keychain, read: async () => isLocked, remove: async () => isLocked };
  const ran = await wm(['webhook', 'delete', one, '--yes'], inKeychain(locked));
  assert.equal(ran.status, 0, ran.errors);
  assert.match(
    ran.errors,
    new RegExp(
      `A secret of webhook ${one} may still be stored in the keychain: The keychain is locked.*\n.*To remove it: wm webhook secret ${one} --remove --yes`,
    ),
  );
  assert.equal(keychain.items.size, 2);
  const removed = await wm(printedCommand(ran.errors, 'To remove it: '), inKeychain(keychain));
  assert.equal(removed.status, 0, removed.errors);
  assert.equal(keychain.items.size, 1);
  const several = await wm(['webhook', 'delete', two, three, '--yes'], inKeychain(locked));
  assert.equal(several.status, 0, several.errors);
  for (const id of [two, three])
    assert.match(several.errors, new RegExp(`wm webhook secret ${id} --remove --yes`));
});

test('several: names their secrets together', async (context) => {
  const { wm, one, two, three } = await withHooks(context);
  const answer = async () => isLocked;
  const locked: Keychain = { read: answer, write: answer, remove: answer };
  const ran = await wm(['webhook', 'delete', one, two, three, '--yes'], inKeychain(locked));
  assert.equal(ran.status, 0, ran.errors);
  assert.match(ran.errors, /Secrets of 3 deleted webhooks may still be stored in the keychain: /);
  assert.match(
    ran.errors,
    new RegExp(
      `To remove them: wm webhook secret ${one} --remove --yes\n *wm webhook secret ${two} --remove --yes\n *wm webhook secret ${three}`,
    ),
  );
});

test('an unconfirmed deletion: keeps the secret', async (context) => {
  const hooks = await withHooks(context);
  const { wm, one, environment } = hooks;
  let isSent = false;
  const host = await inFront(context, environment['WM_HOST'], ({ method }, response) => {
    if (method === 'DELETE') isSent = true;
    return method === 'GET' && isSent ? fail(response, 503, 'unavailable') : false;
  });
  // The secret is stored for the host, so the command has to have it in its own store under the other name.
  const setting = { environment: { WM_HOST: host } };
  await store(hooks, [one], setting);
  const ran = await wm(['webhook', 'delete', one, '--yes'], { ...setting, world: noSleep });
  assert.equal(ran.status, 9, ran.errors);
  assert.match(ran.errors, /could not read back whether it took effect/);
  assert.match((await wm(['webhook', 'secret', one], setting)).output, /\tstored/);
});

test('both commands remove a damaged file too', async (context) => {
  const hooks = await withHooks(context);
  const { wm, one, two } = hooks;
  await store(hooks, [one, two]);
  for (const path of await secretFiles(hooks)) await writeFile(path, 'damaged');
  assert.equal((await wm(['webhook', 'delete', one, '--yes'])).status, 0);
  assert.equal((await secretFiles(hooks)).length, 1);
  const removed = await wm(['webhook', 'secret', two, '--remove', '--yes']);
  assert.equal(removed.status, 0, removed.errors);
  assert.deepEqual(await secretFiles(hooks), []);
});
