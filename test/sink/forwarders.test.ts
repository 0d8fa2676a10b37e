// `wm webhook forward`: forwarders that share a sink: one that stands still, one that joins, dead letters, and targets of their own.

import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import { createServer as createSecureServer } from 'node:https';
import { join } from 'node:path';
import { continueProcess, stopProcess } from '#test/support/process/stopped-process.ts';
import { certificate, key } from '#test/support/service/certificate.ts';
import { freePort } from '#test/support/service/free-port.ts';
import { listening } from '#test/support/service/listening.ts';
import { test, untilFound } from './bounded.ts';
import { startSmallTrial, startTarget, startTrial, startWholeTrial, store } from './trial.ts';

test('a paused forwarder does not send what another one has sent meanwhile', async (t) => {
  const { trial, target, receiver } = await startSmallTrial(t);
  const frozen = await trial.forward(target.url);
  await store(receiver.port, { key: 'k0' });
  // It is recorded.
  await frozen.says(/\tforwarded\t/);
  await stopProcess(frozen.pid);
  t.after(() => continueProcess(frozen.pid));
  // What the servers hand to the one that stands still, they hand to the other after ten seconds.
  const other = await trial.forward(target.url);
  for (let at = 1; at <= 10; at++) await store(receiver.port, { key: `k${at}` });
  await target.untilHas(['k10']);
  continueProcess(frozen.pid);
  for (let at = 11; at <= 20; at++) await store(receiver.port, { key: `k${at}` });
  await target.untilHas(['k20']);
  assert.deepEqual(
    target.keys,
    Array.from({ length: 21 }, (_, at) => `k${at}`),
  );
  assert.equal(await other.end(), 0);
  assert.equal(await frozen.end(), 0);
});

test('a delivery sent three times to two receivers, and requests for the next lost with a server: forwarded once', async (t) => {
  const { trial, target, receiver } = await startWholeTrial(t);
  const other = await trial.listen();
  await trial.forward(target.url);
  const repeated = Array.from({ length: 30 }, (_, at) => `same-${at}`);
  for (const key of repeated) {
    const task = `T-${key}`;
    await Promise.all([receiver, other, receiver].map(({ port }) => store(port, { key, task })));
  }
  await store(receiver.port, { key: 'last' });
  await target.untilHas([...repeated, 'last']);
  assert.equal(target.keys.length, 31);
  await other.end();
  // Receiver and forwarder are connected to at most two of the three; consumers have their leaders on all.
  const look = async () => {
    const clients = await Promise.all(trial.cluster.nodes.map((node) => node.clients()));
    return trial.cluster.nodes[clients.indexOf(0)];
  };
  const free = await untilFound('a server without clients', look, () => '');
  await free.kill();
  const keys = Array.from({ length: 24 }, (_, at) => `after-${at}`);
  await Promise.all(keys.map((key) => store(receiver.port, { key, task: `T-${key}` })));
  await target.untilHas(keys);
});

test('a delivery that is given up becomes a dead letter, and the next one of its task follows', async (t) => {
  const { trial, target, receiver } = await startSmallTrial(t);
  target.respond(500);
  const forwarder = await trial.forward(target.url, '--max-attempts', '2');
  await store(receiver.port, { key: 'bad' });
  await target.until(() => target.keys.length === 2);
  target.respond(200);
  await store(receiver.port, { key: 'good' });
  await target.untilHas(['good']);
  assert.deepEqual(target.keys, ['bad', 'bad', 'good']);
  await forwarder.says(/is a dead letter/);
  const { output } = await trial.wm('webhook', 'sink', 'check', trial.sink);
  assert.match(output, /^TRIAL-dead\t1\t/m);
  // A target that is a receiver of the same sink fails.
  const loop = await trial.forward(`http://127.0.0.1:${receiver.port}/`, '--max-attempts', '1');
  await store(receiver.port, { key: 'loop' });
  await loop.says(/\tdead\t.*\t508\t/);
});

