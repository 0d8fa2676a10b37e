// Writes batches into the current segment, or a new one if it is full or its end cannot be trusted. Drops old segments to make room.

import type { AppendFile, FileLoss, World } from '#world/world.ts';
import { JournalFull } from '../intake/delivery-journal.ts';
import { addCheckpoint } from './checkpoint.ts';
import { Contents } from './contents.ts';
import { writeSequence } from './delivery-frame.ts';
import { FrameBuffer } from './frame.ts';
import { KeyTable } from './key-table.ts';
import type { KnownKeys } from './known-keys.ts';
import { addDropped, chooseDropped, dayMs, type Retention, trustedTime } from './retention.ts';
import { describeLost, Segment } from './segment.ts';
import { lockName, segmentPath } from './segment-names.ts';
import { tryToWrite } from './trial-file.ts';
import type { Batch } from './waiting-batch.ts';

interface SegmentLogOptions {
  readonly contents: Contents;
  readonly keys: KnownKeys;
  /** The file of the current segment; `undefined` if the next frame begins a new one. */
  readonly file: AppendFile | undefined;
  readonly lastNumber: number;
  readonly segmentBytes: number;
  readonly retention: Retention;
  /** False if the folder was removed or replaced: it lacks our lock, and later runs will not find what is written now. */
  readonly isInPlace: () => Promise<boolean>;
}

/** What replaces the present contents as soon as their new segment is on the disk. */
interface Rotation {
  readonly contents: Contents;
  readonly file: AppendFile;
  readonly dropped: readonly Segment[];
}

type Parts = Pick<World, 'files' | 'clock' | 'randomBytes'>;

const isOutOfSpace = (error: unknown) =>
  error instanceof Error && 'code' in error && (error.code === 'ENOSPC' || error.code === 'EDQUOT');

export class SegmentLog {
  contents: Contents;
  readonly keys: KnownKeys;
  syncMs = 0;
  readonly #world: Parts;
  readonly #folder: string;
  readonly #options: SegmentLogOptions;
  /** The folder was removed or replaced, and cannot come back. */
  #isFolderLost = false;
  #file: AppendFile | undefined;
  #lastNumber: number;
  #nextSequence: number;
  /** Some notes were dropped: the next checkpoint must record what they finished. */
  #lacksNotes = false;
  /** Some written bytes are not synced. */
  #isDirty = false;
  #background: Promise<void> = Promise.resolve();

  constructor(world: Parts, folder: string, options: SegmentLogOptions) {
    this.#world = world;
    this.#folder = folder;
    this.#options = options;
    this.contents = options.contents;
    this.keys = options.keys;
    this.#file = options.file;
    this.#lastNumber = options.lastNumber;
    this.#nextSequence = options.contents.current.end;
  }

  /**
   * Writes the batch, syncs it with `sync`, and resolves to the first sequence number. One call at a time. Rejects with {@link JournalFull}
   * or the system's own error; then no delivery was stored, and `notes` has only the unwritten notes.
   */
  store(batch: Batch, sync: boolean): Promise<number> {
    return this.#withRoom(() => this.#storeOnce(batch, sync));
  }

