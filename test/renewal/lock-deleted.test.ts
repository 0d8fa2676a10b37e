// Somebody deletes the file of the lock during a refresh: a second process can then lock a file of the same name, and must
// not use the refresh token that is in use.

import assert from 'node:assert/strict';
import { open, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeEach, test } from 'node:test';
import { createFaultySystem } from '../faulty-system.ts';
import { inside } from './inside.ts';
import { createGate } from './service.ts';
import { stageForAll } from './stage.ts';

const { service, stage } = await stageForAll();
const deleteLock = () => rm(join(stage.folder, 'locks', 'default.lock'));

beforeEach(async () => {
  await stage.signInAnew();
  await stage.expire();
});

test('during the request: the second process waits for the first, and uses its tokens', async () => {
  const { asked, refused } = service.counts;
  const gate = createGate();
  service.faults.push({ when: 'before', what: 'gate', gate });
  const first = stage.start('whoami');
  await gate.reached;
  await deleteLock();
  let waits = 0;
  const second = inside(stage, createFaultySystem().system, async () => {
    waits++;
    // Not before it waits.
    gate.open();
    await first.ended;
  });
  const { status, errors } = await second.wm('whoami');
  gate.open();
  assert.equal(status, 0, errors);
  assert.equal((await first.ended).status, 0, (await first.ended).errors);
  assert.ok(waits > 0, 'it has waited');
  assert.deepEqual([service.counts.asked, service.counts.refused], [asked + 1, refused]);
});

test('before the request: the lock is taken anew, and nothing is sent without it', async () => {
  const { asked, refused } = service.counts;
  const faulty = createFaultySystem();
  const { wm } = inside(stage, faulty.system);
  let isDeleted = false;
  faulty.before = async (call) => {
    if (isDeleted || !/^sync .*\.reserved$/.test(call)) return;
    isDeleted = true;
    assert.equal(service.counts.asked, asked);
    await deleteLock();
  };
  const { status, errors } = await wm('whoami');
  assert.equal(status, 0, errors);
  assert.deepEqual([service.counts.asked, service.counts.refused], [asked + 1, refused]);
  const locks = faulty.calls.filter((call) => /^open .*default\.lock$/.test(call));
  assert.equal(locks.length, 2);
});

test('whoever has died under a lock that was deleted is waited for, and then followed', async () => {
  const gate = createGate();
  service.faults.push({ when: 'before', what: 'gate', gate });
  const first = stage.start('whoami');
  await gate.reached;
  const helper = await stage.findHelper();
  assert.ok(helper);
  process.kill(helper, 'SIGKILL');
  first.child.kill('SIGKILL');
  await first.ended;
  // Held open, so that the next file cannot get its inode: then it would be known that its holder has died.
  const held = await open(join(stage.folder, 'locks', 'default.lock'));
  await deleteLock();
  const { rotated, refused } = service.counts;
  let waitedMs = 0;
  const { wm } = inside(stage, createFaultySystem().system, async (milliseconds) => {
    waitedMs += milliseconds;
  });
  const { status, errors } = await wm('whoami');
  const now = { ...service.counts };
  gate.open();
  assert.equal(status, 0, errors);
  assert.ok(waitedMs >= 60_000, `${waitedMs} ms`);
  await held.close();
  assert.deepEqual([now.rotated, now.refused], [rotated + 1, refused]);
});
