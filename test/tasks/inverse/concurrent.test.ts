// Several `wm task undo` of one task at once: one takes effect, and no other undoes that undo.

import assert from 'node:assert/strict';
import { appendFile, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { sample } from '#emulator/state/sample-ids.ts';
import { createTestClock, type TestClock } from '#test/support/clock.ts';
import { gate } from '#test/support/gate.ts';
import { type Emulated, emulated } from '#test/support/program/emulated.ts';
import type { Ran } from '#test/support/program/program.ts';
import { beforeUpdate } from '#test/support/service/around-http.ts';
import { createWorld } from '#world/create-world.ts';
import { createFiles } from '#world/files.ts';
import { createLock } from '#world/lock.ts';
import type { HeldLock, Lock } from '#world/world.ts';

const id = sample.task;
const real = createWorld();
const clock = { ...real.clock, sleep: async () => {} };

const undo = ['task', 'undo', id, '--yes', '--verbose'];

/** Starts `others` more while the first undo is about to send, and lets it send once all of them wait for it. */
async function atOnce(
  { wm }: Emulated,
  others: number,
  argv: readonly string[] = undo,
  firstArgv: readonly string[] = undo,
): Promise<{ first: Ran; others: readonly Ran[] }> {
  const [sends, allWait] = [gate(), gate()];
  const http = beforeUpdate(1, () => {
    sends.open();
    return allWait.opened;
  });
  let waiting = 0;
  const lock: Lock = {
    ...real.lock,
    acquire(path, options) {
      if (++waiting === others) allWait.open();
      return real.lock.acquire(path, options);
    },
  };
  const first = wm(firstArgv, { world: { http, clock } });
  await sends.opened;
  const rest = Promise.all(Array.from({ length: others }, () => wm(argv, { world: { lock, clock } })));
  // Without a lock none of them waits.
  await Promise.race([rest, allWait.opened]);
  allWait.open();
  return { first: await first, others: await rest };
}

for (const [name, end] of [
  ['', ''],
  [', in a log whose end a crash tore', Buffer.alloc(100, 0xff)],
] as const)
  test(`an update while undo waits for its turn${name}: undo says so, and sends nothing`, async (context) => {
    const { wm, task, environment, folder } = await emulated(context);
    await wm(['task', 'update', id, '--title', 'one', '--undoable'], { exit: 0 });
    const log = join(createFiles(environment, process.platform, folder).stateFolder, 'undo');
    for (const file of await readdir(log))
      if (file.endsWith('.ndjson')) await appendFile(join(log, file), end);
    let isUpdated = false;
    const lock: Lock = {
      ...real.lock,
      async acquire(path, options) {
        if (!isUpdated) {
          isUpdated = true;
          await wm(['task', 'update', id, '--title', 'two', '--undoable'], { exit: 0 });
        }
        return real.lock.acquire(path, options);
      },
    };
    const { status, errors } = await wm(undo, { world: { lock } });
    assert.equal(status, 2, errors);
    assert.ok(errors.includes(`Another wm has updated ${id} in the meantime`), errors);
    assert.doesNotMatch(errors, /^PUT /m);
    assert.equal((await task(id)).title, 'two');
  });

test('four undos at once: one undoes, and the others say so and send nothing', async (context) => {
  const service = await emulated(context);
  const { wm, task } = service;
  const { title } = await task(id);
  await wm(['task', 'update', id, '--title', 'NEW', '--undoable'], { exit: 0 });
  const { first, others } = await atOnce(service, 3);
  assert.equal(first.status, 0, first.errors);
  for (const { status, errors, output } of others) {
    assert.equal(status, 2, errors);
    assert.ok(errors.includes(`Another wm has undone the last update of ${id} in the meantime`), errors);
    assert.doesNotMatch(errors, /^PUT /m);
    assert.equal(output, '');
  }
  assert.equal((await task(id)).title, title);
  // On purpose, it is undone.
  await wm(['task', 'undo', id, '--yes'], { exit: 0 });
  assert.equal((await task(id)).title, 'NEW');
});

test('two undos of several tasks at once: the second chooses before it waits, and undoes no undo', async (context) => {
  const service = await emulated(context);
  const { wm, task } = service;
  const ids = [id, sample.subtask];
  const titles = async () => (await Promise.all(ids.map((one) => task(one)))).map(({ title }) => title);
  const before = await titles();
  for (const one of ids) await wm(['task', 'update', one, '--title', 'NEW', '--undoable'], { exit: 0 });
  const several = ['task', 'undo', ...ids, '--yes', '--verbose'];
  const { first, others } = await atOnce(service, 1, several, several);
  assert.equal(first.status, 0, first.errors);
  for (const { errors } of others) assert.doesNotMatch(errors, /^PUT /m);
  assert.deepEqual(await titles(), before);
});

test('an update just before an undo is sent: it waits, and becomes the last update', async (context) => {
  const service = await emulated(context);
  const { wm, task } = service;
  const { title } = await task(id);
  await wm(['task', 'update', id, '--title', 'NEW', '--undoable'], { exit: 0 });
  const update = ['task', 'update', id, '--title', 'NEWER', '--undoable'];
  const { first, others } = await atOnce(service, 1, update);
  assert.equal(first.status, 0, first.errors);
  for (const { status, errors } of others) assert.equal(status, 0, errors);
  assert.equal((await task(id)).title, 'NEWER');
  // What it changed is what the undo had left.
  await wm(['task', 'undo', id, '--yes'], { exit: 0 });
  assert.equal((await task(id)).title, title);
});

test('two undos at once, the first without a response: the second checks, and sends nothing', async (context) => {
  const service = await emulated(context);
  const { wm, task, control } = service;
  const { title } = await task(id);
  await wm(['task', 'update', id, '--title', 'NEW', '--undoable'], { exit: 0 });
  await control('faults', { request: 'updateTask', cutAfter: 0, when: 'after', times: 3 });
  const { first, others } = await atOnce(service, 1);
  assert.equal(first.status, 9, first.errors);
  for (const { status, errors } of others) {
    assert.equal(status, 0, errors);
    assert.match(errors, /The last undo of \S+ had already taken effect/);
    assert.doesNotMatch(errors, /^PUT /m);
  }
  assert.equal((await task(id)).title, title);
});

test('two undos at once, the first rejected: the second undoes', async (context) => {
  const service = await emulated(context);
  const { wm, task, control } = service;
  const { title } = await task(id);
  await wm(['task', 'update', id, '--title', 'NEW', '--undoable'], { exit: 0 });
  await control('faults', { request: 'updateTask', status: 403, error: 'not_allowed', times: 1 });
  const { first, others } = await atOnce(service, 1);
  assert.equal(first.status, 3, first.errors);
  assert.deepEqual(
    others.map(({ status }) => status),
    [0],
  );
  assert.equal((await task(id)).title, title);
});

test('names another wm that does not end, and sends nothing', async (context) => {
  const { wm } = await emulated(context);
  await wm(['task', 'update', id, '--title', 'NEW', '--undoable'], { exit: 0 });
  let held: HeldLock | undefined;
  // Each look at the lock takes five seconds.
  const hurried: TestClock = createTestClock((milliseconds) => {
    if (milliseconds < 100) hurried.advance(5000);
  });
  const waiting = createLock(process.platform, hurried);
  const lock: Lock = {
    ...waiting,
    async acquire(path, options) {
      held ??= await real.lock.acquire(path, { timeoutMs: 0 });
      return waiting.acquire(path, options);
    },
  };
  const ran = await wm(['task', 'undo', id, '--yes', '--verbose'], { world: { lock } });
  await held?.release();
  assert.equal(ran.status, 1, ran.errors);
  const who = `process ${process.pid}`;
  assert.ok(
    ran.errors.includes(`Waiting for ${who}, which is undoing an update (up to 60 s).\n`),
    ran.errors,
  );
  assert.ok(ran.errors.includes(`wm: Another wm (${who}) is still undoing an update\n`), ran.errors);
  assert.match(ran.errors, /Nothing was sent\. If it was stopped, continue it: kill -CONT \d+\n/);
  assert.doesNotMatch(ran.errors, /^PUT /m);
});
