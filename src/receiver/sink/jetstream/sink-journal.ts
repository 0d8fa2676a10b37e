// Stores a receiver's deliveries in a sink in place of the local journal. A delivery is stored once a quorum of the stream's servers has
// it. Notes about duplicates and rejections are only for display, so the receiver does not wait for them.

import {
  type Appended,
  type DeliveryStore,
  JournalFull,
  type JournalState,
  type Note,
  type ReceivedDelivery,
  type StoredDelivery,
} from '#receiver/core/intake/delivery-journal.ts';
import { createRejectionLimit } from '#receiver/core/journal/rejection-limit.ts';
import type { NatsFault } from '#world/world.ts';
import { findOldest, readBacklog, type SinkBacklog } from './sink-consumers.ts';
import { describeFault, isFault, noQuorum, untilQuorum } from './sink-faults.ts';
import { lacksQuorum, type Sink } from './sink-layout.ts';
import { createSinkEncoder, decodeDelivery } from './sink-message.ts';

/** Less than the time after which the receiver responds with 503 by itself. */
const appendLimitMs = 7_000;
/** The time limit of one attempt: servers do not respond while they elect a leader. */
const publishMs = 2_500;
/** Limits the unacknowledged ids in memory. Beyond it, a delivery that is stored by a retry counts as a duplicate. */
const maxUnacknowledged = 100_000;
const noteDelayMs = 100;
/** How many notes are held in memory and written in one message. */
const maxNotes = 500;
/** The shortest time between two queries of the consumers, which run only when the state is read. */
const queryIntervalMs = 5_000;
/** A full stream has room again below this share of its limit. If it stays fuller, a delivery is tried after this time. */
const roomShare = 0.95;
const fullRetryMs = 60_000;

export class SinkJournal implements DeliveryStore {
  readonly #sink: Sink;
  readonly #encode: ReturnType<typeof createSinkEncoder>;
  readonly #rejections: ReturnType<typeof createRejectionLimit>;
  /** The highest acknowledged sequence number. */
  #newest = 0;
  #lastReceived: number | undefined;
  /** Ids of unacknowledged messages: the servers may have them, and would report the retry as a duplicate. */
  readonly #unacknowledged = new Set<string>();
  #notes: Note[] = [];
  #cancelNotes: (() => void) | undefined;
  #queriedAt = Number.NEGATIVE_INFINITY;
  #backlog: (SinkBacklog & { readonly oldest: number | undefined }) | undefined;
  /** The first reason since a delivery was last stored, so that an outage is reported once. */
  #storeFault: string | undefined;
  #failedAt = Number.NEGATIVE_INFINITY;
  /** What the last query found: there may have been no delivery since. */
  #streamFault: string | undefined;

  constructor(sink: Sink) {
    this.#sink = sink;
    this.#encode = createSinkEncoder(sink.partitions);
    this.#rejections = createRejectionLimit(sink.clock, (note) => this.#addNote(note));
  }