  async #storeOnce(batch: Batch, sync: boolean): Promise<number> {
    if (batch.bytes === 0 && !this.#isDirty) return this.#nextSequence;
    if (this.#isFolderLost) throw this.#folderLostError();
    const rotation = await this.#rotateIfDue(batch);
    const { current } = rotation?.contents ?? this.contents;
    const file = rotation?.file ?? this.#file;
    if (!file) throw new Error('no segment is open');
    try {
      const first = await this.#write(batch, current, file, rotation !== undefined, sync);
      if (rotation) this.#adopt(rotation);
      this.#add(batch, first);
      return first;
    } catch (error) {
      if (rotation) await this.#discard(current.number, file);
      throw error;
    }
  }

  /** Rejects as `store` does if a delivery of that size could not be stored. Stores nothing. Not during `store`. */
  async tryToStore(bytes: number): Promise<void> {
    await this.#assertInPlace();
    if ((!this.#file || this.#isFull(bytes)) && !this.#chooseDropped(bytes)) throw this.#fullError();
    await this.#withRoom(() => tryToWrite(this.#world.files, this.#folder, bytes));
  }

  /** If the disk is full, drops finished segments one by one, oldest first. */
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
    // The background work may be about to remove segments.
    await this.#background;
    const { contents, keys } = this;
    const finished = contents.sealed.filter(({ unfinished }) => unfinished === 0);
    if (finished.length > 0) await keys.save().catch(() => {});
    for (const segment of finished) {
      try {
        await this.#remove(segment.number);
      } catch {
        // Another segment may be removable.
        continue;
      }
      contents.sealed = contents.sealed.filter((other) => other !== segment);
      contents.dropped = addDropped(contents.dropped, [segment]);
      // The disk may have had no room for the table before.
      await keys.save().catch(() => {});
      return true;
    }
    return false;
  }

  /** Begins a new segment, whose checkpoint replaces notes that could not be written. */
  dropNotes(): void {
    this.#lacksNotes = true;
    this.#isDirty = true;
  }

  async close(): Promise<void> {
    await this.#background;
    const file = this.#file;
    this.#file = undefined;
    await file?.close();
  }

  async #write(batch: Batch, segment: Segment, file: AppendFile, isNew: boolean, sync: boolean) {
    const first = this.#nextSequence;
    let next = first;
    try {
      const loss = batch.deliveries.length > 0 ? file.findLoss() : undefined;
      // New bytes in place of a removed part could be read as stored deliveries.
      if (loss?.kind === 'cut') throw this.#segmentLostError(segment, loss);
    } catch (error) {
      if (!isNew) await this.#abandon(file, segment.bytes);
      throw error;
    }
    this.#isDirty = true;
    if (batch.notes.length > 0) {
      file.write(batch.notes.complete(segment.salt));
      segment.bytes += batch.notes.length;
      // Keep the notes of a new segment, which may still be discarded.
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
      await this.#assertInPlace();
      loss = file.findLoss();
      if (loss) throw this.#segmentLostError(segment, loss);
    } catch (error) {
      const isGone = isNew || (await this.#abandon(file, segment.bytes));
      // Deliveries that may still be in the file have these numbers; before a cut they may have moved forward.
      if (!isGone || loss?.kind === 'cut') this.#nextSequence = next;
      throw error;
    }
    this.syncMs = this.#world.clock.monotonic() - started;
    this.#isDirty = false;
    segment.bytes += batch.deliveries.length;
    this.#nextSequence = next;
    return first;
  }

  async #assertInPlace(): Promise<void> {
    this.#isFolderLost ||= !(await this.#options.isInPlace());
    if (this.#isFolderLost) throw this.#folderLostError();
  }

  #folderLostError(): Error {
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
   * Stops writing to this file after a failed sync. A second sync proves nothing: the system may have dropped the unwritten bytes.
   * Returns false if unacknowledged bytes may still be in the file.
   */
  async #abandon(file: AppendFile, length: number): Promise<boolean> {
    this.#file = undefined;
    let isCut = true;
    try {
      file.truncate(length);
    } catch {
      // The next segment's checkpoint records where this one ends.
      isCut = false;
    }
    await file.close().catch(() => {});
    return isCut;
  }

  /** Whether so many bytes need a new segment. */
  #isFull(bytes: number): boolean {
    const { current } = this.contents;
    return this.#lacksNotes || (current.bytes + bytes > this.#options.segmentBytes && current.deliveries > 0);
  }

  /** The segments to drop for a new segment that begins with so many bytes. */
  #chooseDropped(bytes: number): readonly Segment[] | undefined {
    const { segments, current } = this.contents;
    const { segmentBytes, retention } = this.#options;
    const time = trustedTime(this.#world.clock.now(), current.begun);
    return chooseDropped(segments, retention, time, Math.max(segmentBytes, bytes));
  }

