// How wm gets into a NATS server: with TLS on both sides, an nkey, or a .creds file. Each is tried with
// valid and with invalid credentials, and one expires while receivers and forwarders run.

import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { TestContext } from 'node:test';
import { nkeys } from '@nats-io/transport-node';
import { ownFolder } from '#test/support/disk/own-folder.ts';
import { certificate, key } from '#test/support/service/certificate.ts';
import { freePort } from '#test/support/service/free-port.ts';
import { test } from './bounded.ts';
import { createOperator, textOf } from './nats-tokens.ts';
import { type RunningWm, runOnce, wm } from './running-wm.ts';
import { deliver, startTarget, startTrial, store, type Trial } from './trial.ts';

/** A delivery goes all the way, and is sent again by `wm webhook replay`: each command gets in. */
async function passOne(t: Pick<TestContext, 'after'>, trial: Trial, sink: string, ...flags: string[]) {
  const target = await startTarget(t);
  const receiver = await trial.listen(sink, ...flags);
  const forwarder = await trial.forward(target.url, '--sink', sink, ...flags);
  await store(receiver.port, { key: 'one' });
  await target.untilHas(['one']);
  for (const program of [receiver, forwarder]) assert.equal(await program.end(), 0);
  const log = await trial.wm('webhook', 'log', '--sink', sink, ...flags);
  assert.match(log.output, /\tforwarded\t/, log.errors);
  await trial.ends(0, /^/, 'replay', '1', '--sink', sink, '--forward-to', target.url, '--yes', ...flags);
  assert.deepEqual(target.keys, ['one', 'one']);
}

test('TLS: the server shows a certificate for its address, and requires a client certificate', async (t) => {
  const folder = await ownFolder(t);
  const [cert, own] = [join(folder, 'cert.pem'), join(folder, 'key.pem')];
  await writeFile(cert, certificate);
  await writeFile(own, key);
  // On all addresses of this machine, with a certificate for 127.0.0.1.
  const more = () =>
    `host: "0.0.0.0"\ntls { cert_file: "${cert}", key_file: "${own}", ca_file: "${cert}", verify: true }`;
  const flags = ['--sink-ca', cert, '--sink-cert', cert, '--sink-key', own];
  const trial = await startTrial(t, { count: 1, more }, ['--partitions', '2', ...flags]);
  const sink = trial.sink.replace('nats:', 'tls:');
  await passOne(t, trial, sink, ...flags);
  // Without a reason to trust it, without a certificate to show, with half of one, and at an address that the certificate does not name.
  for (const [on, words, status, problem] of [
    [sink, [], 7, /NATS on/],
    [sink, ['--sink-ca', cert], 7, /NATS on/],
    [sink, ['--sink-ca', cert, '--sink-cert', cert], 2, /need each other/],
    [sink.replace('127.0.0.1', '127.0.0.2'), flags, 7, /not in the cert's list/],
  ] as const) {
    const rejected = await trial.ends(status, problem, 'sink', 'check', on, ...words);
    assert.equal(rejected.output, '');
  }
});

test('an nkey as the credential, and a wrong nkey; neither is printed', async (t) => {
  const [user, stranger] = [nkeys.createUser(), nkeys.createUser()];
  const [seed, wrong] = [textOf(user.getSeed()), textOf(stranger.getSeed())];
  const more = () => `authorization { users: [ { nkey: ${user.getPublicKey()} } ] }`;
  const trial = await startTrial(t, { count: 1, more }, ['--partitions', '2'], { WM_SINK_NKEY: seed });
  await passOne(t, trial, trial.sink);
  const environment = { WM_SINK_NKEY: wrong };
  const rejected = await wm(['webhook', 'sink', 'check', trial.sink], { home: trial.home, environment });
  assert.equal(rejected.status, 3, rejected.errors);
  assert.match(rejected.errors, /denied wm access/);
  assert.ok(!rejected.errors.includes(wrong));
});

const linesWith = (errors: string, text: string) => errors.split(text).length - 1;

test('.creds files: foreign or invalid ones are rejected, by a cluster too; one expires (503), and the next works', async (t) => {
  const operator = createOperator();
  const trial = await startTrial(t, { more: () => operator.configuration }, [], {}, async (home) => {
    const file = join(home, 'always.creds');
    await writeFile(file, operator.creds());
    return ['--partitions', '4', '--sink-creds', file];
  });
  const fileOf = (name: string) => join(trial.home, `${name}.creds`);
  await passOne(t, trial, trial.sink, '--sink-creds', fileOf('always'));
  await writeFile(fileOf('strange'), operator.strangeCreds);
  await writeFile(fileOf('broken'), 'not one\n');
  // The servers of a cluster name each other before they reject a credential. The command ends all the same.
  for (const [name, status, problem] of [
    ['strange', 3, /denied wm access/],
    ['broken', 2, /is not a .creds file/],
    ['missing', 2, /^/],
  ] as const) {
    const checking = ['sink', 'check', trial.sink, '--sink-creds', fileOf(name)];
    const rejected = await trial.ends(status, problem, ...checking);
    assert.ok(!rejected.errors.includes(operator.seed));
  }
  const place = { home: trial.home };
  const creds = fileOf('wm');
  const flags = ['--sink', trial.sink, '--sink-creds', creds];
  const target = await startTarget(t);
  const port = await freePort();
  const running: RunningWm[] = [];
  t.after(() => Promise.all(running.map((program) => program.kill())));
  // On a busy machine they need longer to start.
  for (let seconds = 4; running.length < 2; seconds *= 2) {
    await writeFile(creds, operator.creds(Math.floor(Date.now() / 1000) + seconds));
    const receiving = ['webhook', 'listen', '--port', String(port), ...flags];
    const forwarding = ['webhook', 'forward', '--forward-to', target.url, ...flags];
    const both = await Promise.all([
      runOnce(receiving, new RegExp(`:${port}`), place),
      runOnce(forwarding, /Forwarding from/, place),
    ]);
    for (const started of both) if (!('failed' in started)) running.push(started);
    if (running.length === 2) break;
    await Promise.all(running.splice(0).map((program) => program.kill()));
  }
  const [receiver] = running;
  assert.ok(receiver);
  const stored: string[] = [];
  let status: number | undefined = 200;
  for (let at = 0; status === 200; at++) {
    status = await deliver(port, { key: `k${at}`, task: `T${at % 3}` });
    if (status === 200) stored.push(`k${at}`);
  }
  assert.equal(status, 503);
  await receiver.says(/Cannot store deliveries: .* \(.*[Ee]xpired\)\./);
  // It stays so, and is said once.
  const more = await Promise.all([0, 1, 2].map((at) => deliver(port, { key: `not-${at}` })));
  assert.deepEqual(more, [503, 503, 503]);
  assert.equal(linesWith(receiver.errors(), 'Cannot store deliveries'), 1, receiver.errors());
  await writeFile(creds, operator.creds());
  while ((await deliver(port, { key: 'again' })) !== 200);
  stored.push('again');
  await receiver.says(/can be stored again/);
  await target.until(() => stored.every((key) => target.keys.includes(key)));
  assert.equal(new Set(target.keys).size, target.keys.length);
  assert.equal(linesWith(receiver.errors(), 'Cannot store deliveries'), 1, receiver.errors());
  for (const program of running) {
    assert.ok(!program.errors().includes(operator.seed));
    assert.equal(await program.end(), 0);
  }
});
