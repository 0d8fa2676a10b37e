// What `wm webhook sink` creates and checks, and what `listen` and `forward` refuse to start with.

import assert from 'node:assert/strict';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import type { TestContext } from 'node:test';
import { listening } from '#test/support/service/listening.ts';
import { test } from './bounded.ts';
import { connectTo, onceLed } from './nats-client.ts';
import { wm } from './running-wm.ts';
import { startTarget, startTrial, type Trial } from './trial.ts';

/** Changes the stream as an administrator of NATS could. */
async function change(t: TestContext, { cluster }: Trial, stream: string, settings: object): Promise<void> {
  const { streams } = (await connectTo(t, cluster.addresses)).manager;
  await onceLed(() => streams.update(stream, settings));
}

const dayNanoseconds = 86_400e9;
const threeDays = 3 * dayNanoseconds;

test('create and check: find a sink, reject too few copies, list sinks for a mistyped name, require TLS for tls://', async (t) => {
  const trial = await startTrial(t, {}, ['--partitions', '8', '--keep-days', '14']);
  const rows = [
    'TRIAL\t0\t0\t8\t3\tfile\t14\tnew',
    'TRIAL-dead\t0\t0\t\t3\tfile\t14\tnew',
    'TRIAL-log\t0\t0\t\t3\tfile\t14\told',
    'TRIAL-state\t0\t0\t\t3\tfile\t14\told',
  ];
  const checked = await trial.wm('webhook', 'sink', 'check', trial.sink);
  assert.deepEqual([checked.status, checked.output], [0, `${rows.join('\n')}\n`]);
  assert.match(checked.errors, /^The sink TRIAL is set up correctly\.$/m);
  const partial = await trial.ends(0, /The URL names 1 of 3 servers/, 'sink', 'check', trial.sinkOn(0));
  assert.equal(partial.output, checked.output);
  const again = await trial.wm('webhook', 'sink', 'create', trial.sink, '--partitions', '8');
  assert.deepEqual([again.status, again.output], [0, checked.output]);
  await trial.ends(2, /has 8 partitions, not 16/, 'sink', 'check', trial.sink, '--partitions', '16');
  const asBefore = ['--partitions', '8', '--replicas', '3', '--keep-days', '14'];
  await trial.ends(0, /is ready/, 'sink', 'create', trial.sink, ...asBefore);
  for (const [flag, value, named] of [
    ['--replicas', '5', /its --replicas is 3, not 5/],
    ['--keep-days', '60', /its --keep-days is 14, not 60/],
    ['--max-size', '500MB', /its --max-size is unlimited, not 524288000 bytes/],
  ] as const)
    await trial.ends(2, named, 'sink', 'create', trial.sink, '--partitions', '8', flag, value);
  const few = ['sink', 'create', trial.sink.replace('TRIAL', 'FEW'), '--replicas', '1'];
  await trial.ends(2, /on 3 servers, a sink has at least 3 copies/, ...few);
  const mistyped = trial.sink.replace('TRIAL', 'TRAIL');
  // Nothing was created of FEW.
  for (const words of [
    ['sink', 'check', mistyped],
    ['listen', '--sink', mistyped],
    ['log', '--sink', mistyped],
  ])
    await trial.ends(5, /The sinks there are: TRIAL\. To create another: wm webhook sink create/, ...words);
  // These servers do not encrypt.
  const encrypted = await trial.wm('webhook', 'sink', 'check', trial.sink.replace('nats:', 'tls:'));
  assert.notEqual(encrypted.status, 0);
  assert.equal(encrypted.output, '');
});

