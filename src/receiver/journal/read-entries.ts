// Reads a journal without its lock, for `log` and `replay`, while a receiver writes to it. An incomplete frame at the end counts as
// not written yet.

import type { World } from '#world/world.ts';
import type { Note } from '../intake/delivery-journal.ts';
import type { StoredDelivery } from '../intake/stored-delivery.ts';
import type { Dropped } from './checkpoint.ts';
import { readDelivery, readReceivedAt, readSequence } from './delivery-frame.ts';
import { type FrameParser, frameTypes } from './frame.ts';
import { readAttempted, readIsDead, readNote } from './note-frame.ts';
import { parseNames, segmentName } from './segment-names.ts';
import { SegmentReader } from './segment-reader.ts';
import {
  type FolderParts,
  type ListedSegment,
  readSegmentTable,
  type SegmentTable,
} from './segment-table.ts';

export type JournalEntry =
  | { readonly kind: 'delivery'; readonly delivery: StoredDelivery }
  | Note
  /** Unreadable bytes; 0 for an empty file. */
  | { readonly kind: 'damage'; readonly file: string; readonly offset: number; readonly bytes: number }
  /** What was dropped so far, by age or size. Comes first, if anything was. */
  | ({ readonly kind: 'dropped' } & Dropped);

export interface ReadOptions {
  /**
   * By default everything, in the order in which it was written: notes come after their delivery, maybe after later deliveries too.
   * A range from a sequence number holds everything from that delivery on.
   */
  readonly from?: EntryRange;
  /** Waits for new entries until the signal aborts. Passes on every new entry. */
  readonly follow?: boolean;
  readonly signal?: AbortSignal;
  /** Saves decoding the other entries, which takes most of the time. By default everything is read. */
  readonly selection?: EntrySelection;
}

/** Asked about each entry in the order of writing, after all earlier ones were passed on. */
export interface EntrySelection {
  wantsDelivery(sequence: number, receivedAt: number): boolean;
  /** `isDead`: whether this attempt made the delivery a dead letter of the target. */
  wantsAttempt(sequence: number, isDead: () => boolean): boolean;
}

const pollMs = 200;

/** Throws the system's own error. */
export async function* readEntries(
  { files, clock }: Pick<World, 'files' | 'clock'>,
  folder: string,
  { from, follow = false, signal, selection }: ReadOptions = {},
): AsyncGenerator<JournalEntry, void, undefined> {
  let table = await readSegmentTable(files, folder);
  if (table.dropped.segments > 0) yield { kind: 'dropped', ...table.dropped };
  let filter = await createEntryFilter(files, folder, table, from);
  let at = filter.first;
  let reader: SegmentReader | undefined;
  const listed = () => table.segments.find(({ number }) => number === at);
  try {
    while (signal?.aborted !== true) {
      if (at !== undefined) reader ??= await SegmentReader.open(files, folder, at);
      if (reader) yield* readRest(reader, listed(), filter, selection);
      if (reader && !follow && !listed()?.facts && reader.parser.position + reader.parser.left === 0)
        yield { kind: 'damage', file: segmentName(at ?? 0), offset: 0, bytes: 0 };
      const { segments: numbers } = parseNames(await files.list(folder));
      const isLast = numbers.every((number) => at !== undefined && number <= at);
      if (!isLast && listed()?.isSealed !== true) table = await readSegmentTable(files, folder);
      const next = table.segments.find(({ number }) => at === undefined || number > at);
      // While this segment may grow, the next one may still be discarded.
      if (!isLast && next && (!follow || at === undefined || listed()?.isSealed !== false)) {
        if (reader) yield* readSealed(reader, listed(), at ?? 0, filter, selection);
        await reader?.close();
        reader = undefined;
        at = next.number;
        continue;
      }
      if (!follow) return;
      filter = { first: at, wantsDelivery: () => true, wantsNote: () => true };
      await clock.sleep(pollMs, signal);
    }
  } finally {
    await reader?.close();
  }
}

/** Reads everything up to the present end. */
async function* readRest(
  reader: SegmentReader,
  listed: ListedSegment | undefined,
  filter: EntryFilter,
  selection: EntrySelection | undefined,
): AsyncGenerator<JournalEntry, void, undefined> {
  // Deliveries beyond the end were never acknowledged: their sync failed, and the next segment was begun.
  const end = listed?.isSealed ? listed.facts?.end : undefined;
  for (;;) {
    const step = reader.nextInMemory() ?? (await reader.next());
    if (step === 'end') return;
    const { parser } = reader;
    if (step === 'damage') yield { kind: 'damage', file: segmentName(listed?.number ?? 0), ...parser.damage };
    else if (parser.type === frameTypes.delivery) {
      const sequence = readSequence(parser.bytes, parser.start);
      if (end !== undefined && sequence >= end) continue;
      const receivedAt = readReceivedAt(parser.bytes, parser.start);
      if (!filter.wantsDelivery(sequence, receivedAt)) continue;
      if (selection?.wantsDelivery(sequence, receivedAt) === false) continue;
      yield { kind: 'delivery', delivery: readDelivery(parser.bytes, parser.start, parser.end) };
    } else if (parser.type === frameTypes.note) {
      // The filter takes no note of any time, so the note need not be decoded.
      if (!filter.wantsNote(Number.POSITIVE_INFINITY)) continue;
      if (selection && !selectsNote(selection, parser)) continue;
      const note = readNote(parser.bytes, parser.start, parser.end);
      if (note && filter.wantsNote(note.time)) yield note;
    }
  }
}

/** Leaves out attempts only: all other notes are rare. */
function selectsNote(selection: EntrySelection, { bytes, start, end }: FrameParser): boolean {
  const attempted = readAttempted(bytes, start);
  return attempted === undefined || selection.wantsAttempt(attempted, () => readIsDead(bytes, start, end));
}

/** Reads the rest of a segment that has a successor: an incomplete frame in it stays incomplete. */
async function* readSealed(
  reader: SegmentReader,
  listed: ListedSegment | undefined,
  number: number,
  filter: EntryFilter,
  selection: EntrySelection | undefined,
): AsyncGenerator<JournalEntry, void, undefined> {
  yield* readRest(reader, listed, filter, selection);
  const { position: offset, left: bytes } = reader.parser;
  const end = listed?.facts?.bytes ?? Number.POSITIVE_INFINITY;
  if (bytes > 0 && offset < end) yield { kind: 'damage', file: segmentName(number), offset, bytes };
}

type EntryRange =
  | { readonly sequence: number }
  /** Only what happened at this time or later, in milliseconds since 1970. */
  | { readonly time: number }
  | { readonly last: number };

interface EntryFilter {
  /** The segment to begin with; `undefined` if the journal has none. */
  readonly first: number | undefined;
  wantsDelivery(sequence: number, receivedAt: number): boolean;
  wantsNote(time: number): boolean;
}

/** Accepts everything without a range. Throws the system's own error. */
async function createEntryFilter(
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
  // A range from the first delivery on begins at the very beginning: requests may have been rejected before it.
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

/** The first segment that can hold entries of that time: its last entry is older than the next segment. */
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
