// A journal that a test writes as a listener would, and `wm` with a folder of its own that reads it.

import { join } from 'node:path';
import type { TestContext } from 'node:test';
import type { Attempt, Note, ReceivedDelivery } from '#receiver/core/intake/delivery-journal.ts';
import { type JournalOptions, openJournal } from '#receiver/core/journal/open-journal.ts';
import { bodyOf, sampleAttempt, sampleReceived } from '#test/receiver/core/intake/samples.ts';
import { noon } from '#test/support/clock.ts';
import { ownFolder } from '#test/support/disk/own-folder.ts';
import { wordsOf } from '#test/support/program/cells.ts';
import { type Ran, run } from '#test/support/program/program.ts';
import { createWorld } from '#world/create-world.ts';
import type { World } from '#world/world.ts';
import { showOutput } from '../log-output/shown-output.ts';

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
  wm(typed: string | readonly string[], more?: More): Promise<Ran>;
  /** The same on a terminal of so many columns, without colours. */
  shows(columns: number, typed: string): Promise<Ran>;
}

interface More {
  readonly world?: Partial<World>;
  readonly environment?: Readonly<Record<string, string>>;
}

type Opened = Awaited<ReturnType<typeof openJournal>>['journal'];

/** `entries`: what a listener that has ended stored and noted, in this order. */
export async function writtenJournal(
  context: TestContext,
  ...entries: readonly (ReceivedDelivery | Note)[]
): Promise<WrittenJournal> {
  const home = await ownFolder(context);
  const folder = join(home, 'state', 'deliveries');
  const open = async (options?: Partial<JournalOptions>) => {
    const { journal } = await openJournal(createWorld(), folder, options);
    context.after(() => journal.close());
    return journal;
  };
  if (entries.length > 0) {
    const journal = await open();
    for (const entry of entries) {
      if ('kind' in entry) journal.record(entry);
      else await journal.append(entry);
    }
    await journal.close();
  }
  const wm: WrittenJournal['wm'] = (typed, { world = {}, environment } = {}) =>
    run(wordsOf(typed), { environment: { WM_CONFIG_DIR: home, ...environment }, world });
  return {
    home,
    folder,
    open,
    wm,
    async shows(columns, typed) {
      const shown = showOutput(columns);
      const { status } = await wm(`${typed} --no-color`, { world: { streams: shown.streams } });
      return { status, output: shown.text(), errors: shown.errors() };
    },
  };
}
