// Journals for tests: deliveries that tell themselves apart, and what is in a journal.

import { join } from 'node:path';
import type { TestContext } from 'node:test';
import type { Journal, ReceivedDelivery, StoredDelivery } from '#receiver/core/intake/delivery-journal.ts';
import { type JournalOptions, openJournal } from '#receiver/core/journal/open-journal.ts';
import { createTestClock, noon } from '#test/support/clock.ts';
import { ownFolder } from '#test/support/disk/own-folder.ts';
import type { FileSystem } from '#world/file-system.ts';
import { createFiles } from '#world/files.ts';
import { createLock } from '#world/lock.ts';
import { randomBytes } from '#world/random.ts';
import { sampleReceived } from '../intake/samples.ts';

export async function journalFolder(context: TestContext): Promise<string> {
  const folder = await ownFolder(context);
  return join(folder, 'deliveries');
}

/** The real world, but for the clock, and what a test gives in place of the file system. */
export function worldWith(system?: FileSystem, clock = createTestClock()) {
  const files = createFiles({ WM_CONFIG_DIR: '/nowhere' }, process.platform, '/', () => '/', system);
  return { files, clock, lock: createLock(process.platform, clock), randomBytes };
}

export async function open(folder: string, options: Partial<JournalOptions> = {}, world = worldWith()) {
  return openJournal(world, folder, options);
}

/** The `number`-th of its kind: its key and its body name it. */
export function delivery(number: number, changes: Partial<ReceivedDelivery> = {}): ReceivedDelivery {
  return sampleReceived({
    receivedAt: noon + number,
    path: `/hook?n=${number}`,
    headers: [
      ['User-Agent', 'deliveries/1.0 (for a test of the journal)'],
      ['Content-Type', 'application/json'],
      ['X-Twice', 'one'],
      ['x-twice', 'zwei \u00fc'],
    ],
    body: Buffer.from(`[{"eventType":"TaskCreated","taskId":"T${number}"}]`),
    idempotencyKey: `key-${number}`,
    ...changes,
  });
}

/** All that are unfinished now. */
export async function unfinished(journal: Journal): Promise<readonly StoredDelivery[]> {
  const stop = new AbortController();
  const deliveries: StoredDelivery[] = [];
  const expected = journal.state().unfinished;
  if (expected === 0) return deliveries;
  for await (const delivery of journal.unfinished(stop.signal)) {
    deliveries.push(delivery);
    if (deliveries.length === expected) stop.abort();
  }
  return deliveries;
}

export async function unfinishedNumbers(journal: Journal): Promise<readonly number[]> {
  return (await unfinished(journal)).map(({ sequence }) => sequence);
}

/** Stores deliveries of these numbers, in one batch. */
export async function appendAll(journal: Journal, numbers: readonly number[]): Promise<readonly number[]> {
  const appended = await Promise.all(numbers.map((number) => journal.append(delivery(number))));
  return appended.map(({ sequence }) => sequence);
}

export const range = (from: number, to: number): readonly number[] =>
  Array.from({ length: to - from + 1 }, (_, index) => from + index);
