// Stores deliveries in a folder on the local disk, with group commit: one sync covers all waiting deliveries, and later ones wait for
// the next sync.

import { toFailure } from '#failure.ts';
import type { World } from '#world/world.ts';
import type {
  Appended,
  Attempt,
  Journal,
  JournalState,
  LastAttempt,
  Note,
  ReceivedDelivery,
  StoredDelivery,
} from '../intake/delivery-journal.ts';
import type { Located } from './contents.ts';
import { addDelivery, readDelivery, readSequence } from './delivery-frame.ts';
import { FrameBuffer, frameTypes, headerBytes } from './frame.ts';
import { addNote } from './note-frame.ts';
import { createRejectionLimit } from './rejection-limit.ts';
import type { SegmentLog } from './segment-log.ts';
import { createDeliveryReader } from './segment-reader.ts';
import { Batch } from './waiting-batch.ts';

type Parts = Pick<World, 'files' | 'clock'>;

/** Notes are synced after this time even if no delivery comes. */
const noteSyncMs = 1000;
/** Limits the notes in memory while the disk fails. */
const maxNoteBytes = 1024 * 1024;
/** The size of the trial write before any delivery has failed: most are smaller. */
const minTrialBytes = 4096;
const readRetryMs = 1000;

export class LocalJournal implements Journal {
  readonly #world: Parts;
  readonly #folder: string;
  readonly #log: SegmentLog;
  readonly #release: () => Promise<void>;
  #gathering = new Batch();
  #writing = new Batch();
  readonly #recent = new RecentDeliveries();
  /** Called once the batch that is being gathered is written. */
  #flushWaiters: (() => void)[] = [];
  #writer: Promise<void> | undefined;
  /** The next write must be synced even if no delivery waits for it. */
  #mustSync = false;
  #cancelNoteSync: (() => void) | undefined;
  #isClosed = false;
  /** Wakes the readers that wait for the next delivery. */
  readonly #wakeReaders = new Set<() => void>();
  #hasReader = false;
  #fault: string | undefined;
  /** The size of the largest delivery that could not be stored since the fault began. */
  #failedBytes = 0;
  #readFault: string | undefined;
  readonly #rejections: ReturnType<typeof createRejectionLimit>;

  /** `release`: runs after the last write. */
  constructor(world: Parts, folder: string, log: SegmentLog, release: () => Promise<void>) {
    this.#world = world;
    this.#folder = folder;
    this.#log = log;
    this.#release = release;
    this.#rejections = createRejectionLimit(world.clock, (note) => this.#addNote(note));
  }

