// The page of `wm webhook listen --ui` without the rest of the command: the test says what happens in the receiver, and the
// journal is a list in memory.

import type { TestContext } from 'node:test';
import type { Activity, Attempt, StoredDelivery } from '#receiver/core/intake/delivery-journal.ts';
import { createJournalSource, type JournalParts } from '#receiver/listen/journal-page.ts';
import type { PageParts, ReceiverPage } from '#receiver/page/page-source.ts';
import { startPage } from '#receiver/page/start-page.ts';
import { noon } from '#test/support/clock.ts';
import { createWorld } from '#world/create-world.ts';
import { randomBytes } from '#world/random.ts';
import { bodyOf, idleJournal, sampleAttempt, sampleDelivery, sampleTarget } from '../core/intake/samples.ts';

export interface DrivenPage extends ReceiverPage {
  /** What the journal gives. */
  readonly stored: Map<number, StoredDelivery>;
  /** Why nothing can be stored. */
  fault: string | undefined;
  /** A delivery comes in. */
  receive(changes?: Partial<StoredDelivery>): StoredDelivery;
  /** An attempt at the target ends. */
  attempt(sequence: number, changes?: Partial<Attempt> & { readonly detail?: string }): void;
}

export function eventBody(eventType = 'TaskStatusChanged', taskId = 'IEAAAAAQKQAB5BNG'): Uint8Array {
  return bodyOf([
    { eventType, taskId, webhookId: 'IEAAAAAQJAAAAAAA', oldStatus: 'Active', status: 'Completed' },
  ]);
}

export type DrivenParts = Partial<Omit<PageParts, 'source'> & Omit<JournalParts, 'journal' | 'clock'>> & {
  readonly journal?: Partial<JournalParts['journal']>;
};

/** The record of a replay that the target accepted. */
export const replayed = (sequence: number) =>
  ({
    sequence,
    time: noon,
    target: sampleTarget,
    outcome: '200',
    milliseconds: 12,
    verdict: 'forwarded',
  }) as const;

const noReplays: JournalParts['replays'] = {
  read: async () => ({ bySequence: new Map(), unreadable: 0 }),
  version: async () => 0,
};

export async function drivePage(
  t: TestContext,
  { journal, older, replays, targets, ...parts }: DrivenParts = {},
): Promise<DrivenPage> {
  const { server, clock } = createWorld();
  const stored = new Map<number, StoredDelivery>();
  const page = await startPage({
    world: { server, clock, randomBytes },
    port: 0,
    command: 'wm webhook listen',
    replay: async ({ sequence }) => ({ replays: [replayed(sequence)] }),
    titleOf: () => undefined,
    ...parts,
    source: createJournalSource({
      older: older ?? (async () => []),
      replays: replays ?? noReplays,
      targets: targets ?? (() => []),
      clock,
      journal: {
        read: async (sequence) => stored.get(sequence),
        state: () => ({ ...idleJournal, unfinished: 2, fault: driven.fault }),
        ...journal,
      },
    }),
  });
  t.after(() => page.close());
  const happen = (activity: Activity) => page.onActivity(activity);
  const driven: DrivenPage = {
    ...page,
    stored,
    fault: undefined,
    receive(changes) {
      const delivery = sampleDelivery({
        sequence: stored.size + 1,
        headers: [
          ['Content-Type', 'application/json'],
          ['X-Hook-Signature', 'a'.repeat(64)],
        ],
        body: eventBody(),
        ...changes,
      });
      stored.set(delivery.sequence, delivery);
      happen({ kind: 'stored', delivery, milliseconds: 3 });
      return delivery;
    },
    attempt(sequence, changes) {
      const delivery = stored.get(sequence);
      if (delivery === undefined) throw new Error(`No delivery ${sequence}`);
      happen({ ...sampleAttempt(sequence, { time: noon + 1000, ...changes }), delivery });
    },
  };
  return driven;
}
