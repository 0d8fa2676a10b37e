// Lists the segments of a journal from its newest checkpoint, even while another process writes to it.

import type { Files } from '#world/world.ts';
import { type Checkpoint, type Dropped, nothingDropped, readCheckpoint } from './checkpoint.ts';
import { frameTypes } from './frame.ts';
import type { Segment } from './segment.ts';
import { parseNames } from './segment-names.ts';
import { SegmentReader } from './segment-reader.ts';

export type FolderParts = Pick<Files, 'openForReading' | 'list'>;

export interface ListedSegment {
  readonly number: number;
  /** `undefined` if the beginning of the segment is damaged or not written yet. */
  readonly facts: Segment | undefined;
  /** The segment no longer grows, and its facts are final. */
  readonly isSealed: boolean;
}

export interface SegmentTable {
  /** In order. */
  readonly segments: readonly ListedSegment[];
  readonly dropped: Dropped;
}

/** Throws the system's own error. */
export async function readSegmentTable(files: FolderParts, folder: string): Promise<SegmentTable> {
  const { segments: numbers } = parseNames(await files.list(folder));
  for (const newestNumber of numbers.toReversed()) {
    const newest = await readBeginning(files, folder, newestNumber);
    if (!newest) continue;
    const sealed = new Map(newest.sealed.map((segment) => [segment.number, segment]));
    // An earlier segment that the checkpoint does not list was dropped or discarded; a listed one without a file is lost.
    const listed = [...sealed.keys(), ...numbers.filter((number) => number >= newestNumber)];
    return {
      segments: listed.map((number) => ({
        number,
        facts: number === newestNumber ? newest.begun : sealed.get(number),
        isSealed: number < newestNumber,
      })),
      dropped: newest.history.dropped,
    };
  }
  const segments = numbers.map((number) => ({ number, facts: undefined, isSealed: false }));
  return { segments, dropped: nothingDropped };
}

/** Reads the checkpoint at the start of a segment. */
async function readBeginning(
  files: FolderParts,
  folder: string,
  number: number,
): Promise<Checkpoint | undefined> {
  const reader = await SegmentReader.open(files, folder, number);
  if (!reader) return undefined;
  try {
    const step = await reader.next();
    const { type, bytes, start, end } = reader.parser;
    return step === 'frame' && type === frameTypes.checkpoint ? readCheckpoint(bytes, start, end) : undefined;
  } finally {
    await reader.close();
  }
}
