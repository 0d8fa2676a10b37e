// Restores a journal's contents from the last segment, which begins with a checkpoint of everything before it. Reads further segments
// only if that checkpoint is damaged or incomplete.

import { Failure } from '#failure.ts';
import type { Files } from '#world/world.ts';
import type { SequenceRange } from '../intake/delivery-journal.ts';
import { readCheckpoint } from './checkpoint.ts';
import { Contents } from './contents.ts';
import { locateFingerprint, readReceivedAt, readSequence } from './delivery-frame.ts';
import { FrameParser, frameTypes } from './frame.ts';
import { KeyTable } from './key-table.ts';
import { readAttempted, readFinished, readNote } from './note-frame.ts';
import { addDropped } from './retention.ts';
import { Segment } from './segment.ts';
import { segmentName, segmentPath } from './segment-names.ts';

export interface Finding extends Gap {
  /**
   * - `torn`: an incomplete last frame, never acknowledged; it is cut off
   * - `damaged`: unreadable bytes, which stay in the file
   * - `damaged-end`: unreadable bytes at the end: an unfinished write, or acknowledged deliveries
   * - `unreadable`: a last segment without a valid frame: it was just begun, or its deliveries are lost
   * - `missing`: a segment with unfinished deliveries is gone
   * - `cut`: another program has removed the beginning of a segment
   */
  readonly kind: 'torn' | 'damaged' | 'damaged-end' | 'unreadable' | 'missing' | 'cut';
  /** After `cut`: the numbers of the deliveries that the segment held. */
  readonly lost?: SequenceRange;
  /** The name of the file in the journal's folder. */
  readonly file: string;
}

export type RestoredContents = Awaited<ReturnType<typeof readContents>>;

type Parts = Pick<Files, 'read'>;

/** The size of a small delivery, to estimate the number of keys. */
const typicalDeliveryBytes = 600;

/** `numbers`: the segments in the folder, ascending. Changes nothing on the disk. Throws the system's own error. */
export async function readContents(files: Parts, folder: string, numbers: readonly number[]) {
  /** Newest first, back to a segment with a valid checkpoint. */
  const read: { readonly number: number; readonly bytes: Uint8Array }[] = [];
  let base: Contents | undefined;
  for (const number of numbers.toReversed()) {
    const bytes = await readSegment(files, folder, number);
    read.push({ number, bytes });
    base = readFirstCheckpoint(bytes, segmentPath(folder, number));
    if (base) break;
  }
  const contents = base ?? new Contents();
  /** The segment with the checkpoint; 0 without one. */
  const { number: baseNumber } = contents.current;
  const findings: Finding[] = [];
  let keys = new KeyTable(contents.current.first);
  let isAppendable = false;
  for (const { number, bytes } of read.toReversed()) {
    const replay = replaySegment(contents, number, bytes);
    keys = replay.keys ?? keys;
    const file = segmentName(number);
    if (replay.lost && replay.damage.length === 0)
      findings.push({ kind: 'cut', file, offset: 0, bytes: 0, lost: replay.lost });
    for (const gap of replay.damage) findings.push({ kind: 'damaged', file, ...gap });
    // Only the very end of the last segment can be an unfinished write.
    const kindAtEnd = replay.keys === undefined ? 'unreadable' : replay.isCutOff ? 'torn' : 'damaged-end';
    const kind = number === numbers.at(-1) ? kindAtEnd : 'damaged';
    if (replay.rest.bytes > 0 || kind === 'unreadable') findings.push({ kind, file, ...replay.rest });
    isAppendable =
      replay.keys !== undefined && replay.damage.length === 0 && (replay.rest.bytes === 0 || kind === 'torn');
  }
  const present = new Set(numbers);
  for (const { number, unfinished, bytes } of contents.sealed)
    if (unfinished > 0 && !present.has(number))
      findings.push({ kind: 'missing', file: segmentName(number), offset: 0, bytes });
  const expected = contents.segments;
  // By a run that ended before it wrote that down, or by another program: either way log cannot show them.
  const dropped = contents.sealed.filter(
    ({ number, unfinished }) => unfinished === 0 && !present.has(number),
  );
  contents.dropped = addDropped(contents.dropped, dropped);
  contents.sealed = contents.sealed.filter(({ number }) => present.has(number));
  const listedNumbers = new Set(contents.segments.map(({ number }) => number));
  return {
    contents,
    keys,
    isAppendable,
    /** Even of an unreadable file. */
    lastNumber: numbers.at(-1) ?? 0,
    /** Dropped segments whose file still exists. */
    leftovers: numbers.filter((number) => number < baseNumber && !listedNumbers.has(number)),
    findings,
    /** The segments that were read, with their bytes. */
    read,
    /** The segments that should exist, oldest first. */
    expected,
  };
}