  #fullError(): JournalFull {
    return new JournalFull(
      `the journal has reached its limit of ${this.#options.retention.maxBytes} bytes, and each of its files holds a delivery that is not finished`,
    );
  }

  async #rotateIfDue(batch: Batch): Promise<Rotation | undefined> {
    const { current } = this.contents;
    const now = this.#world.clock.now();
    const isFull = this.#isFull(batch.bytes);
    // Seals segments by age too, so that old deliveries can be dropped even if few new ones come.
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
    // With a file after it, notes that a power cut took half would count as damage.
    const old = this.#file;
    if (old && this.#isDirty) await old.sync().catch(() => this.#abandon(old, current.bytes));
    const number = this.#lastNumber + 1;
    const file = await this.#create(number).catch((error: unknown) => {
      if (this.#file && !isFull) return undefined;
      throw error;
    });
    if (!file) return undefined;
    // Never reuse the number: the file may be impossible to remove.
    this.#lastNumber = number;
    const { segments, lastReceived, dropped: droppedBefore, attempts } = this.contents;
    try {
      const salt = this.#world.randomBytes(4).readUInt32LE();
      const segment = new Segment({ number, salt, begun: now, first: this.#nextSequence });
      const kept = segments.filter((one) => !dropped.includes(one));
      const contents = new Contents(segment, kept);
      contents.lastReceived = lastReceived;
      contents.dropped = addDropped(droppedBefore, dropped);
      contents.attempts = attempts;
      const frames = new FrameBuffer();
      addCheckpoint(frames, contents);
      // The segment counts only once this is on the disk; until then a restart finds the old one.
      file.write(frames.complete(salt));
      segment.bytes = frames.length;
      return { contents, file, dropped };
    } catch (error) {
      await this.#discard(number, file);
      throw error;
    }
  }

  /** Creates an empty file and syncs its name. Throws the system's own error. */
  async #create(number: number): Promise<AppendFile> {
    const { files } = this.#world;
    const file = await files.append(segmentPath(this.#folder, number), { mode: 0o600, truncate: true });
    try {
      await files.syncFolder(this.#folder);
      return file;
    } catch (error) {
      await this.#discard(number, file);
      throw error;
    }
  }

  /** Removes the file, or leaves that to a later start: no checkpoint names it. */
  async #discard(number: number, file: AppendFile): Promise<void> {
    await file.close().catch(() => {});
    await this.#remove(number).catch(() => {});
  }

  #remove(number: number): Promise<boolean> {
    return this.#world.files.remove(segmentPath(this.#folder, number));
  }

  #adopt({ contents, file, dropped }: Rotation): void {
    const [old, oldFile] = [this.contents.current, this.#file];
    this.#lacksNotes = false;
    this.contents = contents;
    this.#file = file;
    this.keys.seal(old.number, new KeyTable(contents.current.first));
    const time = trustedTime(contents.current.begun, old.begun);
    const earlierWork = this.#background;
    const tidy = async () => {
      await earlierWork;
      // Whatever fails here is done by a later start.
      await oldFile?.close().catch(() => {});
      for (const { number } of dropped) await this.#remove(number).catch(() => {});
      await this.keys.save().catch(() => {});
      await this.keys.forgetOld(time);
    };
    this.#background = tidy();
  }

  /** Adds a batch that is on the disk to the contents. */
  #add(batch: Batch, first: number): void {
    const { contents } = this;
    const { current } = contents;
    const { bytes } = batch.deliveries;
    let sequence = first;
    for (const { delivery, fingerprint } of batch.waiting) {
      current.add(sequence, delivery.receivedAt);
      contents.lastReceived = delivery.receivedAt;
      if (fingerprint !== undefined) this.keys.current.add(bytes, fingerprint, sequence, delivery.receivedAt);
      sequence += 1;
    }
  }
}
