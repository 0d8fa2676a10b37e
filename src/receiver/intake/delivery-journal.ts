// What the receiver needs from the place where it stores deliveries: the local journal (journal/), or a sink that several machines
// share (sink/).

import type { ReceivedDelivery, StoredDelivery } from './stored-delivery.ts';

export interface DeliveryStore {
  /**
   * Stores the delivery; resolves once it is on the disk, and not before: only then may the sender get a 2xx. A duplicate (the
   * same key and the same bytes, stored within the last 7 days) is not stored again; it resolves once the first is on the disk.
   * Rejects if it cannot be stored: a {@link JournalFull}, or the system's own error.
   */
  append(delivery: ReceivedDelivery): Promise<Appended>;
  /** Reaches the disk with the next sync: if a power cut loses an attempt, the delivery is forwarded again. Never throws. */
  mark(note: Note): void;
  /** Resolves once all that is marked so far survives a kill of this process, or writing it has failed. Never rejects. */
  written(): Promise<void>;
  /** `undefined` if there is none, or if it was dropped. */
  read(sequence: number): Promise<StoredDelivery | undefined>;
  state(): JournalState;
  /** Writes and syncs what is buffered. Nothing can be stored afterwards. */
  close(): Promise<void>;
}

/** One that a forwarder of its own process reads. */
export interface Journal extends DeliveryStore {
  /**
   * The deliveries that are not finished, in the order in which they were stored: first those of earlier runs, then new ones as
   * they are stored, until the signal aborts. Reads ahead no further than the caller asks, so that a long backlog stays on the disk.
   * With a range (both ends included) it ends with that; one reader at a time may have a range without an end.
   */
  unfinished(signal: AbortSignal, range?: SequenceRange): AsyncIterable<UnfinishedDelivery>;
}

export interface SequenceRange {
  readonly from: number;
  readonly to: number;
}

export interface UnfinishedDelivery extends StoredDelivery {
  /** The last attempt at each target that has had one, in this run or an earlier one, as known when this is looked at. */
  readonly earlier: readonly Pick<Attempt, 'target' | 'attempt' | 'verdict'>[];
}

export interface Appended {
  /** For a duplicate, that of the first delivery. */
  readonly sequence: number;
  readonly isDuplicate: boolean;
  /** For a duplicate: whether the first was stored only recently, which shows that the storage works. */
  readonly isRecent?: boolean;
}

/** Something that happened to a delivery, or a request that was not stored. */
export type Note = Attempt | Duplicate | Rejection;

/** One attempt to forward a delivery. */
export interface Attempt {
  readonly kind: 'attempt';
  readonly sequence: number;
  /** Milliseconds since 1970, when it ended. */
  readonly time: number;
  /** {@link Target.name}; empty for a delivery that has no target (it finishes with the outcome `no-target`), or cannot be read (`damaged`). */
  readonly target: string;
  /** From 1, for each target. */
  readonly attempt: number;
  readonly milliseconds: number;
  /** The status of the response (`200`), a fault (`timeout`, `connection-refused`), or the exit status (`exit 1`). */
  readonly outcome: string;
  /** `dead`: given up; the delivery is a dead letter of this target. */
  readonly verdict: 'forwarded' | 'retry' | 'dead';
  /** With this attempt the delivery is finished: forwarded to, or given up for, each of its targets. */
  readonly finishes: boolean;
}

/** The service repeated a delivery that is already stored. */
export interface Duplicate {
  readonly kind: 'duplicate';
  /** The number of the delivery that it repeats. */
  readonly sequence: number;
  readonly time: number;
}

/** A request that was not a delivery, or could not be stored. Its content is not kept: anyone can send one. */
export interface Rejection {
  readonly kind: 'rejected';
  readonly time: number;
  readonly reason: RejectionReason;
  /** The status code of the response; 0 if the connection broke before there was one. */
  readonly status: number;
  /** How many more this one stands for: they were not recorded, because too many came within a minute. */
  readonly leftOut?: number;
}

export type RejectionReason =
  | 'bad-signature'
  | 'no-signature'
  | 'bad-challenge'
  /** Signed, but by a handshake for all that is known: it gets 200. */
  | 'forgeable'
  | 'method'
  | 'too-large'
  /** Not HTTP, cut off, or not complete in time. */
  | 'malformed'
  /** For a path other than the one that accepts deliveries. */
  | 'path'
  /** Too many connections, or too many large bodies at once. */
  | 'busy'
  /** A connection on which nothing came, and which made room for another one when there were too many. */
  | 'silent'
  /** The disk is full, fails, or takes too long; or the receiver is ending. */
  | 'not-stored';

export interface JournalState {
  /** Deliveries that are stored and not finished. */
  readonly unfinished: number;
  /** The sequence number of the newest of them; 0 if there is none. */
  readonly lastUnfinished: number;
  /** When the oldest of them was received, in milliseconds since 1970; `undefined` if there is none. */
  readonly oldestUnfinished: number | undefined;
  /** When the last delivery was received, in this run or before. */
  readonly lastReceived: number | undefined;
  readonly bytes: number;
  /** How long the last sync took. */
  readonly syncMs: number;
  /** Why deliveries cannot be stored or read at the moment; `undefined` if they can. */
  readonly fault: string | undefined;
}

/** The journal has reached its size limit, and every file in it holds a delivery that is not finished. */
export class JournalFull extends Error {
  override readonly name = 'JournalFull';
}
