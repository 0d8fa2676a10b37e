// A journal without a disk, for tests of what is around the journal: it can fail, and take its time.

import type { Journal, Note } from '#receiver/core/intake/delivery-journal.ts';
import type { StoredDelivery } from '#receiver/core/intake/stored-delivery.ts';

export interface MemoryJournal extends Pick<Journal, 'append' | 'record'> {
  readonly stored: StoredDelivery[];
  readonly notes: Note[];
  /** Runs before a delivery is stored; may throw, or take its time. */
  beforeStoring: () => void | Promise<void>;
}

export function createMemoryJournal(): MemoryJournal {
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
