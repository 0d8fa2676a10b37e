// Jobs and deliveries that are pending when an emulator with a data file ends: the next one runs them when they are due.

import assert from 'node:assert/strict';
import { link, lstat, mkdir, readdir, readFile, rm, symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { control, settled } from '#test/support/service/control.ts';
import { records, valuesOf } from '#test/support/service/records.ts';
import { call, type Started, update } from '#test/support/service/start-emulator.ts';
import { type Receiver, receiving } from '../dispatch/receiver.ts';
import { createWebhook } from '../dispatch/subscribed.ts';
import { dataFileWorld } from './data-file-world.ts';

const posix = process.platform !== 'win32';

/** Starts one emulator after another on the same data file, with a receiver for all of them. */
async function keeping(t: TestContext) {
  const { dataFile, clock, start } = await dataFileWorld(t);
  const begin = () => start({ allowLocalHooks: true });
  /** What the file says is still to be done. */
  const waiting = async () => {
    const { pendingDeliveries, scheduledJobs } = JSON.parse(await readFile(dataFile, 'utf8'));
    return [...pendingDeliveries, ...scheduledJobs];
  };
  return { begin, receiver: await receiving(t), clock, waiting };
}

const receivedEvents = ({ events }: Receiver) => valuesOf(events, 'eventType');

test('a retry, a description event and a batch still happen after a restart, when they are due', async (t) => {
  const { begin, receiver, clock, waiting } = await keeping(t);
  const first = await begin();
  await createWebhook(first, receiver);
  receiver.answer = 500;
  await update(first, { title: 'x' });
  await settled(first);
  await update(first, { description: 'y' });
  const operations = [
    { method: 'POST', path: '/folders/IEAAAAAQI4AB5FLD/tasks', parameters: { title: 'By batch' } },
  ];
  const { body } = await call(first, 'POST', '/batch', { form: { operations } });
  await first.close();
  assert.equal((await waiting()).length, 3);

  receiver.answer = 200;
  const second = await begin();
  await settled(second);
  assert.deepEqual(receivedEvents(receiver), ['TaskTitleChanged']);
  clock.move(1_000);
  await settled(second);
  const [job] = await records(second, 'GET', `/async_job/${body.data[0].id}`);
  assert.equal(job.status, 'Completed');
  assert.deepEqual(receivedEvents(receiver).slice(1), ['TaskCreated']);
  clock.move(28_999);
  await settled(second);
  assert.equal(receiver.received.length, 2);
  clock.move(1);
  await settled(second);
  const [before, , after] = receiver.received;
  assert.deepEqual(
    [after?.body, after?.headers['idempotency-key']],
    [before?.body, before?.headers['idempotency-key']],
  );
  // The attempt before the restart counts.
  const { deliveries } = await control(second, 'GET', '/deliveries');
  assert.deepEqual(valuesOf(deliveries[0].attempts, 'result'), [500, 200]);
  clock.move(269_999);
  await settled(second);
  assert.equal(receiver.received.length, 3);
  await second.close();

  // Due while there was none.
  clock.move(3_600_000);
  const third = await begin();
  clock.move(0);
  await settled(third);
  assert.deepEqual(receivedEvents(receiver).slice(3), ['TaskDescriptionChanged']);
  await third.close();
  assert.deepEqual(await waiting(), []);
  const fourth = await begin();
  clock.move(3_600_000);
  await settled(fourth);
  assert.equal(receiver.received.length, 4);
});

test('a delivery in flight at the end is sent again once, with the same key', async (t) => {
  const { begin, receiver, clock } = await keeping(t);
  const first = await begin();
  await createWebhook(first, receiver);
  receiver.answer = () => new Promise(() => undefined);
  await update(first, { title: 'x' });
  await update(first, { title: 'z' });
  await receiver.count(1);
  await first.close();

  receiver.answer = 200;
  const second = await begin();
  await settled(second);
  assert.deepEqual(valuesOf(receiver.events, 'title'), ['x', 'x', 'z']);
  const keys = receiver.received.map(({ headers }) => headers['idempotency-key']);
  assert.equal(keys[0], keys[1]);
  const { deliveries } = await control(second, 'GET', '/deliveries');
  assert.deepEqual(
    deliveries.map(({ attempts }: { attempts: unknown[] }) => attempts.length),
    [1, 1],
  );
  await second.close();
  const third = await begin();
  clock.move(3_600_000);
  await settled(third);
  assert.equal(receiver.received.length, 3);
});

test('after a reset or a suspension, nothing is waiting, not even in the file', async (t) => {
  const { begin, receiver, clock, waiting } = await keeping(t);
  receiver.answer = 500;
  const first = await begin();
  for (const end of ['suspend', 'reset']) {
    await createWebhook(first, receiver);
    await update(first, { title: end, description: end });
    await settled(first);
    const { body } = await call(first, 'GET', '/webhooks');
    if (end === 'reset') await control(first, 'POST', '/reset');
    else await call(first, 'PUT', `/webhooks/${body.data[0].id}?status=Suspended`);
  }
  const { length } = receiver.received;
  await first.close();
  assert.deepEqual(await waiting(), []);
  const second = await begin();
  clock.move(3_600_000);
  await settled(second);
  assert.equal(receiver.received.length, length);
});

test('the clock continues where it stopped', async (t) => {
  const { begin, clock } = await keeping(t);
  const now = async (emulator: Started) => (await control(emulator, 'GET', '/clock')).now;
  const first = await begin();
  await control(first, 'POST', '/clock', { advanceSeconds: 86_400 });
  await first.close();
  clock.move(60_000);
  const second = await begin();
  assert.equal(await now(second), '2026-03-03T12:01:00Z');
  await control(second, 'POST', '/clock', { freeze: true, at: '2026-05-01T00:00:00Z' });
  await second.close();
  clock.move(60_000);
  const third = await begin();
  assert.equal(await now(third), '2026-05-01T00:00:00Z');
  await control(third, 'POST', '/clock', { resume: true });
  clock.move(1_000);
  assert.equal(await now(third), '2026-05-01T00:00:01Z');
});

test('a data file is the same file under all its names, and a link to it stays a link', {
  skip: !posix,
}, async (t) => {
  const { folder, begin, start } = await dataFileWorld(t);
  const inside = (...names: string[]) => join(folder, ...names);
  await mkdir(inside('real', 'deep'), { recursive: true });
  await symlink(inside('real', 'deep'), inside('linked'));
  await symlink('linked/../data.json', inside('once.json'));
  await symlink('once.json', inside('twice.json'));
  const file = inside('real', 'data.json');
  // Neither is there at first.
  for (const [name, other] of [
    [inside('twice.json'), file],
    [file, inside('once.json')],
    [inside('once.json'), `${inside('linked')}/../data.json`],
  ] as const) {
    const first = await start({ dataFile: name });
    const detail = `another emulator (process ${process.pid}) is using it`;
    assert.deepEqual(await begin({ dataFile: other }), { fault: 'failed', detail }, other);
    await update(first, { title: name });
    await first.close();
    assert.ok((await readFile(file, 'utf8')).includes(`"title":"${name}"`), name);
  }
  assert.deepEqual((await readdir(folder)).sort(), ['linked', 'once.json', 'real', 'twice.json']);
  assert.deepEqual((await readdir(inside('real'))).sort(), ['data.json', 'data.json.lock', 'deep']);
  for (const link of ['once.json', 'twice.json'])
    assert.ok((await lstat(inside(link))).isSymbolicLink(), link);
});

test('a data file with a second hard link is a fault, under either name', {
  skip: !posix,
}, async (t) => {
  const { folder, begin, start } = await dataFileWorld(t);
  const [file, hardLink] = [join(folder, 'one.json'), join(folder, 'two.json')];
  const first = await start({ dataFile: file });
  await update(first, { title: 'kept' });
  await first.close();
  await link(file, hardLink);
  for (const dataFile of [file, hardLink]) {
    const second = await begin({ dataFile });
    assert.ok('fault' in second, dataFile);
    assert.match(second.detail, /it has a hard link/);
  }
  assert.deepEqual((await readdir(folder)).sort(), ['one.json', 'one.json.lock', 'two.json']);
  await rm(hardLink);
  await start({ dataFile: file });
});

test('a data file that is not a regular file, or whose links form a circle, is a fault', {
  skip: !posix,
}, async (t) => {
  const { folder, begin } = await dataFileWorld(t);
  await symlink('circle.json', join(folder, 'circle.json'));
  const circle = join(folder, 'circle.json');
  // Of the last there would be no end of reading.
  for (const dataFile of [circle, join(circle, 'data.json'), folder, '/dev/zero']) {
    const response = await begin({ dataFile });
    assert.ok('fault' in response, dataFile);
    assert.equal(response.fault, 'failed');
  }
  assert.deepEqual(await readdir(folder), ['circle.json']);
});

test('a revocation survives a restart, even if nothing else has changed', async (t) => {
  const { begin } = await keeping(t);
  const first = await begin();
  const ofBen = first.tokens.ben;
  await first.close();
  const second = await begin();
  assert.equal((await call({ ...second, token: ofBen }, 'GET', '/account')).status, 200);
  await control(second, 'POST', '/revocations', { cause: 'user-revokes', userId: 'KUAABENQ' });
  await second.close();
  const third = await begin();
  assert.equal((await call({ ...third, token: ofBen }, 'GET', '/account')).status, 401);
});

test('a delivery in flight is not sent again after a restart if its webhook ended meanwhile', async (t) => {
  for (const [method, path] of [
    ['DELETE', ''],
    ['PUT', '?status=Suspended'],
  ] as const) {
    const { begin, receiver, clock, waiting } = await keeping(t);
    const first = await begin();
    await createWebhook(first, receiver);
    receiver.answer = () => new Promise(() => undefined);
    await update(first, { title: 'x' });
    await receiver.count(1);
    const { body } = await call(first, 'GET', '/webhooks');
    await call(first, method, `/webhooks/${body.data[0].id}${path}`);
    await first.close();
    assert.equal((await waiting()).length, 1);

    receiver.answer = 200;
    const second = await begin();
    clock.move(3_600_000);
    await settled(second);
    assert.equal(receiver.received.length, 1);
    await second.close();
    assert.deepEqual(await waiting(), []);
  }
});