  append(delivery: ReceivedDelivery): Promise<Appended> {
    return new Promise((resolve, reject) => {
      if (this.#isClosed) throw new Error('the journal is closed');
      const { deliveries } = this.#gathering;
      const lengthBefore = deliveries.length;
      const fingerprint = addDelivery(deliveries, delivery);
      if (fingerprint !== undefined) {
        const { bytes } = deliveries;
        const first = this.#gathering.find(bytes, fingerprint) ?? this.#writing.find(bytes, fingerprint);
        const sequence = first ? undefined : this.#log.keys.find(bytes, fingerprint);
        if (first || sequence !== undefined) deliveries.length = lengthBefore;
        if (first) {
          first.duplicates ??= [];
          first.duplicates.push({ resolve, reject });
          return;
        }
        if (sequence !== undefined) return resolve({ sequence, isDuplicate: true });
      }
      this.#gathering.add({ delivery, fingerprint, resolve, reject });
      this.#wake();
    });
  }

  record(note: Note): void {
    if (note.kind === 'attempt') this.#log.contents.addAttempt(note);
    if (note.kind === 'rejected') this.#rejections.add(note);
    else this.#addNote(note);
  }

  flush(): Promise<void> {
    if (this.#isClosed || (this.#gathering.notes.length === 0 && this.#writing.notes.length === 0))
      return Promise.resolve();
    return new Promise((resolve) => {
      this.#flushWaiters.push(resolve);
      this.#wake();
    });
  }

  #addNote(note: Note): void {
    if (this.#isClosed) return;
    addNote(this.#gathering.notes, note);
    this.#wake();
  }

  async *unfinished(signal: AbortSignal, waits = true): AsyncIterable<StoredDelivery> {
    const reader = createDeliveryReader(this.#world.files, this.#folder);
    if (waits) this.#hasReader = true;
    try {
      for (let next = 1; !signal.aborted && !this.#isClosed; ) {
        const located = this.#log.contents.nextUnfinished(next);
        if (!located) {
          if (!waits) return;
          await this.#nextStored(signal);
          continue;
        }
        const { sequence, segment } = located;
        const delivery =
          this.#recent.take(sequence) ?? (await this.#readWithRetries(reader, located, signal));
        next = sequence + 1;
        if (signal.aborted) return;
        if (!segment.isUnfinished(sequence)) continue;
        if (delivery) yield delivery;
        else this.record(damagedDelivery(sequence, this.#world.clock.now()));
      }
    } finally {
      if (waits) this.#hasReader = false;
      await reader.close();
    }
  }

  lastAttempts(sequence: number): readonly LastAttempt[] {
    return this.#log.contents.attempts.list(sequence);
  }

  hasUnfinished(from: number): boolean {
    return this.#log.contents.nextUnfinished(from) !== undefined;
  }

  /** Retries while the disk fails: a delivery that cannot be read now is not damaged. */
  async #readWithRetries(
    reader: ReturnType<typeof createDeliveryReader>,
    { segment, sequence }: Located,
    signal: AbortSignal,
  ) {
    for (; !signal.aborted; await this.#world.clock.sleep(readRetryMs, signal)) {
      try {
        const delivery = await reader.read(segment, sequence);
        this.#readFault = undefined;
        return delivery;
      } catch (error) {
        this.#readFault = toFailure(error).sentence;
        await reader.close().catch(() => {});
      }
    }
    return undefined;
  }

  async read(sequence: number): Promise<StoredDelivery | undefined> {
    const segment = this.#log.contents.segmentOf(sequence);
    if (!segment) return undefined;
    const reader = createDeliveryReader(this.#world.files, this.#folder);
    return reader.read(segment, sequence).finally(() => reader.close());
  }

  state(): JournalState {
    const { contents, keys, syncMs } = this.#log;
    return {
      unfinished: contents.unfinished,
      oldestUnfinished: contents.oldestUnfinished(),
      lastReceived: contents.lastReceived,
      bytes: contents.bytes + keys.bytes,
      syncMs,
      fault: this.#fault ?? this.#readFault,
    };
  }

  async close(): Promise<void> {
    if (this.#isClosed) return;
    this.#rejections.end();
    this.#isClosed = true;
    this.#mustSync = true;
    try {
      this.#wake();
      await this.#writer;
      await this.#log.close();
    } finally {
      this.#cancelNoteSync?.();
      await this.#release();
      for (const wake of this.#wakeReaders) wake();
    }
  }

  /** Resolves when a delivery is stored, the signal aborts, or the journal is closed. */
  #nextStored(signal: AbortSignal): Promise<void> {
    return new Promise((resolve) => {
      const end = () => {
        signal.removeEventListener('abort', end);
        this.#wakeReaders.delete(end);
        resolve();
      };
      this.#wakeReaders.add(end);
      signal.addEventListener('abort', end);
    });
  }

  #wake(): void {
    this.#writer ??= this.#write();
  }

  async #write(): Promise<void> {
    // Everything that is ready now shares the first write.
    await this.#world.clock.nextTurn();
    do {
      const batch = this.#gathering;
      this.#gathering = this.#writing;
      this.#writing = batch;
      const flushWaiters = this.#flushWaiters;
      this.#flushWaiters = [];
      const sync = this.#mustSync || batch.waiting.length > 0;
      this.#mustSync = false;
      let hasStored = false;
      try {
        const first = await this.#log.store(batch, sync);
        if (batch.waiting.length > 0) this.#fault = undefined;
        this.#acknowledge(batch, first);
        // Callers that append again as soon as their delivery is stored do so now, and share the next sync.
        await undefined;
        if (!sync) this.#syncNotesLater();
        hasStored = true;
      } catch (error) {
        this.#fail(batch, error);
      }
      batch.clear();
      for (const resolve of flushWaiters) resolve();
      // Notes that were written do not show that a delivery could be stored.
      if (hasStored && this.#fault !== undefined && !this.#isClosed) await this.tryToStore(this.#failedBytes);
    } while (this.#gathering.waiting.length > 0 || this.#mustSync);
    this.#writer = undefined;
    // While the disk fails, callers do not wait for notes.
    if (this.#fault !== undefined) for (const resolve of this.#flushWaiters.splice(0)) resolve();
    else if (this.#gathering.notes.length > 0 || this.#flushWaiters.length > 0) this.#wake();
  }

  #acknowledge(batch: Batch, first: number): void {
    const waiting = batch.takeWaiting();
    let sequence = first - 1;
    if (this.#hasReader)
      batch.deliveries.visit((start, end) => this.#recent.add(batch.deliveries.bytes, start, end));
    for (const { resolve, duplicates } of waiting) {
      sequence += 1;
      resolve({ sequence, isDuplicate: false });
      for (const duplicate of duplicates ?? []) duplicate.resolve({ sequence, isDuplicate: true });
    }
    if (waiting.length > 0) for (const wake of this.#wakeReaders) wake();
  }

  /** Tests whether a delivery could be stored, for {@link JournalState.fault}. From outside, only before the first `append`. */
  async tryToStore(bytes = minTrialBytes): Promise<void> {
    try {
      await this.#log.tryToStore(bytes);
      this.#fault = undefined;
    } catch (error) {
      this.#failedBytes = bytes;
      this.#fault = toFailure(error).sentence;
      this.#syncNotesLater();
    }
  }

  /** The journal forgets the deliveries; the notes wait for the next write. */
  #fail(batch: Batch, error: unknown): void {
    const { notes, waiting } = batch;
    const sizes = waiting.map(({ delivery }) => minTrialBytes + delivery.body.length);
    const largest = this.#fault === undefined ? minTrialBytes : this.#failedBytes;
    this.#failedBytes = Math.max(largest, ...sizes);
    this.#fault = toFailure(error).sentence;
    for (const { reject, duplicates } of batch.takeWaiting()) {
      reject(error);
      for (const duplicate of duplicates ?? []) duplicate.reject(error);
    }
    if (this.#gathering.notes.length + notes.length <= maxNoteBytes) this.#gathering.notes.add(notes);
    else this.#log.dropNotes();
    if (!this.#isClosed) this.#syncNotesLater();
  }

  #syncNotesLater(): void {
    this.#cancelNoteSync ??= this.#world.clock.after(noteSyncMs, () => {
      this.#cancelNoteSync = undefined;
      this.#mustSync = true;
      this.#wake();
    });
  }
}

/** Finishes a damaged delivery, since it cannot be forwarded. */
const damagedDelivery = (sequence: number, time: number): Attempt => ({
  kind: 'attempt',
  sequence,
  time,
  target: '',
  attempt: 1,
  milliseconds: 0,
  outcome: 'damaged',
  verdict: 'dead',
  finishes: true,
});

const maxRecentBytes = 4 * 1024 * 1024;

/**
 * Keeps new deliveries in memory until a reader takes them, which saves reading them from the disk. They are plain bytes, because
 * long-lived objects mislead V8's allocation. If memory is short, the oldest stay: they are taken first.
 */
class RecentDeliveries {
  readonly #frames = new FrameBuffer();
  /** The oldest frame begins here. */
  #start = 0;

  /** Adds the payload of a frame. Sequence numbers must ascend. */
  add(bytes: Buffer, start: number, end: number): void {
    if (this.#frames.length + headerBytes + end - start > maxRecentBytes) return;
    const payload = this.#frames.begin(frameTypes.delivery, end - start);
    bytes.copy(this.#frames.bytes, payload, start, end);
    this.#frames.end(payload + end - start);
  }

  /** Removes the delivery and all earlier ones. */
  take(sequence: number): StoredDelivery | undefined {
    const frames = this.#frames;
    while (this.#start < frames.length) {
      const payload = this.#start + headerBytes;
      const oldest = readSequence(frames.bytes, payload);
      if (oldest > sequence) return undefined;
      const end = frames.endAt(this.#start);
      this.#start = end;
      if (end === frames.length) this.#start = frames.length = 0;
      if (oldest === sequence) return readDelivery(frames.bytes, payload, end);
    }
    return undefined;
  }
}
