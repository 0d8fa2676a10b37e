// A sink in place of the local journal. A delivery is stored once a quorum of the stream's servers has it.

import { hash, randomBytes } from 'node:crypto';
import { errorMessage } from '../../failure.ts';
import type { Clock, NatsConnection, NatsFault, NatsPublished, Random } from '../../world/world.ts';
import type { Appended, Attempt, DeliveryStore, JournalState, Note } from '../delivery-journal.ts';
import { RejectionLimit } from '../journal/rejection-limit.ts';
import type { ReceivedDelivery, StoredDelivery } from '../stored-delivery.ts';
import { createServerWatch, type ServerWatch } from './server-watch.ts';
import { createSinkHealth, describeFault, type SinkHealth } from './sink-health.ts';
import { writeOutcome } from './sink-history.ts';
import { sinkStreams, sinkSubjects } from './sink-layout.ts';
import { createSinkEncoder, fromSinkMessage, type SinkMessage } from './sink-message.ts';
import { SinkNotes } from './sink-notes.ts';
import { createSinkState, type SinkState } from './sink-state.ts';

export interface SinkJournalOptions {
  readonly nats: NatsConnection;
  readonly clock: Clock;
  readonly random: Random;
  readonly stream: string;
  readonly partitions: number;
}

/** Below the limit after which the receiver responds with 503 on its own. */
const appendLimitMs = 7_000;
/** The time limit of one attempt: while the servers elect a leader, none responds. */
const publishMs = 2_500;
const betweenMs = 200;
/** Enough for an outage of some minutes under load. Beyond it, a delivery stored on a retry is counted as a duplicate. */
const mostUnacknowledged = 100_000;

/** Faults after which a retry within the limit may succeed. */
const passing: readonly NatsFault['fault'][] = ['no-quorum', 'timeout', 'unreachable', 'failed'];

/** The result, with the message that was stored. */
export type Imported = Appended & Omit<SinkMessage, 'id'> & { readonly id: string };

export class SinkJournal implements DeliveryStore {
  readonly #options: SinkJournalOptions;
  readonly #encode: ReturnType<typeof createSinkEncoder>;
  readonly #notes: SinkNotes;
  readonly #rejections: RejectionLimit;
  readonly #state: SinkState;
  readonly #watch: ServerWatch;
  readonly #health: SinkHealth;
  /** The ids of messages without an acknowledgement. They may be stored; then the servers take the next attempt for a duplicate. */
  readonly #unacknowledged = new Set<string>();
  /** The highest sequence number that was acknowledged. */
  #newest = 0;

  constructor(options: SinkJournalOptions) {
    const { nats, clock, stream, partitions } = options;
    this.#options = options;
    this.#encode = createSinkEncoder(partitions);
    this.#notes = new SinkNotes(nats, clock, stream);
    this.#rejections = new RejectionLimit(clock, (note) => this.#notes.add(note));
    this.#health = createSinkHealth(options);
    this.#state = createSinkState({ ...options, onLook: this.#health.look });
    this.#watch = createServerWatch(nats, clock);
  }

  async append(delivery: ReceivedDelivery): Promise<Appended> {
    const message = this.#encode(delivery);
    // Without a key, a repetition by the service is a new delivery, but a retry of ours is not.
    return this.#publish(delivery, message, message.id ?? randomBytes(16).toString('hex'));
  }

  /**
   * Stores a delivery of a local journal. Importing it twice stores it once, even without a key. `finished`: its outcome there; such a
   * delivery is not forwarded.
   */
  async import(delivery: StoredDelivery, finished?: readonly Attempt[]): Promise<Imported> {
    const message = this.#encode(delivery);
    const own = `import-${delivery.sequence}-${hash('sha256', message.payload, 'hex').slice(0, 32)}`;
    const id = message.id ?? own;
    return { ...message, id, ...(await this.#publish(delivery, { ...message, id }, id, finished)) };
  }

  async #publish(
    delivery: ReceivedDelivery,
    { payload, partition, id }: SinkMessage,
    own: string,
    finished?: readonly Attempt[],
  ): Promise<Appended> {
    const { clock, random, nats, stream } = this.#options;
    const { maxPayload } = nats.server();
    if (maxPayload > 0 && payload.length > maxPayload)
      throw new Error(
        `a delivery of ${payload.length} bytes is larger than the NATS servers accept (max_payload ${maxPayload})`,
      );
    const subject = finished ? sinkSubjects.history(stream) : sinkSubjects.delivery(stream, partition);
    const remark = finished && writeOutcome(finished);
    const end = clock.monotonic() + appendLimitMs;
    for (;;) {
      const since = clock.monotonic();
      const left = end - since;
      const published = await nats.publish(subject, payload, {
        stream,
        id: own,
        remark,
        timeoutMs: Math.max(1, Math.min(publishMs, left)),
      });
      this.#watch.onResult(!('fault' in published), since);
      if (!('fault' in published)) {
        this.#state.hasStored(delivery.receivedAt);
        return this.#stored(published, own, id !== undefined);
      }
      this.#noteUnacknowledged(own);
      const mayPass = passing.includes(published.fault) && end - clock.monotonic() > 2 * betweenMs;
      if (!mayPass) throw this.#health.failed(published);
      await clock.sleep(betweenMs * (1 + random()));
    }
  }

  #stored({ sequence, isDuplicate: isKnown }: NatsPublished, own: string, hasKey: boolean): Appended {
    const isOwn = this.#unacknowledged.delete(own);
    const isDuplicate = isKnown && hasKey && !isOwn;
    const isRecent = sequence > this.#newest;
    this.#newest = Math.max(this.#newest, sequence);
    if (!isDuplicate || isRecent) this.#health.stored();
    return { sequence, isDuplicate, isRecent };
  }

  #noteUnacknowledged(id: string): void {
    this.#unacknowledged.add(id);
    if (this.#unacknowledged.size <= mostUnacknowledged) return;
    for (const oldest of this.#unacknowledged) {
      this.#unacknowledged.delete(oldest);
      return;
    }
  }

  mark(note: Note): void {
    if (note.kind === 'rejected') this.#rejections.add(note);
    else this.#notes.add(note);
  }

  written(): Promise<void> {
    return this.#notes.flush();
  }

  async read(sequence: number): Promise<StoredDelivery | undefined> {
    const { nats, stream } = this.#options;
    const found = await nats.read(sinkStreams(stream).deliveries, { sequence });
    if ('fault' in found) {
      if (found.fault === 'not-found') return undefined;
      throw new Error(describeFault(found, nats.outage()));
    }
    return fromSinkMessage(found.payload, sequence);
  }

  state(): JournalState {
    return { ...this.#state.now(), fault: this.#health.fault() };
  }

  /** How many deliveries the target with this name has not settled, as far as that is known. */
  unsettled(target: string): number {
    return this.#state.unsettled(target);
  }

  async close(): Promise<void> {
    this.#rejections.end();
    await this.#notes.flush().catch(() => {});
    await this.#options.nats.close().catch((error: unknown) => errorMessage(error));
  }
}
