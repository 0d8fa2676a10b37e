// Which answers to a published delivery count as an acknowledgement: only those that say that the stream of the sink has it.

import assert from 'node:assert/strict';
import { freePort } from '#test/support/service/free-port.ts';
import { test, untilFound } from './bounded.ts';
import { proxyFor } from './connection-proxy.ts';
import { connectTo } from './nats-client.ts';
import { deliver, deliverUntil, startTrial, store } from './trial.ts';

/** Of an id that is under way. */
const underWay =
  '{"error":{"code":409,"err_code":10158,"description":"duplicate message id is in process"},"stream":"TRIAL","seq":0}';
const unreadable = ['', 'no JSON', '{}', '"text"', 'null'];

test('does not take other responses for an acknowledgement: still in progress, unreadable, or of another stream', async (t) => {
  const trial = await startTrial(t, { count: 1 }, ['--partitions', '2']);
  const receiver = await trial.listen();
  await store(receiver.port, { key: 'before' });
  const { connection, manager } = await connectTo(t, trial.cluster.addresses);
  const take = (...subjects: readonly string[]) =>
    manager.streams.update('TRIAL', { subjects: [...subjects] });
  await take('TRIAL.elsewhere');
  let asked = 0;
  let answers: readonly string[] = [underWay];
  const others = connection.subscribe('TRIAL.p.*', {
    callback: (_, message) => void message.respond(answers[asked++ % answers.length]),
  });
  await connection.flush();
  assert.equal(await deliver(receiver.port, { key: 'one' }), 503);
  // It may be stored in a moment.
  assert.ok(asked > 1);
  await receiver.says(/Cannot store deliveries: no quorum/);
  answers = unreadable;
  asked = 0;
  assert.equal(await deliver(receiver.port, { key: 'one' }), 503);
  assert.ok(asked >= answers.length);
  others.unsubscribe();
  // The next outage is reported again.
  await take('TRIAL.p.*');
  await store(receiver.port, { key: 'two' });
  await take('TRIAL.elsewhere');
  await manager.streams.add({ name: 'OTHER', subjects: ['TRIAL.p.*'] });
  assert.equal(await deliver(receiver.port, { key: 'one' }), 503);
  await receiver.says(/Cannot store deliveries: .*expected stream does not match/);
});

test('a delivery stored without an acknowledgement: 503; when it is repeated, wm reports that it can store again', async (t) => {
  const trial = await startTrial(t, { count: 1 }, ['--partitions', '2']);
  const proxy = await proxyFor(t, Number(trial.cluster.addresses.split(':').at(-1)));
  const metrics = await freePort();
  const sink = `nats://127.0.0.1:${proxy.port}/TRIAL`;
  const one = await trial.listen(sink, '--metrics', String(metrics));
  const two = await trial.listen(sink);
  const isReady = async () => (await fetch(`http://127.0.0.1:${metrics}/readyz`)).status;
  await store(one.port, { key: 'before' });
  proxy.mute();
  const statuses = [deliver(one.port, { key: 'unheard' }), deliver(two.port, { key: 'of two' })];
  assert.deepEqual(await Promise.all(statuses), [503, 503]);
  for (const receiver of [one, two]) await receiver.says(/Cannot store deliveries: no quorum/);
  assert.equal(await isReady(), 503);
  proxy.unmute();
  // To the servers it is a duplicate, to the service and to this receiver it is not.
  await deliverUntil(one.port, { key: 'unheard' });
  await one.says(/Deliveries can be stored again/);
  const look = async () => ((await isReady()) === 200 ? true : undefined);
  await untilFound('it is ready again', look, one.errors);
  assert.doesNotMatch(one.output(), /\tduplicate\t/);
  // Here it is one, but one that was stored since.
  await deliverUntil(two.port, { key: 'unheard' });
  await two.says(/Deliveries can be stored again/);
  await two.says(/\tduplicate\t/);
});

test('without permission to publish: 503, and the receiver says why', async (t) => {
  const more = () =>
    'authorization { users: [ { user: wm, password: right, permissions: { publish: { deny: "TRIAL.p.*" } } } ] }';
  const user = { WM_SINK_USER: 'wm', WM_SINK_PASSWORD: 'right' };
  const trial = await startTrial(t, { count: 1, more }, ['--partitions', '2'], user);
  const receiver = await trial.listen();
  assert.equal(await deliver(receiver.port, { key: 'one' }), 503);
  await receiver.says(/Cannot store deliveries: the NATS servers do not allow it .*TRIAL\.p\./);
});
