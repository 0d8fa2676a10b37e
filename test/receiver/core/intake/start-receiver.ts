// A receiver on a free port, what it has stored and reported, and connections on which a test writes bytes of its own.

import type { TestContext } from 'node:test';
import type { Activity, Journal, Note, StoredDelivery } from '#receiver/core/intake/delivery-journal.ts';
import { createReceiverHandler, type ReceiverOptions } from '#receiver/core/intake/handler.ts';
import { exchangeBytes } from '#test/support/service/raw-exchange.ts';
import { createClock } from '#world/clock.ts';
import { createServer } from '#world/server.ts';
import type { Listening, ListenOptions } from '#world/world.ts';

/** A journal without a disk: it can fail, and take its time. */
interface MemoryJournal extends Pick<Journal, 'append' | 'record'> {
  readonly stored: StoredDelivery[];
  readonly notes: Note[];
  /** Runs before a delivery is stored; may throw, or take its time. */
  beforeStoring: () => void | Promise<void>;
}

function createMemoryJournal(): MemoryJournal {
  const journal: MemoryJournal = {
    stored: [],
    notes: [],
    beforeStoring: () => {},
    async append(delivery) {
      await journal.beforeStoring();
      const { idempotencyKey: key, body } = delivery;
      const first = journal.stored.find(
        (delivery) =>
          key !== undefined && delivery.idempotencyKey === key && Buffer.compare(delivery.body, body) === 0,
      );
      if (first) return { sequence: first.sequence, isDuplicate: true };
      const sequence = journal.stored.length + 1;
      journal.stored.push({ ...delivery, sequence });
      return { sequence, isDuplicate: false };
    },
    record: (note) => void journal.notes.push(note),
  };
  return journal;
}

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
