// Declares a delivery, what happens to it, and what the receiver needs from its storage: the local journal (journal/), or a sink that
// several machines share (sink/). Bytes and headers stay unchanged, so that the user's program can check the signature itself.

import type { DeliveredEvents } from './read-events.ts';

/** Headers in their original order and spelling. A name may occur twice. */
export type Headers = readonly (readonly [name: string, value: string])[];

/** Names each receiver and sink that has forwarded the delivery, so that each recognises a delivery that comes back. */
export const loopHeader = 'x-wm-loop';

/** A delivery that the receiver has accepted but not yet stored. */
export interface ReceivedDelivery {
  /** Milliseconds since 1970-01-01T00:00:00Z, by this machine's clock. Never used for ordering, because clocks can be set back. */
  readonly receivedAt: number;
  readonly path: string;
  readonly headers: Headers;
  readonly body: Uint8Array;
  /** The value of the header. A delivery without it is never a duplicate. */
  readonly idempotencyKey: string | undefined;
  /** `unsigned`: accepted without a check, with `--unsigned`. */
  readonly signature: 'valid' | 'unsigned';
}

export interface StoredDelivery extends ReceivedDelivery {
  /** The number that users see: from 1, in stored order. */
  readonly sequence: number;
  /** The events of a long body, cached by `eventsOf`. */
  events?: DeliveredEvents;
}

export interface DeliveryStore {
  /**
   * Resolves once the delivery is on the disk: only then may the sender get a 2xx. Does not store a duplicate (same key and bytes
   * within 7 days), but waits for the first one. Rejects with a {@link JournalFull} or the system's own error.
   */
  append(delivery: ReceivedDelivery): Promise<Appended>;
  /** Writes a note with the next sync. If a power cut loses an attempt, the delivery is forwarded again. Never throws. */
  record(note: Note): void;
  /** Resolves once every note so far survives a kill of this process, or could not be written. Never rejects. */
  flush(): Promise<void>;
  /** Returns `undefined` if the delivery does not exist or was dropped. */
  read(sequence: number): Promise<StoredDelivery | undefined>;
  state(): JournalState;
  /** Writes and syncs the rest. Nothing can be stored afterwards. */
  close(): Promise<void>;
}

/** A store that a forwarder in the same process reads. */
export interface Journal extends DeliveryStore {
  /**
   * Reads unfinished deliveries in stored order, then new ones, until the signal aborts. Never reads ahead: a backlog stays on the disk.
   * Never rejects: while the disk fails, it retries, and {@link JournalState.fault} says why.
   * Without `waits`, ends with the last delivery that is stored.
   */
  unfinished(signal: AbortSignal, waits?: boolean): AsyncIterable<StoredDelivery>;
  /** The last attempt so far at each target of an unfinished delivery, in this run or an earlier one. */
  lastAttempts(sequence: number): readonly LastAttempt[];
  /** Whether a delivery with this number or a higher one is unfinished. */
  hasUnfinished(from: number): boolean;
}

/** A range that includes both ends. */
export interface SequenceRange {
  readonly from: number;
  readonly to: number;
}

export interface Appended {
  /** For a duplicate, the number of the first delivery. */
  readonly sequence: number;
  readonly isDuplicate: boolean;
  /** For a duplicate: the first was stored only recently, so the storage works. */
  readonly isRecent?: boolean;
}

/** Something that happened to a delivery, or a request that was not stored. */
export type Note = Attempt | Duplicate | Rejection;

