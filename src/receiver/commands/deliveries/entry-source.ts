// Where `webhook log` and `webhook replay` read: the journal's folder, without its lock, while a listener may be writing.

import type { StoredDelivery } from '#receiver/intake/stored-delivery.ts';
import { type JournalEntry, type ReadOptions, readEntries } from '#receiver/journal/read-entries.ts';
import { parseNames } from '#receiver/journal/segment-names.ts';
import { readContents } from '#receiver/journal/start-up.ts';

import type { World } from '#world/world.ts';

export interface JournalBounds {
  readonly first: number;
  /** `first` - 1 if it holds none. */
  readonly last: number;
  /** The first of a part of the journal before which nothing was received at this time, in milliseconds since 1970, or later. */
  firstSince(time: number): Promise<number>;
  /** Also where the entries that say so were dropped. */
  isUnfinished(sequence: number): boolean;
  /** How many are not finished, and when the oldest of them was received: in milliseconds since 1970, `undefined` if there is none. */
  readonly unfinished: number;
  readonly oldestUnfinished: number | undefined;
}

export interface EntrySource {
  /** The numbers of the first and the last delivery that the journal should hold. */
  bounds(): Promise<JournalBounds>;
  /** In the order in which it was written. */
  read(options: ReadOptions): AsyncIterable<JournalEntry>;
}

type Parts = Pick<World, 'files' | 'clock'>;

/** For the journal in this folder. */
export function createEntrySource(world: Parts, folder: string): EntrySource {
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

/** One whole delivery; `undefined` if the journal no longer has it. */
export async function readStored(source: EntrySource, sequence: number): Promise<StoredDelivery | undefined> {
  for await (const entry of source.read({ from: { sequence } })) {
    if (entry.kind !== 'delivery' || entry.delivery.sequence < sequence) continue;
    return entry.delivery.sequence === sequence ? entry.delivery : undefined;
  }
  return undefined;
}
