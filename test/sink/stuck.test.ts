// What the forwarders of a sink write down there: where they send, and what they cannot reach. `webhook log --stuck` answers from it which
// target, since when, why and what next; and the commands that wm prints run as they are printed.

import assert from 'node:assert/strict';
import { hostname } from 'node:os';
import { test } from './bounded.ts';
import { connectTo } from './nats-client.ts';
import type { Ended } from './running-wm.ts';
import { startSmallTrial, startTrial, store, type Trial } from './trial.ts';

const nowhere = 'http://127.0.0.1:1/hook';
const isoTime = /^\d{4}-\d\d-\d\dT[\d:.]+Z$/;

const stuck = (trial: Trial) => trial.log('--stuck');
const rowOf = ({ output }: Ended) => output.replace(/\n$/, '').split('\t');

/** Until what a forwarder says has arrived. */
async function untilStuck(trial: Trial, isRight: (ended: Ended) => boolean): Promise<Ended> {
  for (;;) {
    const ended = await stuck(trial);
    assert.equal(ended.status, 0, ended.errors);
    if (isRight(ended)) return ended;
  }
}

test('--stuck names the target that is down, since when, why, its forwarders, and what to run', async (t) => {
  const { trial, target: reserve, receiver } = await startSmallTrial(t);
  for (const key of ['one', 'two']) await store(receiver.port, { key, task: key });
  const unknown = await stuck(trial);
  assert.deepEqual(rowOf(unknown).slice(0, 5), ['', '2', '0', '0', '1'], unknown.errors);
  const runs = `No forwarder of this sink runs. To forward the waiting deliveries: wm webhook forward --forward-to URL --sink ${trial.sink}\n`;
  assert.ok(unknown.errors.includes(runs), unknown.errors);
  const before = Date.now();
  const forwarder = await trial.forward(nowhere, '--max-attempts', '1');
  const other = await trial.forward(nowhere);
  await forwarder.says(/cannot be reached/);
  const down = await untilStuck(trial, (ended) => rowOf(ended)[9] !== undefined && rowOf(ended)[9] !== '');
  const [target, waiting, retrying, dead, oldest, since, outcome, failed, unreachable, fault] = rowOf(down);
  assert.deepEqual([target, waiting, retrying, dead, oldest], [nowhere, '2', '0', '0', '1']);
  assert.match(since ?? '', isoTime);
  assert.deepEqual([outcome, failed], ['', '']);
  assert.match(unreachable ?? '', isoTime);
  assert.ok(Date.parse(unreachable ?? '') >= before);
  assert.match(fault ?? '', /ECONNREFUSED|refused/);
  assert.match(down.errors, /within five minutes after their target accepts them again, by process \d+ on /);
  for (const { pid } of [forwarder, other])
    await untilStuck(trial, ({ errors }) => errors.includes(`process ${pid} on ${hostname()}`));
  assert.equal(await forwarder.end(), 0);
  assert.equal(await other.end(), 0);
  const ended = await stuck(trial);
  assert.deepEqual(rowOf(ended).slice(0, 4), [nowhere, '2', '0', '0']);
  assert.equal(rowOf(ended)[9], '', 'nobody tries any more');
  assert.match(ended.errors, /No forwarder of this sink runs: process \d+ on \S+ ended at \d{4}-/);
  const again = /To forward the waiting deliveries: (wm .*)/.exec(ended.errors)?.[1];
  assert.equal(again, `wm webhook forward --forward-to ${nowhere} --sink ${trial.sink}`);
  // Nothing is a dead letter, and a target that is new gets what the other one has not settled.
  const { output } = await trial.wm('webhook', 'sink', 'check', trial.sink);
  assert.match(output, /^TRIAL-dead\t0\t/m);
  await trial.forward(reserve.url);
  await reserve.untilHas(['one', 'two']);
});

test('a receiver that may not create its consumers exits, and does not count as a running forwarder', async (t) => {
  const more = () =>
    'authorization { users: [ { user: wm, password: right, permissions: { publish: { deny: "$JS.API.CONSUMER.CREATE.>" } } } ] }';
  const user = { WM_SINK_USER: 'wm', WM_SINK_PASSWORD: 'right' };
  const trial = await startTrial(t, { count: 1, more }, ['--partitions', '2'], user);
  await store((await trial.listen()).port, { key: 'one' });
  const listen = ['listen', '--port', '0', '--sink', trial.sink, '--forward-to', nowhere];
  await trial.ends(3, /denied wm permission/, ...listen);
  const { errors } = await stuck(trial);
  assert.match(errors, /No forwarder of this sink runs/);
});

test('never stores the query of a URL: the command says what is missing, and replay says why', async (t) => {
  const { trial, target, receiver } = await startSmallTrial(t);
  target.respond(500);
  const forwarder = await trial.forward(`${target.url}?key=hidden-key`, '--max-attempts', '1');
  await store(receiver.port, { key: 'one' });
  await forwarder.says(/is a dead letter/);
  const asked = `wm webhook replay --dead-letters --forward-to URL --sink ${trial.sink}`;
  assert.ok(forwarder.errors().includes(`again: ${asked}\n`), forwarder.errors());
  const { errors } = await untilStuck(trial, ({ output }) => output.startsWith(`${target.url}\t`));
  assert.ok(errors.includes(`again: ${asked}\n`), errors);
  const unrecorded = /with a query or a host that they do not record/;
  await trial.ends(2, unrecorded, 'replay', '--dead-letters', '--sink', trial.sink);
  assert.equal(target.keys.length, 1);
  const { streams } = (await connectTo(t, trial.cluster.addresses)).manager;
  const subjects_filter = 'TRIAL.state.forwarders.*';
  const { state } = await streams.info('TRIAL-state', { subjects_filter });
  const [place = '', ...more] = Object.keys(state.subjects ?? {});
  assert.deepEqual(more, []);
  const words = await streams.getMessage('TRIAL-state', { last_by_subj: place });
  assert.match(words?.string() ?? '', /"partial":\["http/);
  assert.doesNotMatch(words?.string() ?? '', /hidden-key/);
});

test('replay does not send here what a forwarder on another machine sends to its own localhost', async (t) => {
  const { trial, target, receiver } = await startSmallTrial(t);
  await store(receiver.port, { key: 'one' });
  const client = (await connectTo(t, trial.cluster.addresses)).streams;
  const say = (words: object, url = target.url, name = 'elsewhere') =>
    client.publish(`TRIAL.state.forwarders.${name}`, JSON.stringify({ ...elsewhere(url), ...words }));
  const replay = (status: number, errors: RegExp) =>
    trial.ends(status, errors, 'replay', '1', '--force', '--sink', trial.sink);
  await replay(2, /where to send the deliveries\n.*no forwarder of this sink has recorded/);
  await say({});
  await replay(2, /is on the machine of the forwarder, another-machine, not on this one/);
  await say({ rest: ['file:///etc/passwd'] });
  await replay(2, /is not a URL/);
  await say({ rest: [], every: ['exec'] });
  await replay(2, /run a command/);
  await say({ host: hostname() });
  await replay(0, /^/);
  assert.deepEqual(target.keys, ['one']);
  await say({}, 'http://hooks.example.com/', 'other');
  await replay(2, /do not all send to the same targets/);
});

const elsewhere = (url: string) => ({
  routes: [],
  rest: [url],
  every: [],
  outages: [],
  host: 'another-machine',
  pid: 1,
  partial: [],
  hasEnded: false,
});
