// Servers that accept connections and say nothing, as one that hangs does: wm says so, leaves no connection behind, and ends
// (`wm webhook listen`, `wm webhook forward`, `wm webhook sink`).

import assert from 'node:assert/strict';
import { tmpdir } from 'node:os';
import { test } from './bounded.ts';
import { proxyFor } from './connection-proxy.ts';
import { start, wm } from './running-wm.ts';
import { startSmallTrial, startTrial, store } from './trial.ts';

test('a silent server: the command ends with the reason, and at once after Ctrl-C', async (t) => {
  const { port, kept } = await proxyFor(t);
  const sink = `nats://127.0.0.1:${port}/S`;
  const home = tmpdir();
  for (const [at, words] of [['listen'], ['forward', '--forward-to', 'http://127.0.0.1:1/']].entries()) {
    const starting = start(['webhook', ...words, '--sink', sink], { home });
    await kept(at + 1);
    assert.equal(await starting.end(), 130, starting.errors());
    assert.match(starting.errors(), /Interrupted: wm had not started yet/);
  }
  for (const words of [
    ['sink', 'check', sink],
    ['listen', '--sink', sink],
  ]) {
    const ended = await wm(['webhook', ...words], { home });
    assert.equal(ended.status, 7, ended.errors);
    assert.match(ended.errors, /timeout/);
  }
});

test('the servers fall silent: a forwarder ends in time, and says what that means', async (t) => {
  const { trial, target, receiver } = await startSmallTrial(t);
  const between = await proxyFor(t, Number(trial.cluster.addresses.split(':')[1]));
  const sink = `nats://127.0.0.1:${between.port}/TRIAL`;
  const forwarder = await trial.forward(target.url, '--sink', sink, '--drain', '1');
  target.hold();
  await store(receiver.port, { key: 'a' });
  await target.until(() => target.keys.includes('a'));
  between.silence();
  // What came of it cannot be written down.
  target.release();
  const start = performance.now();
  assert.equal(await forwarder.end(), 130);
  const tookMs = performance.now() - start;
  assert.ok(tookMs < 12_000, `${tookMs} ms`);
  assert.match(forwarder.errors(), /the NATS servers did not respond/);
});

test('Ctrl-C while sink create waits for a stream: it reports the existing streams, and can be run again', async (t) => {
  const { cluster, home, ends } = await startTrial(t, { count: 1 }, ['--partitions', '2']);
  const between = await proxyFor(t, Number(cluster.addresses.split(':')[1]));
  const create = ['webhook', 'sink', 'create', `nats://127.0.0.1:${between.port}/S`];
  const asked = between.holdFrom('STREAM.CREATE.S-dead');
  const creating = start(create, { home });
  await asked;
  assert.equal(await creating.end(), 130, creating.errors());
  assert.match(creating.errors(), /Interrupted: 1 of the streams of S exists, as far as wm knows/);
  assert.match(creating.errors(), /Run the same command again/);
  const again = await ends(0, /^/, 'sink', 'create', `nats://${cluster.addresses}/S`);
  assert.match(again.output, /S-state/);
});

test('a server hangs with a lot of data in flight: the receiver still disconnects', async (t) => {
  const trial = await startTrial(t, { count: 1 }, ['--partitions', '2']);
  const port = Number(trial.cluster.addresses.split(':')[1]);
  const ways = [await proxyFor(t, port), await proxyFor(t, port)];
  const receiver = await trial.listen(`nats://${ways.map((way) => `127.0.0.1:${way.port}`).join(',')}/TRIAL`);
  assert.ok(ways.map((way) => way.hang()).includes(true));
  // More than the buffers of a connection hold.
  const title = 'x'.repeat(900_000);
  const keys = Array.from({ length: 16 }, (_, at) => `large ${at}`);
  await Promise.all(keys.map((key) => store(receiver.port, { key, title })));
  assert.equal(await receiver.end(), 0);
});
