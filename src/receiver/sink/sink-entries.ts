// Reads a sink as a journal is read: deliveries, then the notes about them, then new entries. It needs no consumer, because forwarders
// write each outcome to NAME-log before they acknowledge the delivery.

import type { Clock, NatsConnection, NatsMessage } from '#world/world.ts';
import type { Note } from '../intake/delivery-journal.ts';
import { readReceivedAt } from '../journal/delivery-frame.ts';
import type { EntrySelection, JournalEntry, ReadOptions } from '../journal/read-entries.ts';
import { untilQuorum } from './sink-faults.ts';
import { sinkStreams, sinkSubjects } from './sink-layout.ts';
import { decodeDelivery, notesOf, type SinkNote } from './sink-message.ts';

/** How much the clocks of receivers and servers may differ. */
const skewMs = 5 * 60 * 1000;
/** The service repeats a delivery within this time, or not at all. */
const repeatsMs = 60_000;
const pollMs = 500;
const electionMs = 10_000;

/** The last messages that were read from the two streams. */
export interface Reached {
  readonly delivery: number;
  readonly note: number;
}

export type SinkEntry =
  | JournalEntry
  /** A replay, as a message of its subject. */
  | { readonly kind: 'replay'; readonly payload: Uint8Array };

export interface SinkReadOptions extends ReadOptions {
  /** The end of the range. Notes beyond it are read until each delivery is finished. */
  readonly to?: Reached;
}

export class SinkEntries {
  readonly #nats: Pick<NatsConnection, 'readAll' | 'stream'>;
  readonly #clock: Pick<Clock, 'monotonic' | 'sleep'>;
  readonly #names: ReturnType<typeof sinkStreams>;
  readonly #subjects: Record<'attempts' | 'received' | 'replays', string>;
  /** The targets that have settled a delivery that is still unfinished. */
  readonly #settled = new Map<number, Set<string>>();
  #reached: Reached = { delivery: 0, note: 0 };

  constructor(
    nats: Pick<NatsConnection, 'readAll' | 'stream'>,
    clock: Pick<Clock, 'monotonic' | 'sleep'>,
    stream: string,
  ) {
    this.#nats = nats;
    this.#clock = clock;
    this.#names = sinkStreams(stream);
    this.#subjects = {
      attempts: sinkSubjects.attempts(stream, '*'),
      received: sinkSubjects.received(stream),
      replays: sinkSubjects.replays(stream),
    };
  }

  /** Retries for up to `limitMs`; then rejects if the servers do not respond. */
  async state(limitMs = electionMs): Promise<{ readonly first: number } & Reached> {
    const stateOf = async (name: string) => {
      const found = await untilQuorum(this.#clock, limitMs, () => this.#nats.stream(name));
      if ('fault' in found) throw new Error(found.detail, { cause: found });
      return found.state;
    };
    // Read the notes first: a delivery is stored before its notes.
    const { last_seq: note } = await stateOf(this.#names.log);
    const { first_seq, last_seq } = await stateOf(this.#names.deliveries);
    return { first: Math.max(1, first_seq), delivery: last_seq, note };
  }

  /** The first delivery that may have been received at this time or later, or 1. */
  async firstSince(time: number): Promise<number> {
    const from = { time: time - skewMs };
    if (from.time > 0)
      for await (const { sequence } of this.#nats.readAll(this.#names.deliveries, { from })) return sequence;
    return 1;
  }

  /** With `follow`, starts at the same delivery as the last read and repeats what it passed on, then waits for new entries. */
  async *read({
    from: first = 1,
    follow = false,
    signal,
    selection,
    to,
  }: SinkReadOptions): AsyncGenerator<JournalEntry> {
    const end = to ?? (follow ? this.#reached : await this.state());
    this.#settled.clear();
    /** Unfinished deliveries, if the notes about these are enough. */
    const open = new Set<number>();
    let [since, last] = [0, 0];
    for await (const message of this.#upTo(this.#names.deliveries, Math.max(1, first), end.delivery)) {
      since ||= message.time - skewMs;
      last = message.time;
      if (to !== undefined) open.add(message.sequence);
      yield* toDelivery(message, selection);
    }
    const notesFrom = first <= 1 || since === 0 ? 1 : { time: since };
    const { attempts, received } = this.#subjects;
    for (const subject of to === undefined ? ['>'] : since === 0 ? [] : [attempts, received])
      for await (const message of this.#upTo(this.#names.log, notesFrom, end.note, subject)) {
        if (to !== undefined && open.size === 0 && (subject === attempts || message.time > last + repeatsMs))
          break;
        for (const note of this.#toNotes(message, selection)) {
          if (note.kind === 'attempt' && note.finishes) open.delete(note.sequence);
          yield note;
        }
      }
    if (to === undefined) this.#reached = end;
    for (let at = end; follow && signal?.aborted !== true; await this.#clock.sleep(pollMs, signal)) {
      const now = await this.state();
      for await (const entry of this.between(at, now)) if (entry.kind !== 'replay') yield entry;
      at = now;
    }
  }

  /** Reads what was added between two states. */
  async *between(before: Reached, now: Reached): AsyncGenerator<SinkEntry, void, undefined> {
    for await (const message of this.#upTo(this.#names.deliveries, before.delivery + 1, now.delivery))
      yield* toDelivery(message);
    for await (const message of this.#upTo(this.#names.log, before.note + 1, now.note))
      if (message.subject === this.#subjects.replays) yield { kind: 'replay', payload: message.payload };
      else yield* this.#toNotes(message);
  }

  async *#upTo(
    stream: string,
    from: number | { readonly time: number },
    to: number,
    subject = '>',
  ): AsyncGenerator<NatsMessage, void, undefined> {
    if (to === 0 || (typeof from === 'number' && from > to)) return;
    for await (const message of this.#nats.readAll(stream, { from, to, subject }))
      if (message.sequence <= to) yield message;
  }

  *#toNotes(message: NatsMessage, selection?: EntrySelection): Generator<Note> {
    for (const found of message.subject === this.#subjects.replays ? [] : notesOf(message)) {
      const note = found.kind === 'attempt' ? { ...found, finishes: this.#finishes(found) } : found;
      const isDead = () => note.kind === 'attempt' && note.verdict === 'dead';
      if (note.kind !== 'attempt' || selection?.wantsAttempt(note.sequence, isDead) !== false) yield note;
    }
  }

  /** A delivery is finished once all its targets have settled it. */
  #finishes({ sequence, verdict, target, of }: SinkNote): boolean {
    if (verdict === 'retry' || of <= 1) return verdict !== 'retry';
    const settled = this.#settled.get(sequence) ?? new Set();
    settled.add(target);
    if (settled.size < of) this.#settled.set(sequence, settled);
    else this.#settled.delete(sequence);
    return settled.size >= of;
  }
}

function* toDelivery(message: NatsMessage, selection?: EntrySelection): Generator<JournalEntry> {
  const { payload, sequence } = message;
  const delivery = decodeDelivery(message);
  if (delivery === undefined) return;
  const bytes = Buffer.from(payload.buffer, payload.byteOffset, payload.byteLength);
  if (selection?.wantsDelivery(sequence, readReceivedAt(bytes, 0)) !== false)
    yield { kind: 'delivery', delivery };
}
