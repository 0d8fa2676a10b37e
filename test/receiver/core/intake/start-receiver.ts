// A receiver on a free port, what it has stored and reported, and connections on which a test writes bytes of its own.

import type { TestContext } from 'node:test';
import type { Activity } from '#receiver/core/intake/activity.ts';
import { createReceiverHandler, type ReceiverOptions } from '#receiver/core/intake/handler.ts';
import { exchangeBytes } from '#test/support/service/raw-exchange.ts';
import { createClock } from '#world/clock.ts';
import { createServer } from '#world/server.ts';
import type { Listening, ListenOptions } from '#world/world.ts';
import { createMemoryJournal, type MemoryJournal } from './memory-journal.ts';

export interface StartedReceiver {
  readonly port: number;
  readonly listening: Listening;
  readonly journal: MemoryJournal;
  readonly activities: Activity[];
  /** See {@link exchangeBytes}. */
  exchange(bytes: string | Uint8Array, options?: { end?: boolean }): Promise<string>;
}

export async function startReceiver(
  t: Pick<TestContext, 'after'>,
  options: Partial<ReceiverOptions> = {},
  listenOptions: Partial<ListenOptions> = {},
): Promise<StartedReceiver> {
  const journal = createMemoryJournal();
  const activities: Activity[] = [];
  const receiver = createReceiverHandler({
    journal,
    clock: createClock(),
    secrets: [],
    onActivity: (activity) => void activities.push(activity),
    ...options,
  });
  const { limits } = receiver.listenOptions;
  const listening = await createServer().listen(
    {
      host: '127.0.0.1',
      port: 0,
      ...receiver.listenOptions,
      ...listenOptions,
      limits: { ...limits, ...listenOptions.limits },
    },
    receiver.handle,
  );
  if ('fault' in listening) throw new Error(listening.detail);
  t.after(() => listening.close());
  const { port } = listening;
  return {
    port,
    listening,
    journal,
    activities,
    exchange: (bytes, options) => exchangeBytes(port, bytes, options),
  };
}
