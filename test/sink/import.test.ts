// A local journal that moves into a sink, without duplicates and in order, also when the import is killed on the way: what waits is
// forwarded from there, and what is finished can be seen and sent again there.

import assert from 'node:assert/strict';
import { once } from 'node:events';
import { mkdir, readdir, readFile, truncate } from 'node:fs/promises';
import { join } from 'node:path';
import type { TestContext } from 'node:test';
import { freePort } from '../free-port.ts';
import { continueProcess, stopProcess } from '../stopped-process.ts';
import { test } from './bounded.ts';
import { startProxy } from './connection-proxy.ts';
import { type RunningWm, run, start } from './running-wm.ts';
import { startTarget, startTrial, store, type Target, type Trial } from './trial.ts';
import { watchStream } from './watch-stream.ts';

interface Receiver extends RunningWm {
  readonly port: number;
  readonly folder: string;
}

async function startReceiver({ home }: Pick<Trial, 'home'>, ...words: string[]): Promise<Receiver> {
  const folder = join(home, 'journal');
  const port = await freePort();
  const all = ['webhook', 'listen', '--port', String(port), '--journal', folder, ...words];
  return { ...(await run(all, new RegExp(`:${port}`), { home })), port, folder };
}

/** `k0`, `k1`... in the order of their numbers within each of eight tasks. */
async function deliverMany(port: number, prefix: string, count: number): Promise<readonly string[]> {
  let next = 0;
  const lane = async (task: number) => {
    while (next < count) {
      const number = next++;
      await store(port, { key: `${prefix}${number}`, task: `T${task}` });
    }
  };
  await Promise.all(Array.from({ length: 8 }, (_, task) => lane(task)));
  return Array.from({ length: count }, (_, number) => `${prefix}${number}`);
}

/** A journal with so many deliveries that nothing has taken. */
async function fillJournal(trial: Trial, count: number): Promise<string> {
  const receiver = await startReceiver(trial, '--forward-to', 'http://127.0.0.1:1/hook');
  await deliverMany(receiver.port, 'k', count);
  assert.equal(await receiver.end(), 0);
  return receiver.folder;
}

/** Adds deliveries that the target has taken, and some that it has rejected for good. */
async function addFinished(
  t: Pick<TestContext, 'after'>,
  trial: Trial,
  { taken, dead }: { readonly taken: number; readonly dead: number },
): Promise<Target & { readonly folder: string }> {
  const target = await startTarget(t);
  const receiver = await startReceiver(trial, '--forward-to', target.url, '--max-attempts', '1');
  await deliverMany(receiver.port, 'taken', taken);
  await target.until(() => target.keys.length === taken);
  target.respond(500);
  await deliverMany(receiver.port, 'dead', dead);
  await target.until(() => target.keys.length === taken + dead);
  target.respond(200);
  assert.equal(await receiver.end(), 0);
  return Object.assign(target, { folder: receiver.folder });
}

interface Row {
  readonly sequence: number;
  readonly idempotencyKey: string;
  readonly state: string;
  readonly ids: readonly string[];
  readonly attempts: readonly { readonly target: string; readonly outcome: string }[];
}

async function readLog(trial: Trial, ...words: readonly string[]): Promise<readonly Row[]> {
  const { output, errors, status } = await trial.wm('webhook', 'log', '--json', ...words);
  assert.equal(status, 0, errors);
  return JSON.parse(output);
}

const statesOf = (rows: readonly Row[]) =>
  rows.map(({ idempotencyKey, state }) => `${idempotencyKey} ${state}`).toSorted();

/** The same numbers in each run, so that a failure can be tried again. */
function createRandom(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
}

