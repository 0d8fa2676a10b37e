// Reads a journal without its lock, while a receiver writes to it. An incomplete frame at the end counts as not written yet.

import type { Files, World } from '#world/world.ts';
import type { Note, StoredDelivery } from '../intake/delivery-journal.ts';
import { readCheckpoint } from './checkpoint.ts';
import { Contents, type Dropped } from './contents.ts';
import { readDelivery, readReceivedAt, readSequence } from './delivery-frame.ts';
import { type FrameParser, frameTypes } from './frame.ts';
import { readAttempted, readIsDead, readNote } from './note-frame.ts';
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
  /** Waits for new entries until this signal aborts. */
  readonly follow?: AbortSignal | undefined;
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
  { from, follow, selection }: ReadOptions = {},
): AsyncGenerator<JournalEntry, void, undefined> {
  let table = await readSegmentTable(files, folder);
  const { dropped, segments } = table.contents;
  if (dropped.segments > 0) yield { kind: 'dropped', ...dropped };
  const first = from === undefined ? undefined : segments.findLast((segment) => segment.first <= from);
  let currentNumber = first?.number ?? table.numbers[0];
  // A range from the first delivery on begins at the very beginning: requests may have been rejected before it.
  let hasBegun = from === undefined || from <= (segments[0]?.first ?? 1);
  let isCaughtUp = false;
  let reader: SegmentReader | undefined;
  /** `undefined` if the beginning of the segment is damaged or not written yet. */
  const current = () => table.contents.segments.find(({ number }) => number === currentNumber);
  /** The segment no longer grows, and what is known of it is final. */
  const isSealed = () => currentNumber !== undefined && currentNumber < table.contents.current.number;

  /** Reads everything up to the present end. */
  async function* readRest(segment: SegmentReader): AsyncGenerator<JournalEntry, void, undefined> {
    // Deliveries beyond the end were never acknowledged: their sync failed, and the next segment was begun.
    const end = isSealed() ? current()?.end : undefined;
    for (;;) {
      const step = segment.nextInMemory() ?? (await segment.next());
      if (step === 'end') return;
      const { parser } = segment;
      if (step === 'damage')
        yield { kind: 'damage', file: segmentName(currentNumber ?? 0), ...parser.damage };
      else if (parser.type === frameTypes.delivery) {
        const sequence = readSequence(parser.bytes, parser.start);
        if (end !== undefined && sequence >= end) continue;
        hasBegun ||= sequence >= (from ?? 1);
        if (!hasBegun) continue;
        if (selection?.wantsDelivery(sequence, readReceivedAt(parser.bytes, parser.start)) === false)
          continue;
        yield { kind: 'delivery', delivery: readDelivery(parser.bytes, parser.start, parser.end) };
      } else if (parser.type === frameTypes.note) {
        if (!hasBegun || (selection && !selectsNote(selection, parser))) continue;
        const note = readNote(parser.bytes, parser.start, parser.end);
        if (note) yield note;
      }
    }
  }

  try {
    while (follow?.aborted !== true) {
      if (currentNumber !== undefined) reader ??= await SegmentReader.open(files, folder, currentNumber);
      if (reader) yield* readRest(reader);
      if (reader && !isCaughtUp && !current() && reader.parser.position + reader.parser.remaining === 0)
        yield { kind: 'damage', file: segmentName(currentNumber ?? 0), offset: 0, bytes: 0 };
      const { segments: numbers } = parseNames(await files.list(folder));
      const isLast = numbers.every((number) => currentNumber !== undefined && number <= currentNumber);
      if (!isLast && !isSealed()) table = await readSegmentTable(files, folder);
      const next = table.numbers.find((number) => currentNumber === undefined || number > currentNumber);
      // While this segment may grow, the next one may still be discarded.
      if (!isLast && next !== undefined && (!follow || currentNumber === undefined || isSealed())) {
        if (reader) {
          yield* readRest(reader);
          // With a successor, an incomplete frame stays incomplete.
          const { position: offset, remaining: bytes } = reader.parser;
          const end = current()?.bytes ?? Number.POSITIVE_INFINITY;
          if (bytes > 0 && offset < end)
            yield { kind: 'damage', file: segmentName(currentNumber ?? 0), offset, bytes };
          await reader.close();
        }
        reader = undefined;
        currentNumber = next;
        continue;
      }
      if (!follow) return;
      hasBegun = true;
      if (!isCaughtUp) yield { kind: 'caught-up' };
      isCaughtUp = true;
      await clock.sleep(pollMs, follow);
    }
  } finally {
    await reader?.close();
  }
}

/** Leaves out attempts only: all other notes are rare. */
function selectsNote(selection: EntrySelection, { bytes, start, end }: FrameParser): boolean {
  const sequence = readAttempted(bytes, start);
  return sequence === undefined || selection.wantsAttempt(sequence, () => readIsDead(bytes, start, end));
}

/** Reads the newest checkpoint, and lists the segments in order, even while another process writes. */
async function readSegmentTable(files: Pick<Files, 'openForReading' | 'list'>, folder: string) {
  const { segments: numbers } = parseNames(await files.list(folder));
  const contents = (await readNewest(files, folder, numbers)) ?? new Contents();
  // An earlier segment that the checkpoint does not list was dropped or discarded; a listed one without a file is lost.
  const sealed = contents.sealed.map(({ number }) => number);
  return { contents, numbers: [...sealed, ...numbers.filter((number) => number >= contents.current.number)] };
}

async function readNewest(
  files: Pick<Files, 'openForReading'>,
  folder: string,
  numbers: readonly number[],
): Promise<Contents | undefined> {
  for (const number of numbers.toReversed()) {
    const reader = await SegmentReader.open(files, folder, number);
    const step = await reader?.next().finally(() => reader.close());
    const parser = reader?.parser;
    const isCheckpoint = step === 'frame' && parser?.type === frameTypes.checkpoint;
    const contents = isCheckpoint ? readCheckpoint(parser.bytes, parser.start, parser.end) : undefined;
    if (contents) return contents;
  }
  return undefined;
}
