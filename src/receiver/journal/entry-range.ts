// Finds where to begin reading a journal: at a delivery, at a time, or at the last few deliveries.

import { readSequence } from './delivery-frame.ts';
import { frameTypes } from './frame.ts';
import { SegmentReader } from './segment-reader.ts';
import type { FolderParts, SegmentTable } from './segment-table.ts';

export type EntryRange =
  | { readonly sequence: number }
  /** Only what happened at this time or later, in milliseconds since 1970. */
  | { readonly time: number }
  | { readonly last: number };

export interface EntryFilter {
  /** Where to begin; `undefined` if there is no segment. */
  readonly first: number | undefined;
  wantsDelivery(sequence: number, receivedAt: number): boolean;
  wantsNote(time: number): boolean;
}

/** Without a range: everything. Throws the system's own error. */
export async function createEntryFilter(
  files: FolderParts,
  folder: string,
  table: SegmentTable,
  range: EntryRange | undefined,
): Promise<EntryFilter> {
  const oldest = table.segments[0]?.number;
  if (range === undefined) return { first: oldest, wantsDelivery: () => true, wantsNote: () => true };
  if ('time' in range) {
    const { time } = range;
    return {
      first: segmentOfTime(table, time) ?? oldest,
      wantsDelivery: (_, receivedAt) => receivedAt >= time,
      wantsNote: (noted) => noted >= time,
    };
  }
  const from = 'last' in range ? await findLast(files, folder, table, range.last) : range.sequence;
  // From the first delivery on is from the beginning: requests may have been rejected before it.
  let hasBegun = from <= (table.segments[0]?.facts?.first ?? 1);
  return {
    first: table.segments.findLast(({ facts }) => facts && facts.first <= from)?.number ?? oldest,
    wantsDelivery(sequence) {
      hasBegun ||= sequence >= from;
      return hasBegun;
    },
    wantsNote: () => hasBegun,
  };
}

/** The first that can hold something of that time. What it holds was written before the next one was begun. */
function segmentOfTime({ segments }: SegmentTable, time: number): number | undefined {
  const found = segments.find(({ facts, isSealed }, index) => {
    if (!facts || !isSealed) return true;
    return Math.max(facts.newest, segments[index + 1]?.facts?.begun ?? Number.POSITIVE_INFINITY) >= time;
  });
  return found?.number;
}

/** The sequence number of the first of the last `count` deliveries; infinite if none are wanted. */
async function findLast(
  files: FolderParts,
  folder: string,
  { segments }: SegmentTable,
  count: number,
): Promise<number> {
  let found: number[] = [];
  for (const { number, facts, isSealed } of segments.toReversed()) {
    if (found.length >= count) break;
    const end = isSealed && facts ? facts.end : Number.POSITIVE_INFINITY;
    const all = await readSequences(files, folder, number);
    found = [...all.filter((sequence) => sequence < end), ...found];
  }
  return count > 0 ? (found.at(-count) ?? 0) : Number.POSITIVE_INFINITY;
}

async function readSequences(files: FolderParts, folder: string, number: number): Promise<number[]> {
  const reader = await SegmentReader.open(files, folder, number);
  const found: number[] = [];
  try {
    for (let step = await reader?.next(); reader && step !== 'end'; step = await reader.next()) {
      const { type, bytes, start } = reader.parser;
      if (step === 'frame' && type === frameTypes.delivery) found.push(readSequence(bytes, start));
    }
    return found;
  } finally {
    await reader?.close();
  }
}
