// An emulator with a receiver on this machine, and webhooks to it.

import assert from 'node:assert/strict';
import type { EmulatorOptions } from '#emulator/emulator.ts';
import { call, type Started, started } from '#test/support/service/start-emulator.ts';
import { type Receiver, receiving } from './receiver.ts';

/** Creates a webhook, and returns its id. */
export async function createWebhook(
  emulator: Started,
  receiver: Receiver,
  parameters: Record<string, unknown> = {},
  { token = emulator.token, path = '/webhooks' } = {},
): Promise<string> {
  const { status, body } = await call(emulator, 'POST', path, {
    body: JSON.stringify({ hookUrl: receiver.url, ...parameters }),
    headers: { 'Content-Type': 'application/json', Authorization: `Bearer ${token}` },
  });
  assert.equal(status, 200, JSON.stringify(body));
  return body.data[0].id;
}

export async function withReceiver(t: Parameters<typeof started>[0], options: EmulatorOptions = {}) {
  const emulator = await started(t, { allowLocalHooks: true, ...options });
  return { emulator, receiver: await receiving(t) };
}
