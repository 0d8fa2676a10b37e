// Writes a note as the payload of a frame, and reads it back. For start-up, the numbers of its delivery are at fixed offsets.

import { parseJsonIfValid } from '#contract/json.ts';
import type { Attempt, Note } from '../intake/delivery-journal.ts';
import { type FrameBuffer, frameTypes } from './frame.ts';

/** The payload: the number of the delivery that the note finishes, the number that it attempts (each may be 0), then JSON. */
const attemptedOffset = 8;
const jsonOffset = 16;
const bytesPerUnit = 3;

export function addNote(frames: FrameBuffer, note: Note): void {
  const text = JSON.stringify(note);
  const start = frames.begin(frameTypes.note, jsonOffset + bytesPerUnit * text.length);
  const attempted = note.kind === 'attempt' ? note.sequence : 0;
  frames.bytes.writeDoubleLE(note.kind === 'attempt' && note.finishes ? attempted : 0, start);
  frames.bytes.writeDoubleLE(attempted, start + attemptedOffset);
  frames.end(start + jsonOffset + frames.bytes.write(text, start + jsonOffset));
}

/** The delivery that the note in this payload finishes. */
export function readFinished(bytes: Buffer, payload: number): number | undefined {
  return bytes.readDoubleLE(payload) || undefined;
}

/** The delivery that the note in this payload is an attempt at. */
export function readAttempted(bytes: Buffer, payload: number): number | undefined {
  return bytes.readDoubleLE(payload + attemptedOffset) || undefined;
}

/** Whether the note records a dead letter. Searches the JSON without parsing it, because quotes in texts are escaped. */
export function readIsDead(bytes: Buffer, payload: number, end: number): boolean {
  return bytes.subarray(payload + jsonOffset, end).includes(deadVerdict);
}

/** The verdict as `JSON.stringify` writes it. */
const deadVerdict = Buffer.from('"verdict":"dead"' satisfies `"verdict":"${Attempt['verdict']}"`);

/** Returns `undefined` for a kind of note that this version does not know. */
export function readNote(bytes: Buffer, payload: number, end: number): Note | undefined {
  const parsed = parseJsonIfValid(bytes.toString('utf8', payload + jsonOffset, end));
  return isNote(parsed) ? parsed : undefined;
}

const kinds: readonly unknown[] = ['attempt', 'duplicate', 'rejected'] satisfies readonly Note['kind'][];

/** The checksum was right, so wm wrote the note, and its kind implies its type. */
export const isNote = (value: unknown): value is Note =>
  typeof value === 'object' && value !== null && 'kind' in value && kinds.includes(value.kind);
