// Streams that somebody deletes or changes with another tool, below receivers and forwarders.

import assert from 'node:assert/strict';
import type { TestContext } from 'node:test';
import { test } from './bounded.ts';
import { connectTo } from './nats-client.ts';
import { startSmallTrial, startTarget, startTrial, store, type Trial } from './trial.ts';

const manage = async (t: TestContext, trial: Trial) => (await connectTo(t, trial.cluster.addresses)).manager;

test('consumers changed, consumers and streams deleted: forwarders restore the settings, continue, and say so', async (t) => {
  const { trial, target, receiver } = await startSmallTrial(t);
  const { consumers, streams } = await manage(t, trial);
  assert.equal(await (await trial.forward(target.url)).end(), 0);
  const [{ name: changed } = { name: '' }] = await consumers.list('TRIAL').next();
  await consumers.update('TRIAL', changed, { max_ack_pending: 5, max_deliver: 3 });
  const forwarder = await trial.forward(target.url);
  const { config } = await consumers.info('TRIAL', changed);
  assert.deepEqual([config.max_ack_pending, config.max_deliver], [1, -1]);
  const send = async (...keys: readonly string[]) => {
    for (const key of keys) await store(receiver.port, { key });
    await target.untilHas(keys);
  };
  const create = (partitions: string) =>
    trial.wm('webhook', 'sink', 'create', trial.sink, '--partitions', partitions);
  await send('a');
  await forwarder.says(/\tforwarded\t/);
  for (const { name } of await consumers.list('TRIAL').next()) await consumers.delete('TRIAL', name);
  await send('b', 'c');
  await forwarder.says(/Cannot forward deliveries: a consumer of the stream TRIAL is gone/);
  await forwarder.says(/can be forwarded again/);

  const gone = 'Cannot forward deliveries: .*TRIAL is gone';
  const earlier = forwarder.errors().match(new RegExp(gone, 'g'))?.length ?? 0;
  await streams.delete('TRIAL');
  await forwarder.says(new RegExp(`(?:${gone}[^]*){${earlier + 1}}`));
  assert.equal((await create('2')).status, 0);
  await send('d', 'e');
  assert.deepEqual(target.keys, ['a', 'b', 'c', 'd', 'e']);

  // With other partitions, it has to start again.
  await streams.delete('TRIAL');
  assert.equal((await create('4')).status, 0);
  await forwarder.says(/has 4 partitions now, not 2/);
});

test('a new target gets deliveries that the others have not settled, and so does the next one', async (t) => {
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
    unacknowledged = Math.max(...infos.map((info) => info.num_pending + info.num_ack_pending));
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
