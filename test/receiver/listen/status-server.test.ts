// `wm webhook listen --metrics`: what a monitoring system reads while deliveries come, while the disk is full, and at the end.

import assert from 'node:assert/strict';
import { readdir } from 'node:fs/promises';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { createTestClock } from '#test/support/clock.ts';
import { createFaultySystem } from '#test/support/disk/faulty-system.ts';
import { ownFolder } from '#test/support/disk/own-folder.ts';
import { listening } from '#test/support/service/listening.ts';
import { createFiles } from '#world/files.ts';
import { readPrometheusText } from '../core/metrics/read-prometheus-text.ts';
import { diskWithRoom } from './disk-with-room.ts';
import { deliver, type ListenerSetting, listen, startListener, startTarget } from './running-listener.ts';

const created = [{ eventType: 'TaskCreated', taskId: 'IEAAAAAQKQAB5BNG' }];

/** A receiver with its status server, and what that says. */
async function listenWithStatus(test: TestContext, typed: string, setting?: ListenerSetting) {
  const listener = await listen(test, `--json --metrics 0 ${typed}`, setting);
  const [, base = ''] = await listener.prints(/Metrics are on (http:\/\/127\.0\.0\.1:\d+)\/metrics/);
  const get = async (path: string) => {
    const response = await fetch(`${base}${path}`);
    return { status: response.status, text: await response.text() };
  };
  const sample = async (key: string) => {
    const metrics = readPrometheusText((await get('/metrics')).text);
    return [...metrics.values()].flatMap(({ samples }) => samples.get(key) ?? [])[0];
  };
  return { listener, get, sample };
}

test('counts deliveries as they are received and as they are forwarded', async (context) => {
  const target = await startTarget(context);
  const { listener, get, sample } = await listenWithStatus(context, `--forward-to ${target.url}`);
  assert.deepEqual(await get('/healthz'), { status: 200, text: 'ok\n' });
  assert.deepEqual(await get('/readyz'), { status: 200, text: 'ready\n' });
  assert.equal(await deliver(listener, created, { key: 'a' }), 200);
  await listener.next('attempt');
  assert.equal(await deliver(listener, created, { key: 'a' }), 200);
  assert.equal(await deliver(listener, created, { secret: 'another' }), 503);
  assert.equal(await sample('wm_receiver_deliveries_total{event="TaskCreated",outcome="stored"}'), 1);
  assert.equal(await sample('wm_receiver_deliveries_total{event="TaskCreated",outcome="forwarded"}'), 1);
  assert.equal(await sample('wm_receiver_requests_total{outcome="duplicate"}'), 1);
  assert.equal(await sample('wm_receiver_requests_total{outcome="bad-signature"}'), 1);
  assert.equal(await sample('wm_receiver_store_seconds_count'), 1);
  assert.equal(await sample('wm_receiver_forward_seconds_count'), 1);
  assert.equal(await sample('wm_receiver_lag_seconds'), 0);
  assert.equal(await sample(`wm_receiver_target_up{target="${target.url}"}`), 1);
  assert.ok(((await sample('wm_receiver_journal_bytes')) ?? 0) > 0);
  assert.ok(((await sample('wm_receiver_sync_seconds')) ?? 0) > 0);
  assert.equal((await listener.stop()).status, 0);
  await assert.rejects(get('/healthz'), 'the port is free again');
});

test('waiting deliveries show as lag, and their target as down', async (context) => {
  const nobody = 'http://127.0.0.1:1/hook';
  const { listener, sample, get } = await listenWithStatus(context, `--forward-to ${nobody} --drain 0`);
  assert.equal(await deliver(listener, created), 200);
  await listener.next('target');
  assert.equal(await sample('wm_receiver_unfinished_deliveries'), 1);
  assert.ok(((await sample('wm_receiver_lag_seconds')) ?? 0) > 0);
  assert.equal(await sample(`wm_receiver_target_up{target="${nobody}"}`), 0);
  // It still stores.
  assert.equal((await get('/readyz')).status, 200);
});

test('a full disk: healthy but not ready, 503 and one warning, then 200 once there is room; no acknowledged delivery is lost', async (context) => {
  const folder = await ownFolder(context);
  let isFull = false;
  const world = { files: diskWithRoom(folder, () => !isFull) };
  const target = await startTarget(context);
  const flags = `--forward-to ${target.url}`;
  const { listener, get, sample } = await listenWithStatus(context, flags, { folder, world });
  const send = (at: number) => deliver(listener, [{ ...created[0], at }]);
  assert.equal(await send(1), 200);
  isFull = true;
  for (const at of [2, 3]) assert.equal(await send(at), 503);
  await listener.prints(/Cannot store deliveries: no space is left on the disk/);
  const { status, text } = await get('/readyz');
  assert.equal(status, 503);
  assert.match(text, /^not ready: .*no space/);
  assert.equal((await get('/healthz')).status, 200);
  assert.equal(await sample('wm_receiver_storage_fault'), 1);
  assert.equal(await sample('wm_receiver_requests_total{outcome="not-stored"}'), 2);
  isFull = false;
  assert.equal(await send(4), 200);
  await listener.prints(/Deliveries can be stored again/);
  assert.equal((await get('/readyz')).status, 200);
  assert.equal(await sample('wm_receiver_storage_fault'), 0);
  await target.has(2);
  assert.deepEqual(
    target.received.map(({ body }) => JSON.parse(body)[0].at),
    [1, 4],
  );
  const { errors } = await listener.stop();
  assert.equal(errors.match(/Cannot store deliveries/g)?.length, 1);
  assert.match(errors, /^2 received, 2 rejected \(2 could not be stored\), 2 forwarded\.$/m);
});

