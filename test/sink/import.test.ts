// A local journal that moves into a sink, without duplicates and in order, also when the import is killed on the way.

import assert from 'node:assert/strict';
import { mkdir, readdir, readFile, truncate } from 'node:fs/promises';
import { join } from 'node:path';
import { continueProcess, stopProcess } from '#test/support/process/stopped-process.ts';
import { freePort } from '#test/support/service/free-port.ts';
import { test } from './bounded.ts';
import { proxyFor } from './connection-proxy.ts';
import { watchStream } from './nats-client.ts';
import { run, start } from './running-wm.ts';
import { startTarget, startTrial, store, type Trial } from './trial.ts';

async function startReceiver({ home }: Pick<Trial, 'home'>, ...words: string[]) {
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

interface Row {
  readonly idempotencyKey: string;
  readonly state: string;
  readonly ids: readonly string[];
}

async function readLog(trial: Trial, ...words: readonly string[]): Promise<readonly Row[]> {
  return JSON.parse((await trial.ends(0, /^/, 'log', '--json', ...words)).output);
}

test('an import killed ten times continues: the sink gets waiting deliveries once, in order; forwarded ones stay', async (t) => {
  const trial = await startTrial(t, { count: 1 });
  const taking = await startTarget(t);
  const receiver = await startReceiver(trial, '--forward-to', taking.url);
  await deliverMany(receiver.port, 'taken', 20);
  await taking.until(() => taking.keys.length === 20);
  assert.equal(await receiver.end(), 0);
  const waiting = 800;
  const folder = await fillJournal(trial, waiting);
  const before = await readLog(trial, '--journal', folder, '--state', 'waiting');
  const words = ['webhook', 'sink', 'import', folder, '--sink', trial.sink];
  const stream = await watchStream(t, trial.cluster.addresses, 'TRIAL');
  for (const count of [0, 1, 130, 64, 17, 99, 63, 5, 112, 40]) {
    const importing = start(words, { home: trial.home });
    await Promise.race([stream.until(stream.messages.length + count), importing.closed]);
    await importing.kill();
  }
  const last = await trial.wm(...words);
  assert.equal(last.status, 0, last.errors);
  const again = await trial.wm(...words, '--json');
  assert.deepEqual(JSON.parse(again.output), { imported: 0, alreadyThere: 0, damaged: 0 });
  await stream.until(waiting);
  assert.equal(stream.messages.length, waiting);
  assert.equal(new Set(stream.messages.map(({ id }) => id)).size, waiting);
  // In the sink, the deliveries of a task have the order that they had in the journal.
  const after = await readLog(trial, '--sink', trial.sink);
  const orderOf = (rows: readonly Row[], task: number) =>
    rows.filter(({ ids }) => ids.includes(`T${task}`)).map(({ idempotencyKey }) => idempotencyKey);
  for (let task = 0; task < 8; task++) assert.deepEqual(orderOf(after, task), orderOf(before, task));
  // In the journal nothing waits any more, and what was forwarded is there as before.
  assert.deepEqual(await readLog(trial, '--journal', folder, '--state', 'waiting,retrying'), []);
  const taken = (await readLog(trial, '--journal', folder)).filter(({ idempotencyKey }) =>
    idempotencyKey.startsWith('taken'),
  );
  assert.deepEqual([...new Set(taken.map(({ state }) => state))], ['forwarded']);
  assert.equal(taken.length, 20);
});

test('an import fails while a receiver uses the journal, and without a journal; it skips a torn delivery', async (t) => {
  const trial = await startTrial(t, { count: 1 }, ['--partitions', '2']);
  const receiver = await startReceiver(trial, '--forward-to', 'http://127.0.0.1:1/hook');
  t.after(() => receiver.kill());
  await deliverMany(receiver.port, 'k', 3);
  const importing = ['sink', 'import', receiver.folder, '--sink', trial.sink];
  const used = /Another receiver uses the journal .*\n.*process \d+ has it open\n.*End that process first/;
  await trial.ends(1, used, ...importing);
  const other = join(trial.home, 'other');
  await mkdir(other);
  await trial.ends(5, /No journal found in/, 'sink', 'import', other, '--sink', trial.sink);
  assert.deepEqual(await readdir(other), []);
  await trial.ends(2, /has 2 partitions, not 4/, ...importing, '--partitions', '4');

  // Its last delivery is torn: the others are imported, and wm says so.
  await receiver.kill();
  const name = (await readdir(receiver.folder)).filter((file) => file.endsWith('.journal')).at(-1) ?? '';
  const bytes = await readFile(join(receiver.folder, name));
  await truncate(join(receiver.folder, name), bytes.lastIndexOf('"title":"k2"') + 5);
  const imported = await trial.ends(0, /\.journal ended in an incomplete write/, ...importing);
  assert.doesNotMatch(imported.errors, /--max-size/);
  const ready = '2 deliveries are in the sink now: receivers and forwarders can start on it.\n';
  assert.equal(imported.output, ready);
});

test('without a quorum, and after Ctrl-C: the progress, how to continue, and no delivery twice', async (t) => {
  const trial = await startTrial(t);
  const count = 3_000;
  const folder = await fillJournal(trial, count);
  // Through this process, so that the import is not over before it is interrupted: without acknowledgements it stands still.
  const proxies = await Promise.all(
    trial.cluster.nodes.map(({ address }) => proxyFor(t, Number(address.split(':')[1]))),
  );
  const sink = `nats://${proxies.map(({ port }) => `127.0.0.1:${port}`).join(',')}/TRIAL`;
  const words = ['webhook', 'sink', 'import', folder, '--sink', sink];
  const stream = await watchStream(t, trial.cluster.addresses, 'TRIAL');
  const standStillAt = async (stored: number) => {
    await stream.until(stored);
    for (const proxy of proxies) proxy.mute();
  };
  const goOn = () => {
    for (const proxy of proxies) proxy.unmute();
  };
  const first = start(words, { home: trial.home });
  await standStillAt(1);
  first.interrupt();
  goOn();
  assert.equal(await first.untilEnd(), 130, first.errors());
  assert.match(first.errors(), /Interrupted: \d+ of 3000 waiting deliveries are in the sink/);
  assert.ok(first.errors().includes(`To continue: wm ${words.join(' ')}`), first.errors());
  const had = stream.messages.length;
  assert.ok(had < count, `${had}`);
  const second = start(words, { home: trial.home });
  // More than are under way at once, so that wm knows of some.
  await standStillAt(had + 200);
  const [, two, three] = trial.cluster.nodes;
  const frozen = [two?.pid() ?? 0, three?.pid() ?? 0];
  await Promise.all(frozen.map(stopProcess));
  goOn();
  assert.equal(await second.untilEnd(), 8, second.errors());
  assert.match(second.errors(), /\d+ of \d+ waiting deliveries are in the sink\n.*(?:quorum|no connection)/);
  const unreachable = await trial.wm(...words);
  // The leader may know some that were on their way, and says so of each.
  assert.equal(unreachable.status, /^wm: [1-9]\d* of /m.test(unreachable.errors) ? 8 : 7, unreachable.errors);
  await Promise.all(frozen.map(continueProcess));
  // The servers may still choose leaders; then it says so, and goes on with the next run.
  let last = await trial.wm(...words);
  while (last.status === 7) last = await trial.wm(...words);
  assert.equal(last.status, 0, last.errors);
  const log = await readLog(trial, '--sink', trial.sink);
  assert.equal(log.length, count);
  assert.equal(new Set(log.map(({ idempotencyKey }) => idempotencyKey)).size, count);
});
