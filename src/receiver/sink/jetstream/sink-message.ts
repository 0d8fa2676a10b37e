// Encodes a delivery as a message of a sink, with all that a frame of the local journal holds, so both recognise the same duplicates.

import { parseJsonIfValid } from '#contract/json.ts';
import { lanesOf } from '#receiver/core/forwarding/subject-lanes.ts';
import type {
  Attempt,
  Duplicate,
  ReceivedDelivery,
  Rejection,
} from '#receiver/core/intake/delivery-journal.ts';
import { readEvents } from '#receiver/core/intake/read-events.ts';
import * as frame from '#receiver/core/journal/delivery-frame.ts';
import { FrameBuffer } from '#receiver/core/journal/frame.ts';
import { isNote } from '#receiver/core/journal/note-frame.ts';
import type { NatsMessage } from '#world/world.ts';
import { isFault } from './sink-faults.ts';
import { partitionFor, type Sink } from './sink-layout.ts';

/** Returns a function that throws if a delivery is too large. */
export function createSinkEncoder(partitions: number) {
  // Shared by all deliveries: a new buffer takes 64 KiB.
  const frames = new FrameBuffer();
  return (delivery: ReceivedDelivery) => {
    frames.clear();
    const fingerprint = frame.addDelivery(frames, delivery);
    let payload: Uint8Array = new Uint8Array();
    frames.visit((start, end) => {
      frame.writeSequence(frames.bytes, start, 0);
      payload = Uint8Array.prototype.slice.call(frames.bytes, start, end);
    });
    // The other subjects may belong to other partitions: see docs/decisions/sink.md.
    const [lane = ''] = lanesOf(readEvents(delivery.body));
    return {
      partition: partitionFor(lane, partitions),
      /** Equal for two deliveries with the same key and bytes; `undefined` without a key. */
      id:
        fingerprint === undefined
          ? undefined
          : frames.bytes.toString('hex', fingerprint, fingerprint + frame.fingerprintBytes),
      payload,
    };
  };
}

/** Returns `undefined` for a message of another program. */
export function decodeDelivery(message: Pick<NatsMessage, 'payload' | 'sequence'>) {
  const { buffer, byteOffset, byteLength } = message.payload;
  try {
    const bytes = Buffer.from(buffer, byteOffset, byteLength);
    return { ...frame.readDelivery(bytes, 0, byteLength), sequence: message.sequence };
  } catch {
    return undefined;
  }
}

/** An attempt as NAME-log has it. */
export interface SinkNote extends Attempt {
  /** When the stream stored the delivery: in a new stream, its number belongs to another one. */
  readonly stored: number;
  /** The number of targets. The delivery is finished once all of them have settled it. */
  readonly of: number;
}

/** Reads a message of NAME-log: one attempt, or the notes of a receiver. */
export function readNotes({ payload }: Pick<NatsMessage, 'payload'>): readonly SinkLogNote[] {
  const lines = new TextDecoder().decode(payload).split('\n');
  return lines.map((line) => parseJsonIfValid(line)).filter(isSinkLogNote);
}

type SinkLogNote = SinkNote | Duplicate | Rejection;

const isSinkLogNote = (value: unknown): value is SinkLogNote =>
  isNote(value) && (value.kind !== 'attempt' || ('stored' in value && 'of' in value));

export async function lastAttempt({ nats, names }: Sink, consumer: string) {
  const message = await nats.read(names.log, { last_by_subj: names.attempts(consumer) });
  if (isFault(message)) return message.fault === 'not-found' ? undefined : message;
  const [note] = readNotes(message);
  return note?.kind === 'attempt' ? note : undefined;
}
