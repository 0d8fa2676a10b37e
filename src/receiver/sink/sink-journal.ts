// Stores a receiver's deliveries in a sink in place of the local journal. A delivery is stored once a quorum of the stream's servers has
// it. Notes about duplicates and rejections are only for display, so the receiver does not wait for them.

import { randomBytes } from 'node:crypto';
import type { NatsFault } from '#world/world.ts';
import type { Appended, DeliveryStore, JournalState, Note } from '../intake/delivery-journal.ts';
import type { ReceivedDelivery, StoredDelivery } from '../intake/stored-delivery.ts';
import { createRejectionLimit } from '../journal/rejection-limit.ts';
import { findOldest, readBacklog } from './sink-consumers.ts';
import { createSinkHealth, describeFault, isFault } from './sink-faults.ts';
import { type Sink, targetHash } from './sink-layout.ts';
import { createSinkEncoder, decodeDelivery } from './sink-message.ts';

/** Less than the time after which the receiver responds with 503 by itself. */
const appendLimitMs = 7_000;
/** The time limit of one attempt: servers do not respond while they elect a leader. */
const publishMs = 2_500;
const retryMs = 200;
/** Faults after which a retry within the limit may succeed. */
const transientFaults: readonly NatsFault['fault'][] = ['no-quorum', 'timeout', 'unreachable', 'failed'];
/** Limits the unacknowledged ids in memory. Beyond it, a delivery that is stored by a retry counts as a duplicate. */
const maxUnacknowledged = 100_000;
const noteDelayMs = 100;
/** How many notes are held in memory and written in one message. */
const maxNotes = 500;
/** The shortest time between two queries of the consumers, which run only when the state is read. */
const queryIntervalMs = 5_000;

export class SinkJournal implements DeliveryStore {
  readonly #sink: Sink;
  readonly #encode: ReturnType<typeof createSinkEncoder>;
  readonly #rejections: ReturnType<typeof createRejectionLimit>;
  readonly #health: ReturnType<typeof createSinkHealth>;
  /** The highest acknowledged sequence number. */
  #newest = 0;
  /** Ids of unacknowledged messages: the servers may have them, and would report the retry as a duplicate. */
  readonly #unacknowledged = new Set<string>();
  #notes: Note[] = [];
  #cancelNotes: (() => void) | undefined;
  #queriedAt = Number.NEGATIVE_INFINITY;
  #state = {
    unfinished: 0,
    lastUnfinished: 0,
    oldestUnfinished: undefined as number | undefined,
    lastReceived: undefined as number | undefined,
    bytes: 0,
    syncMs: 0,
  };
  #unsettled: ReadonlyMap<string, number> = new Map();

  constructor(sink: Sink) {
    this.#sink = sink;
    this.#encode = createSinkEncoder(sink.partitions);
    this.#health = createSinkHealth(sink);
    this.#rejections = createRejectionLimit(sink.clock, (note) => this.#addNote(note));
  }

  /** Without a key, the service's repetition is a new delivery, but our own retry is not. */
  async append(delivery: ReceivedDelivery, idWithoutKey?: string): Promise<Appended> {
    const { payload, partition, id: idOfKey } = this.#encode(delivery);
    const id = idOfKey ?? idWithoutKey ?? randomBytes(16).toString('hex');
    const { clock, random, nats, names } = this.#sink;
    const { maxPayload } = nats.server();
    if (maxPayload > 0 && payload.length > maxPayload)
      throw new Error(
        `a delivery of ${payload.length} bytes is larger than the NATS servers accept (max_payload ${maxPayload})`,
      );
    const subject = names.delivery(partition);
    const stream = names.deliveries;
    const end = clock.monotonic() + appendLimitMs;
    for (;;) {
      const timeoutMs = Math.max(1, Math.min(publishMs, end - clock.monotonic()));
      const published = await nats.publish(subject, payload, { stream, id, timeoutMs });
      if (!('fault' in published)) {
        const { sequence } = published;
        this.#state.lastReceived = delivery.receivedAt;
        const isOwnRetry = this.#unacknowledged.delete(id);
        const isDuplicate = published.isDuplicate && !isOwnRetry;
        const isRecent = sequence > this.#newest;
        this.#newest = Math.max(this.#newest, sequence);
        if (!isDuplicate || isRecent) this.#health.stored();
        return { sequence, isDuplicate, isRecent };
      }
      if (this.#unacknowledged.size < maxUnacknowledged) this.#unacknowledged.add(id);
      const mayPass = transientFaults.includes(published.fault) && end - clock.monotonic() > 2 * retryMs;
      if (!mayPass) throw this.#health.failed(published);
      await clock.sleep(retryMs * (1 + random()));
    }
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
    const payload = new TextEncoder().encode(notes.map((note) => JSON.stringify(note)).join('\n'));
    const published = await nats.publish(names.received, payload, {
      stream: names.log,
      timeoutMs: publishMs,
    });
    // Retried with the next note, or at the end.
    if ('fault' in published) this.#notes = [...notes, ...this.#notes].slice(-maxNotes);
  }

  async read(sequence: number): Promise<StoredDelivery | undefined> {
    const { nats, names } = this.#sink;
    const message = await nats.read(names.deliveries, { seq: sequence });
    if (!isFault(message)) return decodeDelivery(message);
    if (message.fault === 'not-found') return undefined;
    throw new Error(describeFault(message, nats.outage()));
  }

  state(): JournalState {
    this.#queryBacklog();
    return { ...this.#state, fault: this.#health.fault() };
  }

  /** How many deliveries this target has not settled, as of the last query. */
  unsettled(target: string): number {
    this.#queryBacklog();
    return this.#unsettled.get(targetHash(target)) ?? 0;
  }

  #queryBacklog(): void {
    const since = this.#sink.clock.monotonic();
    if (since - this.#queriedAt < queryIntervalMs) return;
    this.#queriedAt = since;
    void (async () => {
      const backlog = await readBacklog(this.#sink);
      this.#health.observe(isFault(backlog) ? backlog : backlog.stream, since);
      if (isFault(backlog)) return;
      const { unfinished } = backlog;
      const { last_seq, bytes } = backlog.stream.state;
      this.#unsettled = new Map(backlog.targets.map(({ hash, waiting }) => [hash, waiting]));
      const oldestUnfinished = await findOldest(this.#sink, backlog);
      const lastUnfinished = unfinished === 0 ? 0 : last_seq;
      this.#state = { ...this.#state, unfinished, lastUnfinished, oldestUnfinished, bytes };
    })();
  }

  async close(): Promise<void> {
    this.#rejections.end();
    await this.flush();
    await this.#sink.nats.close().catch(() => {});
  }
}