test('an import is killed 20 times and goes on: everything is in the sink once, in order', async (t) => {
  const trial = await startTrial(t);
  const rejecting = await addFinished(t, trial, { taken: 600, dead: 40 });
  const waiting = 800;
  const folder = await fillJournal(trial, waiting);
  const before = await readLog(trial, '--journal', folder);
  const words = ['webhook', 'sink', 'import', folder, '--sink', trial.sink];
  const stream = await watchStream(t, trial.cluster.addresses, 'TRIAL');
  const seed = 20_261_123;
  const random = createRandom(seed);
  const total = waiting + 640;
  const kills: number[] = [];
  for (let round = 0; round < 20; round++) {
    const importing = start(words, { home: trial.home });
    const ended = once(importing, 'exit');
    await Promise.race([stream.until(stream.messages.length + random(140)), ended]);
    importing.kill('SIGKILL');
    await ended;
    kills.push(stream.messages.length);
  }
  const last = await trial.wm(...words);
  assert.equal(last.status, 0, last.errors);
  await stream.until(total);
  const again = await trial.wm(...words);
  assert.match(again.output, /^0 deliveries are in the sink now\.\n$/);
  assert.equal(stream.messages.length, total);
  assert.equal(new Set(stream.messages.map(({ id }) => id)).size, total);
  const after = await readLog(trial, '--sink', trial.sink);
  assert.deepEqual(statesOf(after), statesOf(before));
  // In the sink, the deliveries of a task have the order that they had in the journal.
  const orderOf = (rows: readonly Row[], task: string, isWaiting: boolean) =>
    rows
      .filter(({ ids, state }) => ids.includes(task) && (state === 'waiting') === isWaiting)
      .map(({ idempotencyKey }) => idempotencyKey);
  for (let task = 0; task < 8; task++)
    for (const isWaiting of [true, false])
      assert.deepEqual(orderOf(after, `T${task}`, isWaiting), orderOf(before, `T${task}`, isWaiting));
  // Only what waited is forwarded.
  const target = await startTarget(t);
  await trial.forward(target.url);
  await target.until(() => target.keys.length >= waiting);
  assert.equal(new Set(target.keys).size, waiting);
  assert.ok(target.keys.every((key) => key.startsWith('k')));
  assert.equal(rejecting.keys.length, 640);
  process.stderr.write(
    `import: seed ${seed}, killed at ${kills.join(', ')} of ${total}; each once, in order, ${waiting} forwarded\n`,
  );
});

test('what was finished is shown by log, sent by replay, and recognised when it comes again', async (t) => {
  const trial = await startTrial(t, { count: 1 }, ['--partitions', '256']);
  const target = await addFinished(t, trial, { taken: 5, dead: 4 });
  const { folder } = target;
  const toTarget = ['--forward-to', target.url];
  const replayed = await trial.wm('webhook', 'replay', '7', '--journal', folder, ...toTarget);
  assert.equal(replayed.status, 0, replayed.errors);
  const before = await readLog(trial, '--journal', folder);
  const words = ['webhook', 'sink', 'import', folder, '--sink', trial.sink];
  const imported = await trial.wm(...words, '--json');
  assert.equal(imported.status, 0, imported.errors);
  assert.deepEqual(JSON.parse(imported.output), {
    imported: 9,
    waiting: 0,
    finished: 9,
    deadLetters: 3,
    alreadyThere: 0,
    damaged: 0,
  });
  assert.ok(imported.errors.includes(`wm webhook log --dead-letters --sink ${trial.sink}`), imported.errors);
  const inSink = ['--sink', trial.sink];
  const after = await readLog(trial, ...inSink);
  const expected = before.map(({ idempotencyKey, state }) => `${idempotencyKey} ${state}`).toSorted();
  assert.deepEqual(statesOf(after), expected);
  assert.equal(after.filter(({ state }) => state === 'replayed').length, 1);
  assert.deepEqual(
    after.find(({ state }) => state === 'dead')?.attempts.map((one) => [one.target, one.outcome]),
    [[target.url, '500']],
  );
  // There is nothing to forward, whether a target is new or not.
  assert.deepEqual(await readLog(trial, ...inSink, '--state', 'waiting,retrying'), []);
  const receiver = await trial.listen(trial.sink, '--forward-to', target.url);
  const had = target.keys.length;
  await store(receiver.port, { key: 'taken0', task: 'T0' });
  await store(receiver.port, { key: 'new' });
  await target.untilHas(['new']);
  assert.equal(target.keys.length, had + 1);
  assert.equal(await receiver.end(), 0);
  const rest = await trial.wm('webhook', 'replay', '--dead-letters', '--yes', ...inSink, ...toTarget);
  assert.equal(rest.status, 0, rest.errors);
  assert.equal(target.keys.length, had + 4);
  // A dead letter is in one place only.
  assert.deepEqual(await readLog(trial, '--journal', folder, '--dead-letters'), []);
  const none = await trial.wm('webhook', 'replay', '--dead-letters', '--journal', folder, ...toTarget);
  assert.equal(none.status, 5, none.errors);
});

