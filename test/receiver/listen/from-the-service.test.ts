// Deliveries as the service really sends them: the emulator proves the secret, delivers, and suspends what fails.

import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { emulated } from '#test/support/program/emulated.ts';
import { listen, secret, startTarget } from './running-listener.ts';

const hookUrl = 'http://hooks.example.com/wm';
const task = 'IEAAAAAQKQAB5BNG';

async function listenToEmulator(context: TestContext) {
  const target = await startTarget(context);
  const listener = await listen(context, `--json --forward-to ${target.url}`);
  const connectTo = [{ host: 'hooks.example.com', address: '127.0.0.1', port: listener.port }];
  const { wm } = await emulated(context, { connectTo });
  return { target, listener, wm };
}

test('the handshake succeeds, and a task update reaches the program behind the receiver', async (context) => {
  const { target, listener, wm } = await listenToEmulator(context);
  const created = await wm(['webhook', 'create', hookUrl, '--events', 'TaskStatusChanged'], {
    environment: { WM_WEBHOOK_SECRET: secret },
  });
  assert.equal(created.status, 0, created.errors);
  await listener.next('handshake');
  await wm(['task', 'update', task, '--status', 'Completed']);
  const stored = await listener.next('stored');
  assert.deepEqual([stored['events'], stored['ids']], [['TaskStatusChanged'], [task]]);
  const { verdict } = await listener.next('attempt');
  assert.equal(verdict, 'forwarded');
  assert.equal(JSON.parse(target.received[0]?.body ?? '')[0].taskId, task);
  const { status, errors } = await listener.stop();
  assert.equal(status, 0);
  assert.match(errors, /^1 received, 1 handshake, 1 forwarded\.$/m);
});

test('a webhook with another secret cannot be created: the receiver sends no proof', async (context) => {
  const { listener, wm } = await listenToEmulator(context);
  const created = await wm(['webhook', 'create', hookUrl, '--no-verify'], {
    environment: { WM_WEBHOOK_SECRET: 'a secret that it does not know' },
  });
  assert.notEqual(created.status, 0);
  assert.equal((await listener.next('rejected'))['reason'], 'bad-signature');
});
