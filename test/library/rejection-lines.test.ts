// What a receiver of the library prints if its program does not take rejections: a process of its own, since it is the process's
// standard error.

import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { sign } from '#contract/signature.ts';
import { createReceiver } from '#library/create-receiver.ts';

/** An error that the program does not handle would end it. */
async function failLater() {
  const { fetch } = createReceiver({
    secret: 's',
    onDelivery: () => undefined,
    onRejection: async () => {
      throw new Error('the log is away');
    },
  });
  const { status } = await fetch(new Request('http://receiver.example/', { method: 'POST', body: '[]' }));
  await new Promise((turn) => setImmediate(turn));
  process.stdout.write(`${status}\n`);
}

async function receive() {
  const thrown = [new Error('the database\nis away\u001b[2J\u2028'), 'a text', undefined];
  const { fetch } = createReceiver({
    secret: 's',
    onDelivery() {
      throw thrown.shift();
    },
  });
  const send = (body: string, headers: Record<string, string>) =>
    fetch(new Request('http://receiver.example/', { method: 'POST', body, headers }));
  await send('[]', {});
  for (const _ of [...thrown]) await send('[]', { 'X-Hook-Signature': sign('s', '[]') });
  await send('12345', { 'X-Hook-Signature': sign('s', '12345') });
}

const programs: Readonly<Record<string, () => Promise<void>>> = { receive, failLater };
const program = programs[process.argv[2] ?? ''];

const run = (name: string) =>
  promisify(execFile)(process.execPath, [fileURLToPath(import.meta.url), name], { timeout: 60_000 });

if (program) {
  await program();
} else {
  test('without onRejection, each rejection and each thrown error is one line on standard error', async () => {
    const { stdout, stderr } = await run('receive');
    assert.equal(stdout, '');
    assert.deepEqual(stderr.split('\n'), [
      'Webhook receiver: responded with 503 to a request (no-signature)',
      'Webhook receiver: responded with 503 to a request (failed): Error: the database is away [2J ',
      'Webhook receiver: responded with 503 to a request (failed): "a text"',
      'Webhook receiver: responded with 503 to a request (failed)',
      'Webhook receiver: responded with 200 to a request (forgeable)',
      '',
    ]);
  });

  test('an onRejection that fails later does not end the program', async () => {
    assert.deepEqual(await run('failLater'), { stdout: '503\n', stderr: '' });
  });
}
