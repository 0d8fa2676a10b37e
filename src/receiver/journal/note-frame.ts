// A note as the payload of a frame. Which delivery it finishes is at a fixed offset, for start-up; the rest is JSON.

import { parseJsonIfValid } from '#contract/json.ts';
import type { Attempt, Note } from '../intake/delivery-journal.ts';
import { type FrameBuffer, frameTypes } from './frame.ts';

/** First the number of the delivery that it finishes, then that of the one that it attempts, each 0 if there is none; then JSON. */
const aboutAt = 8;
const jsonAt = 16;
const bytesPerUnit = 3;

export function addNote(frames: FrameBuffer, note: Note): void {
  const text = JSON.stringify(note);
  const start = frames.begin(frameTypes.note, jsonAt + bytesPerUnit * text.length);
  frames.bytes.writeDoubleLE(finishedBy(note) ?? 0, start);
  frames.bytes.writeDoubleLE(note.kind === 'attempt' ? note.sequence : 0, start + aboutAt);
  frames.end(start + jsonAt + frames.bytes.write(text, start + jsonAt));
}

function finishedBy(note: Note): number | undefined {
  return note.kind === 'attempt' && note.finishes ? note.sequence : undefined;
}

/** The same for the payload of a frame. */
export function readFinished(bytes: Buffer, payload: number): number | undefined {
  return bytes.readDoubleLE(payload) || undefined;
}

/** The delivery of an attempt. */
export function readAttempted(bytes: Buffer, payload: number): number | undefined {
  return bytes.readDoubleLE(payload + aboutAt) || undefined;
}

/** Whether it says that its delivery was given up for a target. Quotes inside its texts are escaped, so it is not parsed. */
export function readIsDead(bytes: Buffer, payload: number, end: number): boolean {
  return bytes.subarray(payload + jsonAt, end).includes(deadVerdict);
}

/** As `JSON.stringify` writes it. */
const deadVerdict = Buffer.from('"verdict":"dead"' satisfies `"verdict":"${Attempt['verdict']}"`);

/** `undefined` for a kind of note that this version does not know. */
export function readNote(bytes: Buffer, payload: number, end: number): Note | undefined {
  const found = parseJsonIfValid(bytes.toString('utf8', payload + jsonAt, end));
  return isNote(found) ? found : undefined;
}

const kinds: readonly unknown[] = ['attempt', 'duplicate', 'rejected'] satisfies readonly Note['kind'][];

/** The checksum was right, so this is what we wrote, and its kind tells its type. */
export const isNote = (value: unknown): value is Note =>
  typeof value === 'object' && value !== null && 'kind' in value && kinds.includes(value.kind);
