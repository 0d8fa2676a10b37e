// Writes batches into segments, one after the other: begins a new segment where the last one is full or its end cannot be
// trusted, and drops old ones to make room.

import type { AppendFile, FileLoss, World } from '#world/world.ts';
import { JournalFull } from '../intake/delivery-journal.ts';
import type { History } from './checkpoint.ts';
import type { Contents } from './contents.ts';
import { writeSequence } from './delivery-frame.ts';
import { KeyTable } from './key-table.ts';
import type { KnownKeys } from './known-keys.ts';
import { addDropped, chooseDropped, type Retention, trustedTime } from './retention.ts';
import { describeLost, type Segment } from './segment.ts';
import { lockName, segmentPath } from './segment-names.ts';
import { beginSegment, createSegmentFile, discardSegmentFile, type OpenSegment } from './segment-writer.ts';
import { tryToWrite } from './trial-file.ts';
import type { Batch } from './waiting-batch.ts';

export interface SegmentLogOptions {
  /** Those of earlier runs. */
  readonly contents: Contents;
  readonly keys: KnownKeys;
  /** The file of the current segment; `undefined` if the next frame begins a new one. */
  readonly file: AppendFile | undefined;
  /** The highest number of a segment so far. */
  readonly lastNumber: number;
  readonly segmentBytes: number;
  readonly retention: Retention;
  /** Whether the folder still has our lock: otherwise it was removed or replaced, and what is written here nobody will find. */
  readonly isInPlace: () => Promise<boolean>;
}

/** A segment that takes the place of the current one as soon as it is on the disk. */
interface Rotation extends OpenSegment {
  readonly sealed: readonly Segment[];
  readonly history: History;
  readonly dropped: readonly Segment[];
}

type Parts = Pick<World, 'files' | 'clock'>;

/** A segment is sealed by age too, so that where few deliveries come old ones can be dropped. */
const dayMs = 24 * 60 * 60 * 1000;

const isOutOfSpace = (error: unknown) =>
  error instanceof Error && 'code' in error && (error.code === 'ENOSPC' || error.code === 'EDQUOT');

export class SegmentLog {
  readonly contents: Contents;
  readonly keys: KnownKeys;
  /** How long the last sync took. */
  syncMs = 0;
  readonly #world: Parts;
  readonly #folder: string;
  readonly #segmentBytes: number;
  readonly #retention: Retention;
  readonly #isInPlace: () => Promise<boolean>;
  /** It was found not to be in place, and cannot come back. */
  #isLost = false;
  #file: AppendFile | undefined;
  #lastNumber: number;
  #nextSequence: number;
  /** Some notes were given up: the next segment's checkpoint has what they finished. */
  #lacksNotes = false;
  /** Something was written that is not synced. */
  #isDirty = false;
  #background: Promise<void> = Promise.resolve();

  constructor(world: Parts, folder: string, options: SegmentLogOptions) {
    this.#world = world;
    this.#folder = folder;
    this.contents = options.contents;
    this.keys = options.keys;
    this.#file = options.file;
    this.#lastNumber = options.lastNumber;
    this.#segmentBytes = options.segmentBytes;
    this.#retention = options.retention;
    this.#isInPlace = options.isInPlace;
    this.#nextSequence = options.contents.current.end;
  }

  /**
   * Resolves when the batch is written and, with `sync`, on the disk: to the sequence number of its first delivery. Rejects with
   * a {@link JournalFull} or the system's own error; then none of its deliveries is stored, and its `notes` are those that are not
   * written. One call at a time.
   */
  store(batch: Batch, sync: boolean): Promise<number> {
    return this.#withRoom(() => this.#storeOnce(batch, sync));
  }

