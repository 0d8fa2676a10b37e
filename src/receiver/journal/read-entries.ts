// Reads a journal without its lock, for `log` and `replay`, while a receiver writes to it. An incomplete frame at the end counts as
// not written yet.

import type { Files, World } from '#world/world.ts';
import type { Note } from '../intake/delivery-journal.ts';
import type { StoredDelivery } from '../intake/stored-delivery.ts';
import { type Dropped, nothingDropped, readCheckpoint } from './checkpoint.ts';
import { readDelivery, readReceivedAt, readSequence } from './delivery-frame.ts';
import { type FrameParser, frameTypes } from './frame.ts';
import { readAttempted, readIsDead, readNote } from './note-frame.ts';
import type { Segment } from './segment.ts';
import { parseNames, segmentName } from './segment-names.ts';
import { SegmentReader } from './segment-reader.ts';

export type JournalEntry =
  | { readonly kind: 'delivery'; readonly delivery: StoredDelivery }
  | Note
  /** Unreadable bytes; 0 for an empty file. */
  | { readonly kind: 'damage'; readonly file: string; readonly offset: number; readonly bytes: number }
  /** What was dropped so far, by age or size. Comes first, if anything was. */
  | ({ readonly kind: 'dropped' } & Dropped)
  /** With `follow`: everything that was there at the start has been read. Comes once. */
  | { readonly kind: 'caught-up' };

export interface ReadOptions {
  /**
   * The delivery to begin with, by its number; by default everything. Entries come in the order in which they were written: notes after
   * their delivery, maybe after later deliveries too.
   */
  readonly from?: number;
  /** Waits for new entries until the signal aborts. */
  readonly follow?: boolean;
  readonly signal?: AbortSignal;
  /** Saves decoding all other entries, which takes most of the time. By default, reads everything. */
  readonly selection?: EntrySelection;
}

/** Called for each entry in stored order, after all earlier entries were yielded. */
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
  const [oldest] = table.segments;
  const first =
    from === undefined ? oldest : table.segments.findLast(({ facts }) => facts && facts.first <= from);
  let currentNumber = (first ?? oldest)?.number;
  // A range from the first delivery on begins at the very beginning: requests may have been rejected before it.
  const hasBegun = from === undefined || from <= (oldest?.facts?.first ?? 1);
  const range: Range = { from, selection, hasBegun };
  let isCaughtUp = false;
  let reader: SegmentReader | undefined;
  const current = () => table.segments.find(({ number }) => number === currentNumber);
  try {
    while (signal?.aborted !== true) {
      if (currentNumber !== undefined) reader ??= await SegmentReader.open(files, folder, currentNumber);
      if (reader) yield* readRest(reader, current(), range);
      if (
        reader &&
        !isCaughtUp &&
        !current()?.facts &&
        reader.parser.position + reader.parser.remaining === 0
      )
        yield { kind: 'damage', file: segmentName(currentNumber ?? 0), offset: 0, bytes: 0 };
      const { segments: numbers } = parseNames(await files.list(folder));
      const isLast = numbers.every((number) => currentNumber !== undefined && number <= currentNumber);
      if (!isLast && current()?.isSealed !== true) table = await readSegmentTable(files, folder);
      const next = table.segments.find(({ number }) => currentNumber === undefined || number > currentNumber);
      // While this segment may grow, the next one may still be discarded.
      if (!isLast && next && (!follow || currentNumber === undefined || current()?.isSealed !== false)) {
        if (reader) yield* readSealed(reader, current(), currentNumber ?? 0, range);
        await reader?.close();
        reader = undefined;
        currentNumber = next.number;
        continue;
      }
      if (!follow) return;
      range.hasBegun = true;
      if (!isCaughtUp) yield { kind: 'caught-up' };
      isCaughtUp = true;
      await clock.sleep(pollMs, signal);
    }
  } finally {
    await reader?.close();
  }
}

interface Range {
  readonly from: number | undefined;
  readonly selection: EntrySelection | undefined;
  hasBegun: boolean;
}

