// A credential that stops counting while receivers and forwarders run: on all servers, because it has expired, or on one of them.

import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { freePort } from '../free-port.ts';
import { test } from './bounded.ts';
import { createOperator } from './nats-tokens.ts';
import { type RunningWm, runOnce } from './running-wm.ts';
import { deliver, startTarget, startTrial } from './trial.ts';

const linesWith = (errors: string, text: string) => errors.split(text).length - 1;

test('a .creds file expires: one line, 503, and with the next file it continues by itself', async (t) => {
  const operator = createOperator();
  const trial = await startTrial(t, { more: () => operator.configuration }, [], {}, async (home) => {
    const file = join(home, 'always.creds');
    await writeFile(file, operator.creds());
    return ['--partitions', '4', '--sink-creds', file];
  });
  const place = { home: trial.home };
  const creds = join(trial.home, 'wm.creds');
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
  process.stderr.write(
    `a credential expired: ${stored.length} acknowledged, 503 in one line, ${target.keys.length} forwarded, each once, 0 lost\n`,
  );
});