/** A missing segment is empty. */
export async function readSegment(files: Parts, folder: string, number: number): Promise<Uint8Array> {
  return (await files.read(segmentPath(folder, number))) ?? new Uint8Array(0);
}

function readFirstCheckpoint(bytes: Uint8Array, path: string): Contents | undefined {
  const parser = new FrameParser();
  parser.feed(bytes);
  if (parser.next() !== 'frame' || parser.type !== frameTypes.checkpoint) return undefined;
  const checkpoint = readCheckpoint(parser.bytes, parser.start, parser.end);
  if (checkpoint) return checkpoint;
  throw new Failure('other', {
    message: `Cannot read ${path}`,
    why: 'it was written by a newer version of wm',
    hint: 'Update wm, or choose another folder.',
  });
}

/** Adds the segment to the contents. Returns no `keys` if it has no valid frame. */
function replaySegment(contents: Contents, number: number, bytes: Uint8Array) {
  /** Parsed at the end, for unfinished deliveries only. */
  const attempts: { readonly sequence: number; readonly start: number; readonly end: number }[] = [];
  let keys =
    contents.current.number === number
      ? new KeyTable(contents.current.first, 0, bytes.length / typicalDeliveryBytes)
      : undefined;
  let lost: Finding['lost'];
  const frames = walkFrames(bytes, (parser) => {
    if (parser.type === frameTypes.delivery) {
      const sequence = readSequence(parser.bytes, parser.start);
      const receivedAt = readReceivedAt(parser.bytes, parser.start);
      if (keys === undefined) {
        const { end } = contents.current;
        if (sequence > end) lost = { from: end, to: sequence - 1 };
        // The beginning is damaged, so the segment is known only from here on.
        if (contents.current.number > 0) contents.sealed = [...contents.sealed, contents.current];
        contents.current = new Segment({
          number,
          salt: parser.salt ?? 0,
          begun: receivedAt,
          first: sequence,
        });
        keys = new KeyTable(sequence);
      }
      contents.current.add(sequence, receivedAt);
      contents.lastReceived = receivedAt;
      addKey(keys, parser);
    } else if (parser.type === frameTypes.note) {
      const finished = readFinished(parser.bytes, parser.start);
      const attempted = readAttempted(parser.bytes, parser.start);
      if (finished !== undefined) contents.finish(finished);
      else if (attempted !== undefined)
        attempts.push({ sequence: attempted, start: parser.start, end: parser.end });
    }
  });
  for (const { sequence, start, end } of attempts) {
    if (!contents.segmentOf(sequence)?.isUnfinished(sequence)) continue;
    const note = readNote(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength), start, end);
    if (note?.kind === 'attempt') contents.addAttempt(note);
  }
  if (keys) contents.current.bytes = frames.rest.offset;
  return { keys, lost, ...frames };
}

/** Rebuilds the keys of a segment whose table is missing or damaged. */
export function readKeys({ first, end }: Segment, bytes: Uint8Array): KeyTable {
  const keys = new KeyTable(first);
  walkFrames(bytes, (parser) => {
    // Deliveries beyond the end were rejected: their sync failed.
    if (parser.type === frameTypes.delivery && readSequence(parser.bytes, parser.start) < end)
      addKey(keys, parser);
  });
  return keys;
}

function addKey(keys: KeyTable, { bytes, start }: FrameParser): void {
  const fingerprint = locateFingerprint(bytes, start);
  if (fingerprint !== undefined)
    keys.add(bytes, fingerprint, readSequence(bytes, start), readReceivedAt(bytes, start));
}

interface Gap {
  /** Its position in the file. */
  readonly offset: number;
  readonly bytes: number;
}

/**
 * Passes each frame on in the parser: its type, and the bounds of its payload. Returns invalid bytes that are followed by a valid frame,
 * and the bytes after the last one.
 */
function walkFrames(segment: Uint8Array, visit: (parser: FrameParser) => void) {
  const parser = new FrameParser();
  const damage: Gap[] = [];
  parser.feed(segment);
  for (;;) {
    const step = parser.next();
    if (step === 'frame') visit(parser);
    else if (step === 'damage') damage.push(parser.damage);
    else {
      const rest: Gap = { offset: parser.position, bytes: parser.remaining };
      return { damage, rest, isCutOff: rest.bytes > 0 && parser.isCutOff() };
    }
  }
}
