// Real processes that refresh one token: three at once, and one that is killed at an instant that the test knows. The simulation
// (test/simulation/renewal.ts) kills at every step.

import assert from 'node:assert/strict';
import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeEach, test } from 'node:test';
import { checkpoint } from '#test/support/gate.ts';
import { createLock } from '#world/lock.ts';
import { inside } from './inside.ts';
import { stageForAll } from './stage.ts';

const { service, stage } = await stageForAll();
beforeEach(() => stage.signInAnew());

/** What is in the folder, each with when it was changed last. */
async function contents(): Promise<readonly (readonly [string, number])[]> {
  const names = (await readdir(stage.folder, { recursive: true })).toSorted();
  return Promise.all(
    names.map(async (name) => [name, (await stat(join(stage.folder, name))).mtimeMs] as const),
  );
}

test('a valid token costs no lock, no marker and no write', async () => {
  // The first command of a day says where the tokens are, and notes that; and it notes the user, for completion.
  const { wm } = inside(stage);
  assert.equal((await wm('whoami')).status, 0);
  const before = await contents();
  assert.equal((await wm('whoami')).status, 0);
  assert.deepEqual(await contents(), before);
  assert.ok(before.every(([name]) => !/locks|renewals/.test(name)));
  assert.equal(service.counts.requests, 0);
});

test('3 processes at once with an expired token: one refresh', async () => {
  await stage.expire();
  const { requests, rotated, rejected } = service.counts;
  for (const { status, errors } of await Promise.all([1, 2, 3].map(() => stage.run('whoami'))))
    assert.equal(status, 0, errors);
  assert.deepEqual(service.counts, { requests: requests + 1, rotated: rotated + 1, rejected });
});

test('the command is killed when the service has rotated the token: the next one works', async () => {
  await stage.expire();
  const { requests, rotated, rejected } = service.counts;
  const gate = checkpoint();
  service.faults.push({ when: 'after', what: 'gate', gate });
  const running = stage.start('whoami');
  await gate.reached;
  running.child.kill('SIGKILL');
  assert.equal((await running.ended).signal, 'SIGKILL');
  gate.open();
  const next = await stage.run('whoami');
  assert.equal(next.status, 0, next.errors);
  assert.deepEqual(service.counts, { requests: requests + 1, rotated: rotated + 1, rejected });
});

test('the helper is killed then: the command says that the sign-in was lost, and keeps what is stored', async () => {
  await stage.expire();
  const before = await stage.item();
  const gate = checkpoint();
  service.faults.push({ when: 'after', what: 'gate', gate });
  const running = stage.start('whoami');
  await gate.reached;
  const helper = (await createLock().holder(join(stage.folder, 'locks', 'default.lock')))?.pid;
  assert.ok(helper !== undefined && helper !== running.child.pid);
  process.kill(helper, 'SIGKILL');
  const { status, errors } = await running.ended;
  assert.equal(status, 4, errors);
  assert.match(errors, /The refresh of the sign-in default was lost/);
  assert.match(errors, /wm login --profile default/);
  assert.deepEqual(await stage.item(), before);
});
