// Reads a journal for `webhook log` and `webhook replay`, without its lock, while a listener may be writing.

import type { StoredDelivery } from '#receiver/intake/stored-delivery.ts';
import { type JournalEntry, type ReadOptions, readEntries } from '#receiver/journal/read-entries.ts';
import { parseNames } from '#receiver/journal/segment-names.ts';
import { readContents } from '#receiver/journal/start-up.ts';
import type { World } from '#world/world.ts';

export interface JournalBounds {
  readonly first: number;
  /** The last delivery; `first` - 1 if the journal is empty. */
  readonly last: number;
  /** Returns a delivery number before which no delivery is from this time (in milliseconds since 1970) or later. */
  firstSince(time: number): Promise<number>;
  /** Knows this even after the final attempt was dropped. */
  isUnfinished(sequence: number): boolean;
  /** The number of unfinished deliveries, and when the oldest was received, in milliseconds since 1970. */
  readonly unfinished: number;
  readonly oldestUnfinished: number | undefined;
}

export interface EntrySource {
  bounds(): Promise<JournalBounds>;
  read(options: ReadOptions): AsyncGenerator<JournalEntry>;
}

export function createEntrySource(world: Pick<World, 'files' | 'clock'>, folder: string): EntrySource {
  const { files } = world;
  return {
    async bounds() {
      const { segments } = parseNames(await files.list(folder));
      const { contents, expected } = await readContents(files, folder, segments);
      return {
        first: expected[0]?.first ?? 1,
        last: contents.current.end - 1,
        firstSince: async (time) => (expected.find(({ newest }) => newest >= time) ?? contents.current).first,
        isUnfinished: (sequence) => contents.segmentOf(sequence)?.isUnfinished(sequence) === true,
        unfinished: contents.unfinished,
        oldestUnfinished: contents.oldestUnfinished(),
      };
    },
    read: (options) => readEntries(world, folder, options),
  };
}

/** Reads one whole delivery; `undefined` if the journal has dropped it. */
export async function readStored(source: EntrySource, sequence: number): Promise<StoredDelivery | undefined> {
  for await (const entry of source.read({ from: sequence })) {
    if (entry.kind !== 'delivery' || entry.delivery.sequence < sequence) continue;
    return entry.delivery.sequence === sequence ? entry.delivery : undefined;
  }
  return undefined;
}
