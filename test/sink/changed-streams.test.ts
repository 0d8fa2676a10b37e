// Streams that somebody deletes or changes with another tool, below receivers and forwarders.

import assert from 'node:assert/strict';
import type { TestContext } from 'node:test';
import { test } from './bounded.ts';
import { connectTo } from './nats-client.ts';
import { startTarget, startTrial, store, type Trial } from './trial.ts';

const manage = async (t: TestContext, trial: Trial) => (await connectTo(t, trial.cluster.addresses)).manager;

const creating = ['--partitions', '2'];

test('the consumers are deleted under a forwarder: it creates them again, and says so', async (t) => {
  const trial = await startTrial(t, { count: 1 }, creating);
  const target = await startTarget(t);
  const { consumers } = await manage(t, trial);
  const receiver = await trial.listen();
  const forwarder = await trial.forward(target.url);
  await store(receiver.port, { key: 'a' });
  await forwarder.says(/\tforwarded\t/);
  for (const { name } of await consumers.list('TRIAL').next()) await consumers.delete('TRIAL', name);
  for (const key of ['b', 'c']) await store(receiver.port, { key });
  await target.until(() => target.keys.includes('c'));
  assert.deepEqual(target.keys, ['a', 'b', 'c']);
  await forwarder.says(/Cannot forward deliveries: a consumer of the stream TRIAL is gone/);
  await forwarder.says(/can be forwarded again/);
});

test('the stream is deleted under a receiver and a forwarder, and created again: both go on', async (t) => {
  const trial = await startTrial(t, { count: 1 }, creating);
  const target = await startTarget(t);
  const { streams } = await manage(t, trial);
  const receiver = await trial.listen();
  const forwarder = await trial.forward(target.url);
  for (const key of ['a', 'b']) await store(receiver.port, { key });
  await target.until(() => target.keys.includes('b'));
  await streams.delete('TRIAL');
  await forwarder.says(/Cannot forward deliveries: .*TRIAL is gone/);
  assert.equal((await trial.wm('webhook', 'sink', 'create', trial.sink, ...creating)).status, 0);
  for (const key of ['c', 'd']) await store(receiver.port, { key });
  await target.until(() => target.keys.includes('d'));
  assert.deepEqual(target.keys, ['a', 'b', 'c', 'd']);
});

test('the stream is created again with other partitions: a forwarder says that it has to start again', async (t) => {
  const trial = await startTrial(t, { count: 1 }, creating);
  const target = await startTarget(t);
  const { streams } = await manage(t, trial);
  const forwarder = await trial.forward(target.url);
  await streams.delete('TRIAL');
  assert.equal((await trial.wm('webhook', 'sink', 'create', trial.sink, '--partitions', '4')).status, 0);
  await forwarder.says(/has 4 partitions now, not 2/);
});

test('settings of a consumer that were changed are put back when a forwarder starts', async (t) => {
  const trial = await startTrial(t, { count: 1 }, creating);
  const { consumers } = await manage(t, trial);
  assert.equal(await (await trial.forward('http://127.0.0.1:1/')).end(), 0);
  const [{ name } = { name: '' }] = await consumers.list('TRIAL').next();
  await consumers.update('TRIAL', name, { max_ack_pending: 5, max_deliver: 3 });
  assert.equal(await (await trial.forward('http://127.0.0.1:1/')).end(), 0);
  const { config } = await consumers.info('TRIAL', name);
  assert.deepEqual([config.max_ack_pending, config.max_deliver], [1, -1]);
});

test('a new target gets what the others have not settled, and one after it too', async (t) => {
  const trial = await startTrial(t, { count: 1 }, ['--partitions', '4']);
  const [first, second, third] = await Promise.all([startTarget(t), startTarget(t), startTarget(t)]);
  const { consumers } = await manage(t, trial);
  const receiver = await trial.listen();
  const tasks = ['A', 'B', 'C', 'D'];
  const send = async (key: string) => {
    for (const task of tasks) await store(receiver.port, { key: `${key}${task}`, task });
    return tasks.map((task) => `${key}${task}`);
  };
  await trial.forward(first.url);
  await first.untilHas(await send('1'));
  let unacknowledged = 1;
  while (unacknowledged > 0) {
    const infos = await consumers.list('TRIAL').next();
    unacknowledged = Math.max(
      ...infos.map(({ num_pending, num_ack_pending }) => num_pending + num_ack_pending),
    );
  }
  // Nothing is settled for the second one when the third comes, nor left.
  await trial.forward(second.url);
  await trial.forward(third.url);
  const later = await send('2');
  for (const target of [first, second, third]) await target.untilHas(later);
  assert.equal(first.keys.length, 8);
  assert.deepEqual([...second.keys].sort(), later);
  assert.deepEqual([...third.keys].sort(), later);
});