  async #storeOnce(batch: Batch, sync: boolean): Promise<number> {
    if (batch.isEmpty && !this.#isDirty) return this.#nextSequence;
    if (this.#isLost) throw this.#lostError();
    const rotation = await this.#rotateIfDue(batch);
    const open = rotation ?? this.#current();
    try {
      const first = await this.#write(batch, open, rotation !== undefined, sync);
      if (rotation) this.#adopt(rotation);
      this.#add(batch, first);
      return first;
    } catch (error) {
      if (rotation)
        await discardSegmentFile(this.#world.files, this.#folder, rotation.segment.number, rotation.file);
      throw error;
    }
  }

  /** Rejects, as `store` does, if a delivery of that size could not be stored now. Stores nothing. Not during `store`. */
  async tryToStore(bytes: number): Promise<void> {
    if (this.#isLost || !(await this.#isInPlace())) {
      this.#isLost = true;
      throw this.#lostError();
    }
    if ((!this.#file || this.#isFull(bytes)) && !this.#chooseDropped(bytes)) throw this.#fullError();
    await this.#withRoom(() => tryToWrite(this.#world.files, this.#folder, bytes));
  }

  /** Where the disk has no room, old finished segments make some, one after the other, down to the one that is written. */
  async #withRoom<T>(write: () => Promise<T>): Promise<T> {
    for (;;) {
      try {
        return await write();
      } catch (error) {
        if (!isOutOfSpace(error) || !(await this.#dropOldest())) throw error;
      }
    }
  }

  async #dropOldest(): Promise<boolean> {
    // It may be about to remove some.
    await this.#background;
    const { contents, keys } = this;
    const finished = contents.sealed.filter(({ unfinished }) => unfinished === 0);
    if (finished.length > 0) await keys.save().catch(() => {});
    for (const oldest of finished) {
      try {
        await this.#world.files.remove(segmentPath(this.#folder, oldest.number));
      } catch {
        // Another may be removable.
        continue;
      }
      contents.sealed = contents.sealed.filter((segment) => segment !== oldest);
      contents.history.dropped = addDropped(contents.history.dropped, [oldest]);
      // There may have been no room for its table.
      await keys.save().catch(() => {});
      return true;
    }
    return false;
  }

  /** Notes that cannot be written are given up. What they finish stays known. */
  giveUpNotes(): void {
    this.#lacksNotes = true;
    this.#isDirty = true;
  }

  async close(): Promise<void> {
    await this.#background;
    const file = this.#file;
    this.#file = undefined;
    await file?.close();
  }

  #current(): OpenSegment {
    // Without a file a rotation is due.
    if (!this.#file) throw new Error('no segment is open');
    return { segment: this.contents.current, file: this.#file };
  }

  async #write(batch: Batch, open: OpenSegment, isNew: boolean, sync: boolean): Promise<number> {
    const { segment, file } = open;
    const first = this.#nextSequence;
    let next = first;
    try {
      const loss = batch.deliveries.length > 0 ? file.findLoss() : undefined;
      // What is written in place of a part that is gone could be read as stored.
      if (loss?.kind === 'cut') throw this.#segmentLostError(segment, loss);
    } catch (error) {
      if (!isNew) await this.#abandon(file, segment.bytes);
      throw error;
    }
    this.#isDirty = true;
    if (batch.notes.length > 0) {
      file.write(batch.notes.complete(segment.salt));
      segment.bytes += batch.notes.length;
      // A new segment may still be discarded.
      if (!isNew) batch.notes.clear();
    }
    if (batch.deliveries.length > 0) {
      const { deliveries } = batch;
      file.write(
        deliveries.complete(segment.salt, (payload) => writeSequence(deliveries.bytes, payload, next++)),
      );
    }
    if (!sync && !isNew) return first;
    const started = this.#world.clock.monotonic();
    let loss: FileLoss | undefined;
    try {
      await file.sync();
      if (!(await this.#isInPlace())) {
        this.#isLost = true;
        throw this.#lostError();
      }
      loss = file.findLoss();
      if (loss) throw this.#segmentLostError(segment, loss);
    } catch (error) {
      const isGone = isNew || (await this.#abandon(file, segment.bytes));
      // What may still be in the file has these numbers: before a cut it may have moved forward.
      if (!isGone || loss?.kind === 'cut') this.#nextSequence = next;
      throw error;
    }
    this.syncMs = this.#world.clock.monotonic() - started;
    this.#isDirty = false;
    segment.bytes += batch.deliveries.length;
    this.#nextSequence = next;
    return first;
  }

  #lostError(): Error {
    return new Error(
      `the journal ${this.#folder}, or its file ${lockName}, was removed or replaced; start wm webhook listen again`,
    );
  }

  #segmentLostError({ number, first, end }: Segment, { kind }: FileLoss): Error {
    return new Error(
      `${segmentPath(this.#folder, number)} was ${kind === 'cut' ? 'cut' : 'moved or removed'} by another program${describeLost({ from: first, to: end - 1 })}`,
    );
  }

  /**
   * After a failed sync nobody knows what is on the disk, and a second sync would not tell: the system may have dropped what it
   * could not write. So nothing is written to this file again. False if what nobody acknowledged may still be in it.
   */
  async #abandon(file: AppendFile, length: number): Promise<boolean> {
    this.#file = undefined;
    let isCut = true;
    try {
      file.truncate(length);
    } catch {
      // The next segment's checkpoint says where this one ends.
      isCut = false;
    }
    await file.close().catch(() => {});
    return isCut;
  }

  /** The current segment takes no so many bytes more. */
  #isFull(bytes: number): boolean {
    const { current } = this.contents;
    return this.#lacksNotes || (current.bytes + bytes > this.#segmentBytes && current.deliveries > 0);
  }

  /** To make room for a new segment that begins with so many bytes. */
  #chooseDropped(bytes: number): readonly Segment[] | undefined {
    const { segments, current } = this.contents;
    const time = trustedTime(this.#world.clock.now(), current.begun);
    return chooseDropped(segments, this.#retention, time, Math.max(this.#segmentBytes, bytes));
  }

  #fullError(): JournalFull {
    return new JournalFull(
      `the journal has reached its limit of ${this.#retention.maxBytes} bytes, and each of its files holds a delivery that is not finished`,
    );
  }

  async #rotateIfDue(batch: Batch): Promise<Rotation | undefined> {
    const { current } = this.contents;
    const { clock, files } = this.#world;
    const now = clock.now();
    const isFull = this.#isFull(batch.bytes);
    const isOld = now - current.begun > dayMs && current.deliveries > 0;
    if (this.#file && !isFull && !isOld) return undefined;
    const dropped = this.#chooseDropped(batch.bytes);
    if (!dropped) {
      // Notes may make room.
      if (this.#file && (!isFull || batch.deliveries.length === 0)) return undefined;
      throw this.#fullError();
    }
    if (dropped.includes(current)) await this.keys.saveCurrent(current.number);
    if (dropped.some(({ number }) => !this.keys.isSaved(number))) await this.keys.save();
    const number = this.#lastNumber + 1;
    const file = await createSegmentFile(files, this.#folder, number).catch((error: unknown) => {
      if (this.#file && !isFull) return undefined;
      throw error;
    });
    if (!file) return undefined;
    // Its name is used up: if it cannot be removed, nothing else must get it.
    this.#lastNumber = number;
    const { history, attempts } = this.contents;
    const sealed = this.contents.segments.filter((segment) => !dropped.includes(segment));
    const newHistory = { ...history, dropped: addDropped(history.dropped, dropped) };
    try {
      const facts = { number, begun: now, first: this.#nextSequence };
      const open = beginSegment(file, facts, sealed, newHistory, attempts);
      return { ...open, sealed, history: newHistory, dropped };
    } catch (error) {
      await discardSegmentFile(files, this.#folder, number, file);
      throw error;
    }
  }

  #adopt({ segment, file, sealed, history, dropped }: Rotation): void {
    const { contents } = this;
    const [old, oldFile] = [contents.current, this.#file];
    this.#lacksNotes = false;
    contents.sealed = sealed;
    contents.current = segment;
    contents.history = history;
    this.#file = file;
    this.keys.seal(old.number, new KeyTable(segment.first));
    const time = trustedTime(segment.begun, old.begun);
    const before = this.#background;
    const tidy = async () => {
      await before;
      // What these leave undone is done at a later start.
      await oldFile?.sync().catch(() => {});
      await oldFile?.close().catch(() => {});
      for (const { number } of dropped)
        await this.#world.files.remove(segmentPath(this.#folder, number)).catch(() => {});
      await this.keys.save().catch(() => {});
      await this.keys.forgetOld(time);
    };
    this.#background = tidy();
  }

  /** They are on the disk. */
  #add(batch: Batch, first: number): void {
    const { current, history } = this.contents;
    const { bytes } = batch.deliveries;
    let sequence = first;
    for (const { delivery, fingerprint } of batch.waiting) {
      current.add(sequence, delivery.receivedAt);
      history.lastReceived = delivery.receivedAt;
      if (fingerprint !== undefined) this.keys.current.add(bytes, fingerprint, sequence, delivery.receivedAt);
      sequence += 1;
    }
  }
}
