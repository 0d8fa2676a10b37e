// A journal in memory, for tests of the forwarder. It checks that the forwarder marks nothing impossible.

import assert from 'node:assert/strict';
import type { Attempt, Journal, StoredDelivery } from '#receiver/core/intake/delivery-journal.ts';
import { bodyOf, idleJournal, sampleDelivery } from '../intake/samples.ts';

export interface MemoryJournal
  extends Pick<
    Journal,
    'record' | 'flush' | 'unfinished' | 'lastAttempts' | 'hasUnfinished' | 'read' | 'state'
  > {
  /** Stores a delivery with an event for each subject; its sequence. */
  store(...subjects: readonly string[]): number;
  storeBody(body: string, receivedAt?: number): number;
  readonly attempts: readonly Attempt[];
  /** How many deliveries were read ahead of what is finished. */
  readonly mostAhead: number;
  isFinished(sequence: number): boolean;
}

export function createMemoryJournal(now: () => number): MemoryJournal {
  const deliveries = new Map<number, StoredDelivery>();
  const finished = new Set<number>();
  const attempts: Attempt[] = [];
  let stored = 0;
  let mostAhead = 0;
  const wakes: (() => void)[] = [];
  const wake = () => {
    for (const resolve of wakes.splice(0)) resolve();
  };

  const storeBody = (body: string, receivedAt = now()) => {
    stored += 1;
    deliveries.set(stored, sampleDelivery({ sequence: stored, receivedAt, body: bodyOf(body) }));
    wake();
    return stored;
  };

  const journal: MemoryJournal = {
    attempts,
    get mostAhead() {
      return mostAhead;
    },
    store: (...subjects) =>
      storeBody(JSON.stringify(subjects.map((taskId) => ({ eventType: 'TaskCreated', taskId })))),
    storeBody,
    isFinished: (sequence) => finished.has(sequence),
    record(note) {
      assert.ok(note.kind === 'attempt');
      assert.ok(!finished.has(note.sequence), `#${note.sequence} is finished already`);
      attempts.push(note);
      if (note.finishes) finished.add(note.sequence);
    },
    flush: async () => {},
    async *unfinished(signal) {
      signal.addEventListener('abort', wake);
      for (let next = 1; ; next++) {
        while (next > stored) {
          if (signal.aborted) return;
          await new Promise<void>((resolve) => {
            wakes.push(resolve);
          });
        }
        if (signal.aborted) return;
        const delivery = deliveries.get(next);
        if (!delivery || finished.has(next)) continue;
        mostAhead = Math.max(mostAhead, next - finished.size);
        yield delivery;
      }
    },
    lastAttempts(sequence) {
      const last = new Map<string, Attempt>();
      for (const attempt of attempts) if (attempt.sequence === sequence) last.set(attempt.target, attempt);
      return [...last.values()];
    },
    read: async (sequence) => deliveries.get(sequence),
    hasUnfinished(from) {
      let last = stored;
      while (finished.has(last)) last -= 1;
      return last >= from;
    },
    state: () => ({ ...idleJournal, unfinished: stored - finished.size }),
  };
  return journal;
}