test('not ready with disk room for records only; ready once a delivery fits, before the next one', async (context) => {
  const folder = await ownFolder(context);
  let room = Number.POSITIVE_INFINITY;
  const real = diskWithRoom(folder, (_, bytes) => bytes <= room);
  /** Each attempt to write ends with it. */
  let isRemoved = () => {};
  const removal = () =>
    new Promise<void>((resolve) => {
      isRemoved = resolve;
    });
  const files = {
    ...real,
    async remove(...parameters: Parameters<typeof real.remove>) {
      const removed = await real.remove(...parameters);
      isRemoved();
      return removed;
    },
  };
  const clock = createTestClock();
  const { listener, get, sample } = await listenWithStatus(context, '', { folder, world: { files, clock } });
  room = 400;
  assert.equal(await deliver(listener, [{ ...created[0], title: 'x'.repeat(20_000) }]), 503);
  assert.equal((await get('/readyz')).status, 503);
  // Its rejection is a note, which fits.
  for (const roomNow of [400, 20_000]) {
    room = roomNow;
    const tried = removal();
    clock.advance(1_000);
    await tried;
    assert.equal((await get('/readyz')).status, 503, `${roomNow} bytes`);
    assert.equal(await sample('wm_receiver_storage_fault'), 1);
  }
  room = 50_000;
  const tried = removal();
  clock.advance(1_000);
  await tried;
  assert.deepEqual(await get('/readyz'), { status: 200, text: 'ready\n' });
  assert.equal(await deliver(listener, [{ ...created[0], title: 'x'.repeat(20_000) }]), 200);
  assert.ok(!(await readdir(join(folder, 'state/deliveries'))).includes('trial'));
});

test('while the disk hangs it is not ready, until it responds', async (context) => {
  const folder = await ownFolder(context);
  const faulty = createFaultySystem();
  context.after(() => faulty.close());
  const files = createFiles({ WM_CONFIG_DIR: folder }, process.platform, folder, undefined, faulty.system);
  const clock = createTestClock();
  const { listener, get } = await listenWithStatus(context, '', { folder, world: { files, clock } });
  assert.equal(await deliver(listener, created, { key: 'a' }), 200);
  const held: (() => void)[] = [];
  const hanging = new Promise<void>((reached) => {
    // Nothing else: what wm writes at its start may sync at this moment too.
    faulty.before = (call) => {
      if (!/^sync .*\.journal$/.test(call)) return undefined;
      reached();
      return new Promise((release) => held.push(release));
    };
  });
  const response = deliver(listener, created, { key: 'b' });
  await hanging;
  clock.advance(10_000);
  assert.equal(await response, 503);
  const { status, text } = await get('/readyz');
  assert.equal(status, 503);
  assert.match(text, /^not ready: the disk has not confirmed/);
  await listener.next('storage');
  faulty.before = () => undefined;
  for (const release of held) release();
  assert.equal((await listener.next('storage'))['fault'], undefined);
  assert.equal((await get('/readyz')).status, 200);
});

test('while draining it is not ready, and the metrics are still served', async (context) => {
  const target = await startTarget(context);
  target.hold();
  const { listener, get } = await listenWithStatus(context, `--forward-to ${target.url}`);
  assert.equal(await deliver(listener, created), 200);
  await target.has(1);
  listener.interrupt('SIGTERM');
  assert.deepEqual(await get('/readyz'), { status: 503, text: 'not ready: wm is stopping\n' });
  assert.equal((await get('/metrics')).status, 200);
  target.release();
  assert.equal((await listener.ended).status, 0);
});

test('a signal during startup makes it not ready at once', async (context) => {
  const folder = await ownFolder(context);
  const real = createFiles({ WM_CONFIG_DIR: folder }, process.platform, folder);
  let release: (() => void) | undefined;
  const files = { ...real };
  /** The last part of the start, which the disk may delay. */
  const recording = new Promise<void>((resolve) => {
    files.appendLine = async (...parameters) => {
      if (parameters[1] === 'receivers.ndjson' && release === undefined)
        await new Promise<void>((released) => {
          release = released;
          resolve();
        });
      return real.appendLine(...parameters);
    };
  });
  const { listener, get } = await listenWithStatus(context, '', { folder, world: { files } });
  await recording;
  assert.deepEqual(await get('/readyz'), { status: 200, text: 'ready\n' });
  listener.interrupt('SIGTERM');
  assert.deepEqual(await get('/readyz'), { status: 503, text: 'not ready: wm is stopping\n' });
  release?.();
  assert.equal((await listener.ended).status, 0);
});

test('exits before it accepts anything if the port is in use', async (context) => {
  const other = createServer();
  const port = await listening(other);
  context.after(() => void other.close());
  const { status, errors } = await startListener(context, `--metrics ${port}`).ended;
  assert.equal(status, 2);
  assert.match(errors, /wm cannot serve metrics on 127\.0\.0\.1 port \d+/);
  assert.match(errors, /another program listens there/);
  assert.match(errors, /--metrics/);
  assert.doesNotMatch(errors, /Listening/);
});

test('--metrics takes an address too', async (context) => {
  for (const [address, shown] of [
    ['localhost:0', /Metrics are on http:\/\/127\.0\.0\.1:\d+\/metrics/],
    ['0.0.0.0:0', /Metrics are on http:\/\/0\.0\.0\.0:\d+\/metrics/],
  ] as const)
    await (await listen(context, `--metrics ${address}`)).prints(shown);
});