test('while nothing gets through, retries end after --retry-for', async (t) => {
  const { trial, target, receiver } = await startSmallTrial(t);
  target.respond(500);
  const forwarder = await trial.forward(target.url, '--retry-for', '500ms', '--json');
  await store(receiver.port, { key: 'bad' });
  // The second attempt is the last, or the first one if that alone took as long.
  await forwarder.says(/"attempt":[12],"verdict":"dead"/);
  assert.ok(target.keys.length <= 2);
});

test('the flags of a forwarder: headers, certificate, time limits, concurrency, the port of its page', async (t) => {
  const { trial, target, receiver } = await startSmallTrial(t);
  const got: (readonly unknown[])[] = [];
  const secure = createSecureServer({ key, cert: certificate }, (request, response) => {
    got.push([request.headers.host, request.headers['x-source']]);
    request.resume().on('end', () => response.end());
  });
  t.after(() => secure.close());
  const ca = join(trial.home, 'ca.pem');
  await writeFile(ca, certificate);
  const page = String(await freePort());
  const trusting = await trial.forward(
    `https://127.0.0.1:${await listening(secure)}/`,
    ...['--forward-ca', ca, '--forward-host', 'service.test', '--forward-header', 'X-Source: wm'],
    ...['--ui', '--ui-port', page],
  );
  await store(receiver.port, { key: 'first', task: 'T1' });
  await trusting.says(/\tforwarded\t/);
  assert.deepEqual(got, [['service.test', 'wm']]);
  await trusting.says(new RegExp(`http://127\\.0\\.0\\.1:${page}/`));
  assert.equal(await trusting.end(), 0);

  target.hold();
  const single = await trial.forward(target.url, '--concurrency', '1');
  // Enough tasks for both partitions, of which each would have one delivery on its way.
  const keys = Array.from({ length: 8 }, (_, at) => `k${at}`);
  for (const own of keys) await store(receiver.port, { key: own, task: own });
  await target.until(() => target.keys.length > 0);
  await store(receiver.port, { key: 'last', task: 'last' });
  assert.equal(target.keys.length, 1);
  target.release();
  await target.untilHas([...keys, 'last']);
  assert.equal(await single.end(), 0);

  target.hold();
  const limited = await trial.forward(target.url, '--forward-timeout', '1', '--json');
  await store(receiver.port, { key: 'late', task: 'late' });
  await limited.says(/"no complete response within 1000 ms"/);
  await limited.kill();

  const unreachable = await trial.forward('http://127.0.0.1:1/', '--give-up-after', '1s', '--json');
  await unreachable.says(/"verdict":"dead"/);
});

test('the printed commands for dead letters work, even after the forwarder has ended', async (t) => {
  const trial = await startTrial(t, { count: 1 }, ['--partitions', '2']);
  const [one, other] = [await startTarget(t), await startTarget(t)];
  const flags = ['--forward-to', one.url, '--route', `TaskTitleChanged=${other.url}`, '--max-attempts', '1'];
  const receiver = await trial.listen(trial.sink, ...flags);
  const printed = /is a dead letter.* To send the dead letters again: (.*)/;
  const sendAgain = async (line = '') => {
    other.respond(200);
    const { status, errors } = await trial.paste(line);
    assert.equal(status, 0, `${line}\n${errors}`);
    other.respond(500);
  };
  other.respond(500);
  await store(receiver.port, { key: 'a' });
  await receiver.says(printed);
  await sendAgain(printed.exec(receiver.errors())?.[1]);
  await receiver.end();
  const without = await trial.listen();
  const forwarder = await trial.forward(one.url, ...flags.slice(2));
  await store(without.port, { key: 'b' });
  await forwarder.says(printed);
  await sendAgain(printed.exec(forwarder.errors())?.[1]);
  await store(without.port, { key: 'c' });
  await other.until(() => other.keys.includes('c'));
  assert.equal(await forwarder.end(), 0);
  const { errors } = await trial.log('--stuck');
  await sendAgain(/to send them again: (wm .*)/.exec(errors)?.[1]);
  assert.deepEqual([one.keys, other.keys], [[], ['a', 'a', 'b', 'b', 'c', 'c']]);
});