test('an import is refused while a receiver uses the journal, and where there is none', async (t) => {
  const trial = await startTrial(t, { count: 1 }, ['--partitions', '2']);
  const receiver = await startReceiver(trial, '--forward-to', 'http://127.0.0.1:1/hook');
  t.after(() => receiver.kill());
  await store(receiver.port, { key: 'one' });
  const importing = ['webhook', 'sink', 'import', receiver.folder, '--sink', trial.sink];
  const refused = await trial.wm(...importing);
  assert.equal(refused.status, 1);
  assert.match(
    refused.errors,
    /Another receiver uses the journal .*\n.*process \d+ has it open\n.*End that process first/,
  );
  const other = join(trial.home, 'other');
  await mkdir(other);
  const nothing = await trial.wm('webhook', 'sink', 'import', other, '--sink', trial.sink);
  assert.equal(nothing.status, 5, nothing.errors);
  assert.match(nothing.errors, /There is no journal in/);
  assert.deepEqual(await readdir(other), []);
  const fewer = await trial.wm(...importing, '--partitions', '4');
  assert.equal(fewer.status, 2);
  assert.match(fewer.errors, /has 2 partitions, not 4/);
});

test('a journal whose last delivery is torn: the others are imported, and that is said', async (t) => {
  const trial = await startTrial(t, { count: 1 }, ['--partitions', '2']);
  const receiver = await startReceiver(trial, '--forward-to', 'http://127.0.0.1:1/hook');
  await deliverMany(receiver.port, 'k', 3);
  await receiver.kill();
  const name = (await readdir(receiver.folder)).filter((one) => one.endsWith('.journal')).at(-1) ?? '';
  const bytes = await readFile(join(receiver.folder, name));
  await truncate(join(receiver.folder, name), bytes.lastIndexOf('"title":"k2"') + 5);
  const imported = await trial.wm('webhook', 'sink', 'import', receiver.folder, '--sink', trial.sink);
  assert.equal(imported.status, 0, imported.errors);
  assert.match(imported.errors, /\.journal ended in the middle of what was written last/);
  assert.match(imported.output, /^2 deliveries are in the sink now: 2 to be forwarded, 0 finished\.\n$/);
});

test('without a quorum, and with Ctrl-C: how far it came, how to go on, and nothing twice', async (t) => {
  const trial = await startTrial(t);
  const count = 3_000;
  const folder = await fillJournal(trial, count);
  // Through this process, so that the import stands still too while this process does, and is not over before it is interrupted.
  const proxies = await Promise.all(
    trial.cluster.nodes.map(({ address }) => startProxy(Number(address.split(':')[1]))),
  );
  t.after(() => {
    for (const proxy of proxies) proxy.close();
  });
  const sink = `nats://${proxies.map(({ port }) => `127.0.0.1:${port}`).join(',')}/TRIAL`;
  const words = ['webhook', 'sink', 'import', folder, '--sink', sink];
  const stream = await watchStream(t, trial.cluster.addresses, 'TRIAL');
  const begin = () => {
    const importing = start(words, { home: trial.home });
    let errors = '';
    importing.stderr?.setEncoding('utf8').on('data', (piece) => {
      errors += piece;
    });
    return { importing, errors: () => errors, ended: once(importing, 'close') };
  };
  const first = begin();
  await stream.until(30);
  first.importing.kill('SIGINT');
  assert.deepEqual(await first.ended, [130, null], first.errors());
  assert.match(first.errors(), /Interrupted: \d+ of 3000 waiting deliveries are in the sink/);
  assert.ok(first.errors().includes(`To continue: wm ${words.join(' ')}`), first.errors());
  const had = stream.messages.length;
  assert.ok(had < count, `${had}`);
  const second = begin();
  await stream.until(had + 30);
  const [, two, three] = trial.cluster.nodes;
  const frozen = [two?.pid() ?? 0, three?.pid() ?? 0];
  await Promise.all(frozen.map(stopProcess));
  const [status] = await second.ended;
  assert.equal(status, 8, second.errors());
  assert.match(second.errors(), /\d+ of \d+ waiting deliveries are in the sink\n.*(?:quorum|no connection)/);
  const unreachable = await trial.wm(...words);
  assert.equal(unreachable.status, 7, unreachable.errors);
  await Promise.all(frozen.map(continueProcess));
  // The servers may still choose leaders; then it says so, and goes on with the next run.
  let last = await trial.wm(...words);
  while (last.status === 7) last = await trial.wm(...words);
  assert.equal(last.status, 0, last.errors);
  const log = await readLog(trial, '--sink', trial.sink);
  assert.equal(log.length, count);
  assert.equal(new Set(log.map(({ idempotencyKey }) => idempotencyKey)).size, count);
});
