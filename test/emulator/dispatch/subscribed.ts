// An emulator with a receiver on this machine, and webhooks to it.

import type { EmulatorOptions } from '#emulator/emulator.ts';
import { settled } from '#test/support/service/control.ts';
import { records } from '#test/support/service/records.ts';
import { type Started, started } from '#test/support/service/start-emulator.ts';
import { type Receiver, receiving } from './receiver.ts';

/** Creates a webhook, and returns its id. */
export async function createWebhook(
  emulator: Started,
  receiver: Receiver,
  parameters: Record<string, unknown> = {},
  { token = emulator.token, path = '/webhooks' } = {},
): Promise<string> {
  const json = { hookUrl: receiver.url, ...parameters };
  const data = await records(emulator, 'POST', path, { json, token });
  return data[0].id;
}

export async function withReceiver(t: Parameters<typeof started>[0], options: EmulatorOptions = {}) {
  const emulator = await started(t, { allowLocalHooks: true, ...options });
  return { emulator, receiver: await receiving(t) };
}

/** An emulator with a webhook. `events` returns the events delivered since it was called last. */
export async function subscribed(
  t: Parameters<typeof started>[0],
  webhook: Record<string, unknown> = {},
  options: EmulatorOptions = {},
) {
  const { emulator, receiver } = await withReceiver(t, options);
  const id = await createWebhook(emulator, receiver, webhook);
  const events = async () => {
    await settled(emulator);
    return receiver.received.splice(0).flatMap(({ events }) => events);
  };
  return { emulator, receiver, id, events };
}
