// A journal that a test writes as a listener would, and `wm` with a folder of its own that reads it.

import { join } from 'node:path';
import type { TestContext } from 'node:test';
import type { Attempt } from '#receiver/core/intake/delivery-journal.ts';
import type { ReceivedDelivery } from '#receiver/core/intake/stored-delivery.ts';
import { type JournalOptions, openJournal } from '#receiver/core/journal/open-journal.ts';
import { bodyOf, sampleAttempt, sampleReceived } from '#test/receiver/core/intake/samples.ts';
import { noon } from '#test/support/clock.ts';
import { ownFolder } from '#test/support/disk/own-folder.ts';
import { type Ran, run } from '#test/support/program/program.ts';
import { createWorld } from '#world/create-world.ts';
import type { World } from '#world/world.ts';

/** A delivery of one event, a minute after the one before. */
export function received(
  eventType: string,
  taskId: string,
  more: Partial<ReceivedDelivery> = {},
): ReceivedDelivery {
  return sampleReceived({
    headers: [
      ['Content-Type', 'application/json'],
      ['X-Hook-Signature', 'c0ffee'],
    ],
    body: bodyOf([{ eventType, taskId, webhookId: 'IEAAAAAQJAAAAAAB' }]),
    ...more,
  });
}

export function attempt(sequence: number, more: Partial<Attempt> = {}): Attempt {
  return sampleAttempt(sequence, { time: noon + 100, ...more });
}

export const dead = { outcome: '500', verdict: 'dead', attempt: 12, finishes: true } as const;
export const failed = { outcome: '500', verdict: 'retry', finishes: false } as const;

export interface WrittenJournal {
  /** The folder of settings and state; the journal is in it. */
  readonly home: string;
  readonly folder: string;
  /** The journal as a listener has it open; opened with the first call. */
  open(options?: Partial<JournalOptions>): Promise<Opened>;
  wm(typed: readonly string[], more?: More): Promise<Ran>;
}

interface More {
  readonly world?: Partial<World>;
  readonly environment?: Readonly<Record<string, string>>;
}

type Opened = Awaited<ReturnType<typeof openJournal>>['journal'];

export async function writtenJournal(context: TestContext): Promise<WrittenJournal> {
  const home = await ownFolder(context);
  const folder = join(home, 'state', 'deliveries');
  return {
    home,
    folder,
    async open(options) {
      const { journal } = await openJournal(createWorld(), folder, options);
      context.after(() => journal.close());
      return journal;
    },
    wm: (typed, { world, environment } = {}) =>
      run(typed, { environment: { WM_CONFIG_DIR: home, ...environment }, ...(world ? { world } : {}) }),
  };
}
