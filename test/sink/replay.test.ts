// `webhook replay --sink`: dead letters and others are sent again from a sink, and the sink remembers it.

import assert from 'node:assert/strict';
import { test } from './bounded.ts';
import { run } from './running-wm.ts';
import { startTarget, startTrial, store } from './trial.ts';

const statesOf = (output: string) =>
  output
    .split('\n')
    .flatMap((line) => (line === '' ? [] : [`${line.split('\t')[0]} ${line.split('\t')[8]}`]));

test('dead letters are replayed once, without deliveries that a forwarder still has', async (t) => {
  const trial = await startTrial(t, { count: 1 }, ['--partitions', '2']);
  const target = await startTarget(t);
  const receiver = await trial.listen();
  target.respond(500);
  const forwarder = await trial.forward(target.url, '--max-attempts', '1');
  for (let at = 1; at <= 3; at++) await store(receiver.port, { key: `k${at}`, task: 'IEAAAAAQKQAAAAAA' });
  await target.until(() => target.keys.length === 3);
  assert.equal(await forwarder.end(), 0);
  await store(receiver.port, { key: 'waits' });
  target.respond(200);
  const replay = (...words: readonly string[]) =>
    trial.wm('webhook', 'replay', '--sink', trial.sink, ...words);
  const to = ['--forward-to', target.url];
  // To where they were forwarded.
  const planned = await replay('--dead-letters', '--dry-run');
  assert.ok(planned.errors.includes(`Would be sent to ${target.url}.`), planned.errors);
  assert.deepEqual(statesOf(planned.output), ['1 dead', '2 dead', '3 dead'], planned.errors);
  const replayed = await replay('2', ...to);
  assert.equal(replayed.status, 0, replayed.errors);
  const rest = await replay('--dead-letters', '--yes', ...to);
  assert.equal(rest.status, 0, rest.errors);
  assert.deepEqual(target.keys.slice(3), ['k2', 'k1', 'k3']);
  assert.equal(target.headers.at(-1)?.['x-wm-replay'], '1');
  assert.equal(target.headers.at(-1)?.['x-wm-delivery'], '3');
  const again = await replay('--dead-letters', '--yes', ...to);
  assert.equal(again.status, 5, again.errors);
  const log = await trial.wm('webhook', 'log', '--sink', trial.sink);
  assert.deepEqual(statesOf(log.output), ['1 replayed', '2 replayed', '3 replayed', '4 waiting'], log.errors);
  const waiting = await replay('4', ...to);
  assert.equal(waiting.status, 2, waiting.errors);
  assert.match(waiting.errors, /will still forward/);
  const last = await replay('--last', '2', '--event', 'TaskTitleChanged', '--force', '--yes', ...to);
  assert.equal(last.status, 0, last.errors);
  assert.deepEqual(target.keys.slice(6).toSorted(), ['k3', 'waits']);
});

test('a failed replay stays a dead letter, and two replays do not run at a time', async (t) => {
  const trial = await startTrial(t, { count: 1 }, ['--partitions', '2']);
  const target = await startTarget(t);
  const receiver = await trial.listen();
  target.respond(500);
  const forwarder = await trial.forward(target.url, '--max-attempts', '1');
  await store(receiver.port, { key: 'bad' });
  await target.until(() => target.keys.length === 1);
  assert.equal(await forwarder.end(), 0);
  const words = ['webhook', 'replay', '1', '--sink', trial.sink, '--forward-to', target.url];
  const failed = await trial.wm(...words);
  assert.equal(failed.status, 8, failed.errors);
  assert.match(failed.output, /\t500\t/);
  const dead = await trial.wm('webhook', 'log', '--sink', trial.sink, '--dead-letters');
  assert.deepEqual(statesOf(dead.output), ['1 dead']);
  target.hold();
  const slow = run(words, /\tfailed$/m, { home: trial.home });
  await target.until(() => target.keys.length === 3);
  const second = await trial.wm(...words);
  assert.equal(second.status, 1, second.errors);
  assert.match(second.errors, /Another wm webhook replay is sending deliveries of this sink/);
  target.release();
  await slow;
  assert.equal(target.keys.length, 3);
});

test('a dead letter is replayed although a target without a forwarder has not received it', async (t) => {
  const trial = await startTrial(t, { count: 1 }, ['--partitions', '2']);
  const [before, target] = [await startTarget(t), await startTarget(t)];
  const receiver = await trial.listen();
  const first = await trial.forward(before.url);
  await store(receiver.port, { key: 'first' });
  await before.until(() => before.keys.length === 1);
  assert.equal(await first.end(), 0);
  target.respond(500);
  const second = await trial.forward(target.url, '--max-attempts', '1');
  await store(receiver.port, { key: 'dead' });
  await target.until(() => target.keys.length === 1);
  assert.equal(await second.end(), 0);
  target.respond(200);
  const replayed = await trial.wm('webhook', 'replay', '--dead-letters', '--sink', trial.sink);
  assert.equal(replayed.status, 0, replayed.errors);
  assert.deepEqual(target.keys, ['dead', 'dead']);
  assert.deepEqual(before.keys, ['first']);
});