test('each weaker setting is named, and no command starts with it', async (t) => {
  const trial = await startTrial(t);
  const weak: readonly (readonly [object, RegExp])[] = [
    [{ duplicate_window: dayNanoseconds }, /duplicate_window is 1 days; needed: at least 7 days/],
    [{ max_age: threeDays, duplicate_window: threeDays }, /max_age is 3 days; needed: at least 7 days/],
    [{ discard: 'old' }, /discard is old; needed: new/],
    [{ num_replicas: 1 }, /replicas is 1; needed: 3, on 3 servers/],
    [{ max_msgs_per_subject: 5 }, /max_msgs_per_subject is 5; needed: none/],
    [{ allow_direct: false }, /allow_direct is off; needed: on/],
  ];
  const good = {
    duplicate_window: 7 * dayNanoseconds,
    max_age: 30 * dayNanoseconds,
    discard: 'new',
    num_replicas: 3,
    max_msgs_per_subject: -1,
    allow_direct: true,
  };
  for (const [settings, named] of weak) {
    await change(t, trial, 'TRIAL', { ...good, ...settings });
    await trial.ends(10, named, 'sink', 'check', trial.sink);
    // Each command reads the settings in the same way.
    const others =
      settings === weak[0]?.[0] ? [['listen'], ['forward', '--forward-to', 'http://127.0.0.1:1/']] : [];
    for (const words of others) await trial.ends(10, named, ...words, '--sink', trial.sink);
  }
  // As earlier versions created a sink. Only `log`, `replay` and the page need the setting.
  await change(t, trial, 'TRIAL', { ...good, allow_direct: false });
  const unread = await trial.ends(10, /allow_direct is off; needed: on/, 'log', '--sink', trial.sink);
  assert.match(unread.errors, /its deliveries could not be read/);
  assert.doesNotMatch(unread.errors, /lose deliveries/);
  await trial.listen();
  await trial.forward((await startTarget(t)).url);
  await change(t, trial, 'TRIAL', good);
  const isWell = () => trial.ends(0, /^/, 'sink', 'check', trial.sink);
  await isWell();
  await change(t, trial, 'TRIAL-state', { max_msgs_per_subject: 5 });
  await change(t, trial, 'TRIAL-dead', { discard: 'old' });
  const perSubject = /TRIAL-state.*max_msgs_per_subject is 5; needed: 1/;
  const two = await trial.ends(10, perSubject, 'sink', 'check', trial.sink);
  assert.match(two.errors, /\(nats stream edit TRIAL-dead, nats stream edit TRIAL-state\)/);
  await change(t, trial, 'TRIAL-dead', { discard: 'new' });
  await change(t, trial, 'TRIAL-state', { max_msgs_per_subject: 1 });
  await isWell();
});

test('an older server is rejected, and its version named', async (t) => {
  const { port } = await startOldServer(t);
  const sink = `nats://127.0.0.1:${port}/OLD`;
  for (const words of [
    ['sink', 'create', sink],
    ['sink', 'check', sink],
    ['listen', '--sink', sink],
  ]) {
    const refused = await wm(['webhook', ...words], { home: tmpdir() });
    assert.equal(refused.status, 10, refused.errors);
    assert.match(refused.errors, /has version 2\.10\.27; a sink needs 2\.15\.1 or newer/);
  }
});

test('a receiver needs the secret of the others; a sink of an earlier version is rejected, with the way out', async (t) => {
  const trial = await startTrial(t, { count: 1 }, ['--partitions', '2']);
  const place = { home: trial.home, environment: { WM_WEBHOOK_SECRET: undefined } };
  const listening = await wm(['webhook', 'listen', '--sink', trial.sink], place);
  assert.equal(listening.status, 2);
  assert.match(listening.errors, /all receivers need the same one/);
  const { streams } = (await connectTo(t, trial.cluster.addresses)).manager;
  await streams.add({ name: 'EARLIER', subjects: ['EARLIER.p.*', 'EARLIER.partitions.64'] });
  const sink = trial.sink.replace('TRIAL', 'EARLIER');
  for (const words of [
    ['sink', 'check', sink],
    ['log', '--sink', sink],
    ['listen', '--sink', sink],
  ]) {
    const { errors } = await trial.ends(
      10,
      /The sink EARLIER was created by an earlier version of wm\n/,
      ...words,
    );
    assert.match(errors, /With the previous version, .* forward until .* create a sink with another name/);
  }
});

/** One that says which version it has, and nothing else. */
async function startOldServer(t: Pick<TestContext, 'after'>): Promise<{ readonly port: number }> {
  const server = createServer((socket) => {
    socket.on('error', () => {});
    socket.write(
      'INFO {"server_id":"S","version":"2.10.27","proto":1,"headers":true,"max_payload":1048576}\r\n',
    );
    socket.on('data', (piece) => {
      if (piece.includes('PING')) socket.write('PONG\r\n');
    });
  });
  t.after(() => server.close());
  return { port: await listening(server) };
}
