// The page of `wm webhook listen --ui` without the rest of the command: the test says what happens in the receiver, and the
// journal is a list in memory.

import type { TestContext } from 'node:test';
import {
  type PageParts,
  type RunningPage,
  startPage,
} from '../../../../src/command/webhook/page/start-page.ts';
import type { Activity } from '../../../../src/receiver/activity.ts';
import type { Attempt } from '../../../../src/receiver/delivery-journal.ts';
import type { StoredDelivery } from '../../../../src/receiver/stored-delivery.ts';
import { createWorld } from '../../../../src/world/create-world.ts';
import { noon } from '../../../clock.ts';

export interface DrivenPage extends RunningPage {
  /** What the journal gives. */
  readonly stored: Map<number, StoredDelivery>;
  /** Why nothing can be stored. */
  fault: string | undefined;
  /** A delivery comes in. */
  receive(given?: Partial<StoredDelivery>): StoredDelivery;
  /** An attempt at the target ends. */
  attempt(sequence: number, given?: Partial<Attempt> & { readonly detail?: string }): void;
}

export const target = 'http://127.0.0.1:3000/hook';

export function eventBody(eventType = 'TaskStatusChanged', taskId = 'IEAAAAAQKQAB5BNG'): Uint8Array {
  return new TextEncoder().encode(
    JSON.stringify([
      { eventType, taskId, webhookId: 'IEAAAAAQJAAAAAAA', oldStatus: 'Active', status: 'Completed' },
    ]),
  );
}

export async function drivePage(t: TestContext, parts: Partial<PageParts> = {}): Promise<DrivenPage> {
  const { server, clock } = createWorld();
  const stored = new Map<number, StoredDelivery>();
  const page = await startPage({
    world: { server, clock },
    port: 0,
    older: async () => [],
    replay: async ({ sequence }) => ({
      replays: [{ sequence, time: noon, target, outcome: '200', milliseconds: 12, verdict: 'forwarded' }],
    }),
    titleOf: () => undefined,
    ...parts,
    journal: {
      read: async (sequence) => stored.get(sequence),
      state: () => ({
        unfinished: 2,
        oldestUnfinished: undefined,
        lastReceived: undefined,
        bytes: 0,
        syncMs: 0,
        fault: driven.fault,
      }),
      ...parts.journal,
    },
  });
  if ('fault' in page) throw new Error(page.detail);
  t.after(() => page.close());
  const happen = (activity: Activity) => page.onActivity(activity);
  const driven: DrivenPage = {
    ...page,
    stored,
    fault: undefined,
    receive(given) {
      const delivery: StoredDelivery = {
        sequence: stored.size + 1,
        receivedAt: noon,
        path: '/hook',
        headers: [
          ['Content-Type', 'application/json'],
          ['X-Hook-Signature', 'a'.repeat(64)],
        ],
        body: eventBody(),
        idempotencyKey: undefined,
        signature: 'valid',
        ...given,
      };
      stored.set(delivery.sequence, delivery);
      happen({ kind: 'stored', delivery, milliseconds: 3 });
      return delivery;
    },
    attempt(sequence, given) {
      const delivery = stored.get(sequence);
      if (delivery === undefined) throw new Error(`No delivery ${sequence}`);
      happen({
        kind: 'attempt',
        delivery,
        sequence,
        time: noon + 1000,
        target,
        attempt: 1,
        milliseconds: 12,
        outcome: '200',
        verdict: 'forwarded',
        finishes: true,
        ...given,
      });
    },
  };
  return driven;
}