/** Reads everything up to the present end. */
async function* readRest(
  reader: SegmentReader,
  listed: ListedSegment | undefined,
  range: Range,
): AsyncGenerator<JournalEntry, void, undefined> {
  // Deliveries beyond the end were never acknowledged: their sync failed, and the next segment was begun.
  const end = listed?.isSealed ? listed.facts?.end : undefined;
  const { selection } = range;
  for (;;) {
    const step = reader.nextInMemory() ?? (await reader.next());
    if (step === 'end') return;
    const { parser } = reader;
    if (step === 'damage') yield { kind: 'damage', file: segmentName(listed?.number ?? 0), ...parser.damage };
    else if (parser.type === frameTypes.delivery) {
      const sequence = readSequence(parser.bytes, parser.start);
      if (end !== undefined && sequence >= end) continue;
      range.hasBegun ||= sequence >= (range.from ?? 1);
      if (!range.hasBegun) continue;
      if (selection?.wantsDelivery(sequence, readReceivedAt(parser.bytes, parser.start)) === false) continue;
      yield { kind: 'delivery', delivery: readDelivery(parser.bytes, parser.start, parser.end) };
    } else if (parser.type === frameTypes.note) {
      if (!range.hasBegun || (selection && !selectsNote(selection, parser))) continue;
      const note = readNote(parser.bytes, parser.start, parser.end);
      if (note) yield note;
    }
  }
}

/** Leaves out attempts only: all other notes are rare. */
function selectsNote(selection: EntrySelection, { bytes, start, end }: FrameParser): boolean {
  const sequence = readAttempted(bytes, start);
  return sequence === undefined || selection.wantsAttempt(sequence, () => readIsDead(bytes, start, end));
}

/** Reads the rest of a segment that has a successor: an incomplete frame in it stays incomplete. */
async function* readSealed(
  reader: SegmentReader,
  listed: ListedSegment | undefined,
  number: number,
  range: Range,
): AsyncGenerator<JournalEntry, void, undefined> {
  yield* readRest(reader, listed, range);
  const { position: offset, remaining: bytes } = reader.parser;
  const end = listed?.facts?.bytes ?? Number.POSITIVE_INFINITY;
  if (bytes > 0 && offset < end) yield { kind: 'damage', file: segmentName(number), offset, bytes };
}

interface ListedSegment {
  readonly number: number;
  /** `undefined` if the beginning of the segment is damaged or not written yet. */
  readonly facts: Segment | undefined;
  /** The segment no longer grows, and its facts are final. */
  readonly isSealed: boolean;
}

/** Lists the segments in order, from the newest checkpoint, even while another process writes. */
async function readSegmentTable(
  files: Pick<Files, 'openForReading' | 'list'>,
  folder: string,
): Promise<{ readonly segments: readonly ListedSegment[]; readonly dropped: Dropped }> {
  const { segments: numbers } = parseNames(await files.list(folder));
  for (const newestNumber of numbers.toReversed()) {
    const newest = await readBeginning(files, folder, newestNumber);
    if (!newest) continue;
    const sealed = new Map(newest.sealed.map((segment) => [segment.number, segment]));
    // An earlier segment that the checkpoint does not list was dropped or discarded; a listed one without a file is lost.
    const listed = [...sealed.keys(), ...numbers.filter((number) => number >= newestNumber)];
    const segments = listed.map((number) => ({
      number,
      facts: number === newestNumber ? newest.begun : sealed.get(number),
      isSealed: number < newestNumber,
    }));
    return { segments, dropped: newest.history.dropped };
  }
  const segments = numbers.map((number) => ({ number, facts: undefined, isSealed: false }));
  return { segments, dropped: nothingDropped };
}

/** Reads the checkpoint at the start of a segment. */
async function readBeginning(files: Pick<Files, 'openForReading'>, folder: string, number: number) {
  const reader = await SegmentReader.open(files, folder, number);
  const step = await reader?.next().finally(() => reader.close());
  if (step !== 'frame' || reader?.parser.type !== frameTypes.checkpoint) return undefined;
  return readCheckpoint(reader.parser.bytes, reader.parser.start, reader.parser.end);
}