export interface Attempt {
  readonly kind: 'attempt';
  readonly sequence: number;
  /** When the attempt ended, in milliseconds since 1970. */
  readonly time: number;
  /** {@link Target.name}; empty if the delivery has no target (outcome `no-target`) or cannot be read (`damaged`). */
  readonly target: string;
  /** The number of the attempt, from 1 for each target. */
  readonly attempt: number;
  readonly milliseconds: number;
  /** The status code (`200`), a fault (`timeout`, `connection-refused`), or the exit status (`exit 1`). */
  readonly outcome: string;
  /** `dead`: the delivery is a dead letter of this target. */
  readonly verdict: 'forwarded' | 'retry' | 'dead';
  /** This attempt finishes the delivery: each target has it, or has a dead letter. */
  readonly finishes: boolean;
  /** For a failure: the beginning of the target's response, or of the error. Hostile text. */
  readonly detail?: string;
  /** For `retry`: milliseconds until the next attempt. */
  readonly delay?: number;
  /** For `retry`: how long it has been retried while nothing got through to the target; absent once something has. */
  readonly stalledMs?: number;
}

export type LastAttempt = Pick<Attempt, 'target' | 'attempt' | 'verdict' | 'stalledMs'>;

/** A delivery that the service sent again although it is stored. */
export interface Duplicate {
  readonly kind: 'duplicate';
  /** The number of the first delivery. */
  readonly sequence: number;
  readonly time: number;
}

/** A request that was not a delivery, or could not be stored. Its content is not kept, because anyone can send one. */
export interface Rejection {
  readonly kind: 'rejected';
  readonly time: number;
  readonly reason: RejectionReason;
  /** The status code of the response; 0 if the connection broke before the response. */
  readonly status: number;
  /** How many more rejections this one stands for, because too many came within a minute. */
  readonly leftOut?: number;
}

export const rejectionReasons = [
  'bad-signature',
  'no-signature',
  'bad-challenge',
  /** The signature may come from a handshake, so this may be a forgery. It gets 200. */
  'forgeable',
  'method',
  'too-large',
  /** Not HTTP, cut off, or incomplete at the time limit. */
  'malformed',
  'path',
  'address',
  /** With Origin or Sec-Fetch-Site, as only a browser sends them. It gets 403. */
  'web-page',
  /** Without a signature, and at a local receiver for a Host other than this machine. It gets 403. */
  'host',
  /** Too many connections, or too many large bodies at once. */
  'busy',
  /** A silent connection that was closed to make room for another one. */
  'silent',
  /** The disk is full, fails or takes too long, or the receiver is stopping. */
  'not-stored',
] as const;
export type RejectionReason = (typeof rejectionReasons)[number];

export interface JournalState {
  readonly unfinished: number;
  /** When the oldest unfinished delivery was received, in milliseconds since 1970. */
  readonly oldestUnfinished: number | undefined;
  /** When the last delivery was received, in this run or an earlier one. */
  readonly lastReceived: number | undefined;
  readonly bytes: number;
  readonly syncMs: number;
  /** Why deliveries cannot be stored or read at present; `undefined` if they can. */
  readonly fault: string | undefined;
}

/** The journal has reached its size limit, and every file in it holds an unfinished delivery. */
export class JournalFull extends Error {
  override readonly name = 'JournalFull';
}

export type Activity =
  /** The delivery is on the disk, and the sender has its 200. */
  | { readonly kind: 'stored'; readonly delivery: StoredDelivery; readonly milliseconds: number }
  | { readonly kind: 'handshake'; readonly time: number }
  /** Its `detail` is longer than in the journal. */
  | (Attempt & { readonly delivery: StoredDelivery })
  | Duplicate
  /** `from`: the address that may not send, or the foreign Host. */
  | (Rejection & { readonly from?: string })
  /** Deliveries cannot be stored; `undefined`: they can be again. */
  | { readonly kind: 'storage'; readonly fault: string | undefined }
  /** Deliveries cannot be forwarded to any target; `undefined`: they can be again. */
  | { readonly kind: 'sink'; readonly fault: string | undefined }
  /** A target cannot be reached; `undefined`: it can be again. */
  | { readonly kind: 'target'; readonly target: string; readonly fault: string | undefined };

/** Must return quickly and never throw. `isSample`: rejected as the forgery of a verification. */
export type OnActivity = (activity: Activity, isSample?: boolean) => void;
