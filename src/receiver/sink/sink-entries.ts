// Reads a sink the way a journal is read: the deliveries, then the notes about them, then what is new. No consumer is asked: what became of
// a delivery is in NAME-log, where forwarders write it before they acknowledge the delivery.

import type { Clock, NatsConnection, NatsMessage } from '#world/world.ts';
import type { Note } from '../intake/delivery-journal.ts';
import { readReceivedAt } from '../journal/delivery-frame.ts';
import type { EntrySelection, JournalEntry, ReadOptions } from '../journal/read-entries.ts';
import { sinkStreams, sinkSubjects } from './sink-layout.ts';
import { decodeDelivery, notesOf, type SinkNote } from './sink-message.ts';
import { untilQuorum } from './until-quorum.ts';

/** By how much the clocks of receivers and servers may differ. */
const skewMs = 5 * 60 * 1000;
/** The service repeats a delivery soon, or not at all. */
const repeatsMs = 60_000;
const pollMs = 500;
const electionMs = 10_000;

/** The last messages of the two streams that were read. */
export interface Reached {
  readonly delivery: number;
  readonly note: number;
}

export type SinkEntry =
  | JournalEntry
  /** A message of its subject. */
  | { readonly kind: 'replay'; readonly payload: Uint8Array };

export class SinkEntries {
  readonly #nats: Pick<NatsConnection, 'readAll' | 'stream'>;
  readonly #clock: Pick<Clock, 'monotonic' | 'sleep'>;
  readonly #names: ReturnType<typeof sinkStreams>;
  readonly #replays: string;
  /** The targets that have settled a delivery, while others have not. */
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
    this.#replays = sinkSubjects.replays(stream);
  }

  /** Rejects if the servers do not respond. `limitMs`: for how long to try again. */
  async state(limitMs = electionMs): Promise<{ readonly first: number } & Reached> {
    // In this order: a delivery with a note was stored before the note.
    const log = await this.#stream(this.#names.log, limitMs);
    const { firstSequence, lastSequence } = await this.#stream(this.#names.deliveries, limitMs);
    return { first: Math.max(1, firstSequence), delivery: lastSequence, note: log.lastSequence };
  }

  async #stream(name: string, limitMs: number) {
    const found = await untilQuorum(this.#clock, limitMs, () => this.#nats.stream(name));
    if ('fault' in found) throw new Error(found.detail, { cause: found });
    return found;
  }

  /** The first delivery that may have been received at this time or later; 1 if there is none. */
  async firstSince(time: number): Promise<number> {
    if (time <= skewMs) return 1;
    for await (const { sequence } of this.#nats.readAll(this.#names.deliveries, {
      from: { time: time - skewMs },
    }))
      return sequence;
    return 1;
  }

  /** With `follow`: first what the last read without it has passed on, from the same delivery on, then what is new. */
  async *read({
    from,
    follow = false,
    signal,
    selection,
  }: ReadOptions): AsyncGenerator<JournalEntry, void, undefined> {
    const to = follow ? this.#reached : await this.state();
    const first =
      from === undefined
        ? 1
        : 'sequence' in from
          ? from.sequence
          : 'last' in from
            ? to.delivery + 1 - from.last
            : await this.firstSince(from.time);
    this.#settled.clear();
    let since: number | undefined;
    for await (const message of this.#upTo(this.#names.deliveries, Math.max(1, first), to.delivery)) {
      since ??= message.time - skewMs;
      yield* toDelivery(message, selection);
    }
    const notesFrom = first <= 1 || since === undefined ? 1 : { time: since };
    for await (const message of this.#upTo(this.#names.log, notesFrom, to.note))
      if (message.subject !== this.#replays) yield* this.#toNotes(message, selection);
    this.#reached = to;
    for (let at = to; follow && signal?.aborted !== true; await this.#clock.sleep(pollMs, signal)) {
      const now = await this.state();
      for await (const entry of this.between(at, now)) if (entry.kind !== 'replay') yield entry;
      at = now;
    }
  }

  /** The deliveries with these numbers, both included, then the notes up to `note`, or until each of them is finished. */
  async *span(from: number, to: number, note: number): AsyncGenerator<JournalEntry, void, undefined> {
    const open = new Set<number>();
    let [since, last] = [0, 0];
    for await (const message of this.#upTo(this.#names.deliveries, from, to))
      for (const entry of toDelivery(message)) {
        yield entry;
        since ||= message.time - skewMs;
        last = message.time;
        open.add(message.sequence);
      }
    if (open.size === 0) return;
    for await (const message of this.#upTo(this.#names.log, { time: since }, note)) {
      if (open.size === 0 && message.time > last + repeatsMs) return;
      for (const one of message.subject === this.#replays ? [] : this.#toNotes(message)) {
        if (one.kind === 'attempt' && one.finishes) open.delete(one.sequence);
        yield one;
      }
    }
  }

  /** What came between two states. */
  async *between(before: Reached, now: Reached): AsyncGenerator<SinkEntry, void, undefined> {
    for await (const message of this.#upTo(this.#names.deliveries, before.delivery + 1, now.delivery))
      yield* toDelivery(message);
    for await (const message of this.#upTo(this.#names.log, before.note + 1, now.note))
      if (message.subject === this.#replays) yield { kind: 'replay', payload: message.payload };
      else yield* this.#toNotes(message);
  }

  async *#upTo(
    stream: string,
    from: number | { readonly time: number },
    to: number,
  ): AsyncGenerator<NatsMessage, void, undefined> {
    if (to === 0) return;
    for await (const message of this.#nats.readAll(stream, { from, to })) {
      if (message.sequence > to) return;
      yield message;
    }
  }

  *#toNotes(message: NatsMessage, selection?: EntrySelection): Generator<Note> {
    for (const found of notesOf(message)) {
      const note = found.kind === 'attempt' ? { ...found, finishes: this.#finishes(found) } : found;
      if (
        note.kind !== 'attempt' ||
        !selection ||
        selection.wantsAttempt(note.sequence, () => note.verdict === 'dead')
      )
        yield note;
    }
  }

  /** A delivery with several targets is finished once all of them have settled it. */
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
