// `webhook log --sink` and `webhook replay --sink`: what is in a sink, what became of it, and sending it again, while receivers and
// forwarders run.

import assert from 'node:assert/strict';
import { partitionFor } from '#receiver/sink/jetstream/sink-layout.ts';
import { rowsOf } from '#test/support/program/cells.ts';
import { freePort } from '#test/support/service/free-port.ts';
import { test } from './bounded.ts';
import { startSmallTrial, startTarget, startTrial, store } from './trial.ts';

/** The cells of a line: sequence, time, events, ids, title, signature, response, duplicates, state, target, outcome, attempts. */
const statesOf = (output: string) => rowsOf(output).map((row) => `${row[0]} ${row[8]}`);

test('log shows contents, state, duplicates and bodies; replay sends dead letters once, and nothing that is waiting', async (t) => {
  const trial = await startTrial(t);
  const target = await startTarget(t);
  const receiver = await trial.listen();
  const { log } = trial;
  const none = await trial.ends(0, /No deliveries are stored/, 'log', '--sink', trial.sink);
  assert.equal(none.output, '');
  await store(receiver.port, { key: 'one' });
  await store(receiver.port, { key: 'two', task: 'IEAAAAAQKQAAAAAB' });
  // The last is a duplicate.
  for (const key of ['three', 'one']) await store(receiver.port, { key });
  const waiting = await log();
  assert.deepEqual(statesOf(waiting.output), ['1 waiting', '2 waiting', '3 waiting'], waiting.errors);
  assert.match(waiting.errors, /3 deliveries are not forwarded yet, the oldest of \d{4}-/);
  target.respond(500);
  const forwarder = await trial.forward(target.url, '--max-attempts', '1');
  await target.until(() => target.keys.length === 3);
  target.respond(200);
  await store(receiver.port, { key: 'four' });
  await target.untilHas(['four']);
  // Their ends write what they know.
  assert.equal(await forwarder.end(), 0);
  assert.equal(await receiver.end(), 0);
  const all = await log();
  assert.deepEqual(statesOf(all.output), ['1 dead', '2 dead', '3 dead', '4 forwarded'], all.errors);
  assert.deepEqual(
    rowsOf(all.output).map((row) => [row[7], row[9], row[10]]),
    [
      ['1', target.url, '500'],
      ['0', target.url, '500'],
      ['0', target.url, '500'],
      ['0', target.url, '200'],
    ],
  );
  const dead = await log('--dead-letters', '--last', '2');
  assert.deepEqual(statesOf(dead.output), ['2 dead', '3 dead']);
  const since = await log('--since', '30m', '--task', 'IEAAAAAQKQAAAAAB');
  assert.deepEqual(statesOf(since.output), ['2 dead'], since.errors);
  const range = await log('3-4', '--json');
  assert.match(range.output, /"body": ?"\[\{\\"webhookId\\"/);
  const body = await log('4', '--body');
  assert.equal(
    body.output,
    '[{"webhookId":"IEAAAAAQQQQQQQQQ","eventType":"TaskTitleChanged","taskId":"IEAAAAAQKQAAAAAA","title":"four"}]',
  );
  const missing = await trial.ends(5, /Delivery not found: 9/, 'log', '--sink', trial.sink, '9');
  assert.ok(missing.errors.includes(`wm webhook log --sink ${trial.sink}`), missing.errors);
  const stuck = await log('--stuck');
  assert.deepEqual(
    rowsOf(stuck.output).map((row) => row.slice(0, 5)),
    [[target.url, '0', '0', '3', '1']],
    stuck.errors,
  );
  const replay = `wm webhook replay --dead-letters --sink ${trial.sink}`;
  assert.ok(stuck.errors.includes(replay), stuck.errors);
  assert.ok(forwarder.errors().includes(replay), forwarder.errors());
  for (const [words, problem] of [
    [['--sink', trial.sink, '--gaps'], /--gaps and --sink cannot be combined/],
    [['--sink', trial.sink, '--journal', 'somewhere'], /--sink and --journal cannot be combined/],
    [['--sink-ca', 'ca.pem'], /--sink-ca needs --sink/],
  ] as const)
    await trial.ends(2, problem, 'log', ...words);

  const receiving = await trial.listen();
  await store(receiving.port, { key: 'waits' });
  const replays = (status: number, errors: RegExp, ...words: readonly string[]) =>
    trial.ends(status, errors, 'replay', '--sink', trial.sink, ...words);
  const to = ['--forward-to', target.url];
  // To where they were forwarded.
  const where = new RegExp(`Would be sent to ${target.url}\\.`);
  const planned = await replays(0, where, '--dead-letters', '--dry-run');
  assert.deepEqual(statesOf(planned.output), ['1 dead', '2 dead', '3 dead'], planned.errors);
  // The servers are not to blame.
  await replays(7, /^(?!.*cut off)/s, '2', '--forward-to', 'http://127.0.0.1:1/');
  await replays(0, /^/, '2', ...to);
  await replays(0, /^/, '--dead-letters', '--yes', ...to);
  assert.deepEqual(target.keys.slice(4), ['two', 'one', 'three']);
  assert.equal(target.headers.at(-1)?.['x-wm-replay'], '1');
  assert.equal(target.headers.at(-1)?.['x-wm-delivery'], '3');
  await replays(5, /^/, '--dead-letters', '--yes', ...to);
  const after = ['1 replayed', '2 replayed', '3 replayed', '4 forwarded', '5 waiting'];
  assert.deepEqual(statesOf((await log()).output), after);
  await replays(2, /will still forward/, '5', ...to);
  await replays(0, /^/, '--last', '2', '--event', 'TaskTitleChanged', '--force', '--yes', ...to);
  assert.deepEqual(target.keys.slice(7).toSorted(), ['four', 'waits']);
});

test('replays a dead letter even if a target without a forwarder has not received it', async (t) => {
  const { trial, target, receiver } = await startSmallTrial(t);
  const before = await startTarget(t);
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
  await trial.ends(0, /^/, 'replay', '--dead-letters', '--sink', trial.sink);
  assert.deepEqual(target.keys, ['dead', 'dead']);
  assert.deepEqual(before.keys, ['first']);
});

test('log --follow prints new deliveries, their outcomes, and deliveries without a target', async (t) => {
  const { trial, target, receiver } = await startSmallTrial(t);
  await store(receiver.port, { key: 'before' });
  const following = await trial.runs(/^1\t/m, 'log', '--sink', trial.sink, '--follow');
  await store(receiver.port, { key: 'new', task: 'IEAAAAAQKQAAAAAB' });
  await following.says(/^2\t.*\twaiting\t/m);
  const forwarder = await trial.forward(target.url);
  await following.says(/^1\t.*\tforwarded\t/m);
  await following.says(/^2\t.*\tforwarded\t/m);
  assert.equal(await forwarder.end(), 0);
  const routing = ['--sink', trial.sink, '--route', `TaskCreated=${target.url}`];
  const router = await trial.runs(/Forwarding from/, 'forward', ...routing);
  await store(receiver.port, { key: 'unrouted' });
  await router.says(/no-target/);
  assert.equal(await router.end(), 0);
  const log = await trial.log();
  assert.deepEqual(statesOf(log.output), ['1 forwarded', '2 forwarded', '3 no-target'], log.errors);
  const lines = following.output().split('\n');
  // What was there is not printed a second time.
  assert.equal(lines.filter((line) => /^1\t.*\twaiting\t/.test(line)).length, 1, following.output());
});

test('the oldest waiting delivery is the oldest of its partition, and the metrics agree', async (t) => {
  const trial = await startTrial(t, { count: 1 }, ['--partitions', '2']);
  const target = await startTarget(t);
  const metricsPort = await freePort();
  const receiver = await trial.listen(trial.sink, '--metrics', String(metricsPort));
  const forwarder = await trial.forward(target.url);
  const tasks = Array.from({ length: 20 }, (_, at) => `IEAAAAAQKQAAAA${String(at).padStart(2, 'A')}`);
  const of = (partition: number) => tasks.find((task) => partitionFor(task, 2) === partition);
  await store(receiver.port, { key: 'forwarded', task: of(0) ?? '' });
  await forwarder.says(/\tforwarded\t/);
  assert.equal(await forwarder.end(), 0);
  const before = Date.now();
  await store(receiver.port, { key: 'waits', task: of(1) ?? '' });
  await store(receiver.port, { key: 'too', task: of(0) ?? '' });
  const log = await trial.log();
  assert.deepEqual(statesOf(log.output), ['1 forwarded', '2 waiting', '3 waiting']);
  const [, time = '', zone = ''] = /the oldest of (\S+ \S+) \(UTC(\S+)\)\./.exec(log.errors) ?? [];
  // It is shown to the second.
  const oldest = Date.parse(`${time.replace(' ', 'T')}${zone}`) + 999;
  assert.ok(oldest >= before && oldest <= Date.now() + 999, log.errors);
  for (;;) {
    const text = await (await fetch(`http://127.0.0.1:${metricsPort}/metrics`)).text();
    const now = Date.now();
    if (!/^wm_receiver_unfinished_deliveries 2$/m.test(text)) continue;
    const lagMs = Number(/^wm_receiver_lag_seconds (\S+)$/m.exec(text)?.[1]) * 1_000;
    assert.ok(lagMs > 0 && lagMs <= now - before, text);
    break;
  }
});