  /** Without a key, the service's repetition is a new delivery, but our own retry is not. */
  async append(delivery: ReceivedDelivery, idWithoutKey?: string): Promise<Appended> {
    const { payload, partition, id: idOfKey } = this.#encode(delivery);
    const id = idOfKey ?? idWithoutKey ?? this.#sink.randomBytes(16).toString('hex');
    const { nats, names } = this.#sink;
    const { maxPayload } = nats.server();
    if (maxPayload > 0 && payload.length > maxPayload)
      throw new Error(
        `a delivery of ${payload.length} bytes is larger than the NATS servers accept (max_payload ${maxPayload})`,
      );
    const publish = async (remainingMs: number) => {
      const options = { stream: names.deliveries, id, timeoutMs: Math.min(publishMs, remainingMs) };
      const result = await nats.publish(names.delivery(partition), payload, options);
      if (isFault(result) && this.#unacknowledged.size < maxUnacknowledged) this.#unacknowledged.add(id);
      return result;
    };
    const published = await untilQuorum(this.#sink, appendLimitMs, publish, ['unreachable', 'failed']);
    if (isFault(published)) throw this.#failed(published);
    const { sequence } = published;
    this.#lastReceived = delivery.receivedAt;
    const isOwnRetry = this.#unacknowledged.delete(id);
    const isDuplicate = published.isDuplicate && !isOwnRetry;
    const isRecent = sequence > this.#newest;
    this.#newest = Math.max(this.#newest, sequence);
    if (!isDuplicate || isRecent) this.#storeFault = undefined;
    return { sequence, isDuplicate, isRecent };
  }

  /** Returns the error that the receiver reports. */
  #failed(fault: NatsFault): Error {
    const { clock, nats, names } = this.#sink;
    this.#failedAt = clock.monotonic();
    const isFull = fault.fault === 'full';
    if (isFull)
      this.#storeFault = `the stream ${names.deliveries} is full, or its servers' disks are (${fault.detail})`;
    this.#storeFault ??= describeFault(fault, nats.outage());
    return isFull ? new JournalFull(this.#storeFault) : new Error(this.#storeFault);
  }

  record(note: Note): void {
    if (note.kind === 'rejected') this.#rejections.add(note);
    else this.#addNote(note);
  }

  #addNote(note: Note): void {
    if (this.#notes.length >= maxNotes) this.#notes.shift();
    this.#notes.push(note);
    this.#cancelNotes ??= this.#sink.clock.after(noteDelayMs, () => void this.flush());
  }

  async flush(): Promise<void> {
    const { nats, names } = this.#sink;
    this.#cancelNotes?.();
    this.#cancelNotes = undefined;
    const notes = this.#notes;
    if (notes.length === 0) return;
    this.#notes = [];
    const text = notes.map((note) => JSON.stringify(note)).join('\n');
    const published = await nats.publish(names.received, text, { stream: names.log, timeoutMs: publishMs });
    // Retried with the next note, or at the end.
    if (isFault(published)) this.#notes = [...notes, ...this.#notes].slice(-maxNotes);
  }

  async read(sequence: number): Promise<StoredDelivery | undefined> {
    const { nats, names } = this.#sink;
    const message = await nats.read(names.deliveries, { seq: sequence });
    if (!isFault(message)) return decodeDelivery(message);
    if (message.fault === 'not-found') return undefined;
    throw new Error(describeFault(message, nats.outage()));
  }

  state(): JournalState {
    const { unfinished = 0, oldest, stream } = this.backlog() ?? {};
    return {
      unfinished,
      oldestUnfinished: oldest,
      lastReceived: this.#lastReceived,
      bytes: stream?.state.bytes ?? 0,
      syncMs: 0,
      fault: this.#storeFault ?? this.#sink.nats.outage() ?? this.#streamFault,
    };
  }

  /** Returns the result of the last query, and begins the next one if it is due. */
  backlog() {
    const since = this.#sink.clock.monotonic();
    if (since - this.#queriedAt >= queryIntervalMs) {
      this.#queriedAt = since;
      void this.#queryBacklog(since);
    }
    return this.#backlog;
  }

  async #queryBacklog(since: number): Promise<void> {
    const backlog = await readBacklog(this.#sink);
    this.#observe(backlog, since);
    if (!isFault(backlog)) this.#backlog = { ...backlog, oldest: await findOldest(this.#sink, backlog) };
  }

  /** Notices that the sink is back: a load balancer sends no delivery to a receiver that is not ready. */
  #observe(backlog: SinkBacklog | NatsFault, since: number): void {
    if (isFault(backlog)) {
      this.#streamFault = describeFault(backlog, this.#sink.nats.outage());
      return;
    }
    const { config, state } = backlog.stream;
    // A leader that has lost the others takes a while to notice that it no longer leads.
    this.#streamFault = lacksQuorum(backlog.stream) ? noQuorum : undefined;
    const hasRoom = config.max_bytes <= 0 || state.bytes < config.max_bytes * roomShare;
    const hasPassed = this.#failedAt < since - (hasRoom ? 0 : fullRetryMs);
    if (this.#streamFault === undefined && hasPassed) this.#storeFault = undefined;
  }

  async close(): Promise<void> {
    this.#rejections.end();
    await this.flush();
    await this.#sink.nats.close().catch(() => {});
  }
}
