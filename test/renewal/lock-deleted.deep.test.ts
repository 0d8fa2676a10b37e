// Somebody deletes the file of the lock during a refresh: a second process can then lock a file of the same name, and must
// not use the refresh token that is in use.

import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { mkdir, open, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeEach, test } from 'node:test';
import { createFaultySystem } from '#test/support/disk/faulty-system.ts';
import { checkpoint } from '#test/support/gate.ts';
import { inside } from './inside.ts';
import { stageForAll } from './stage.ts';

const { service, stage } = await stageForAll();
const deleteLock = () => rm(join(stage.folder, 'locks', 'default.lock'));

beforeEach(async () => {
  await stage.signInAnew();
  await stage.expire();
});

test('deleted during the request: the second process waits for the first, and uses its tokens', async () => {
  const { requests, rejected } = service.counts;
  const gate = checkpoint();
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
  assert.deepEqual([service.counts.requests, service.counts.rejected], [requests + 1, rejected]);
});

test('deleted before the request: takes the lock again, and sends nothing without it', async () => {
  const { requests, rejected } = service.counts;
  const faulty = createFaultySystem();
  const { wm } = inside(stage, faulty.system);
  let isDeleted = false;
  faulty.before = async (call) => {
    if (isDeleted || !/^sync .*\.reserved$/.test(call)) return;
    isDeleted = true;
    assert.equal(service.counts.requests, requests);
    await deleteLock();
  };
  const { status, errors } = await wm('whoami');
  assert.equal(status, 0, errors);
  assert.deepEqual([service.counts.requests, service.counts.rejected], [requests + 1, rejected]);
  const locks = faulty.calls.filter((call) => /^open .*default\.lock$/.test(call));
  assert.equal(locks.length, 2);
});

test('waits for a process that died under a deleted lock, and then takes over', async () => {
  const gate = checkpoint();
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
  const { rotated, rejected } = service.counts;
  let waitedMs = 0;
  const { wm } = inside(stage, createFaultySystem().system, async (milliseconds) => {
    waitedMs += milliseconds;
  });
  const { status, errors } = await wm('whoami');
  const counts = { ...service.counts };
  gate.open();
  assert.equal(status, 0, errors);
  assert.ok(waitedMs >= 50_000, `${waitedMs} ms`);
  await held.close();
  assert.deepEqual([counts.rotated, counts.rejected], [rotated + 1, rejected]);
});

test('does not wait for a refresh older than any can last: after a restart the lock may have another number', async () => {
  const { generation, refreshToken } = await stage.item();
  const refreshTokenSha256 = createHash('sha256').update(refreshToken).digest('hex');
  const marker = { generation, refreshTokenSha256, lock: '1:1', at: Date.now() - 60_000 };
  await mkdir(join(stage.folder, 'renewals'), { recursive: true, mode: 0o700 });
  await writeFile(join(stage.folder, 'renewals', 'default.json'), JSON.stringify(marker));
  let waits = 0;
  const { wm } = inside(stage, createFaultySystem().system, async () => {
    waits++;
  });
  const { status, errors } = await wm('whoami');
  assert.equal(status, 0, errors);
  assert.equal(waits, 0);
});

test('logout waits for the refresh, and its tokens do not come back', async () => {
  const gate = checkpoint();
  service.faults.push({ when: 'before', what: 'gate', gate });
  const first = stage.start('whoami');
  await gate.reached;
  await deleteLock();
  const { wm } = inside(stage, createFaultySystem().system, async () => {
    gate.open();
    await first.ended;
  });
  const { status, errors } = await wm('logout', '--yes');
  gate.open();
  assert.equal(status, 0, errors);
  await first.ended;
  assert.deepEqual(await readdir(join(stage.folder, 'tokens')), []);
});

test('a refresh that outlasts the wait of logout does not bring tokens back', async () => {
  const gate = checkpoint();
  service.faults.push({ when: 'after', what: 'gate', gate });
  const first = stage.start('whoami');
  await gate.reached;
  await deleteLock();
  const { wm } = inside(stage, createFaultySystem().system);
  assert.equal((await wm('logout', '--yes')).status, 0);
  gate.open();
  const { status, errors } = await first.ended;
  assert.equal(status, 4, errors);
  assert.deepEqual(await readdir(join(stage.folder, 'tokens')), []);
});

test('a sign-in that happened meanwhile stays', async () => {
  const gate = checkpoint();
  service.faults.push({ when: 'after', what: 'gate', gate });
  const first = stage.start('whoami');
  await gate.reached;
  await deleteLock();
  await stage.signInAnew();
  const made = await readFile(join(stage.folder, 'tokens', 'default.json'), 'utf8');
  gate.open();
  await first.ended;
  assert.equal(await readFile(join(stage.folder, 'tokens', 'default.json'), 'utf8'), made);
});
