// A delivery, an attempt and the state of a journal. A test names only the fields that matter to it.

import type {
  Attempt,
  JournalState,
  ReceivedDelivery,
  StoredDelivery,
} from '#receiver/core/intake/delivery-journal.ts';
import { noon } from '#test/support/clock.ts';

export const sampleTarget = 'http://127.0.0.1:3000/hook';

/** Text as it is, anything else as JSON. */
export const bodyOf = (content: unknown): Uint8Array =>
  new TextEncoder().encode(typeof content === 'string' ? content : JSON.stringify(content));

export function sampleReceived(changes: Partial<ReceivedDelivery> = {}): ReceivedDelivery {
  return {
    receivedAt: noon,
    path: '/hook',
    headers: [['Content-Type', 'application/json']],
    body: bodyOf([]),
    idempotencyKey: undefined,
    signature: 'valid',
    ...changes,
  };
}

export function sampleDelivery(changes: Partial<StoredDelivery> = {}): StoredDelivery {
  return { sequence: 1, ...sampleReceived(), ...changes };
}

/** With this body: see {@link bodyOf}. */
export const deliveryOf = (content: unknown, changes: Partial<StoredDelivery> = {}): StoredDelivery =>
  sampleDelivery({ body: bodyOf(content), ...changes });

export function sampleAttempt(sequence: number, changes: Partial<Attempt> = {}): Attempt {
  return {
    kind: 'attempt',
    sequence,
    time: noon,
    target: sampleTarget,
    attempt: 1,
    milliseconds: 12,
    outcome: '200',
    verdict: 'forwarded',
    finishes: true,
    ...changes,
  };
}

export const idleJournal: JournalState = {
  unfinished: 0,
  oldestUnfinished: undefined,
  lastReceived: undefined,
  bytes: 0,
  syncMs: 0,
  fault: undefined,
};
