// Reads a stream of a sink in order: from the nearest copy, which may lack the newest messages, and then from the leader. And reads a sink
// as a journal is read: deliveries, then the notes about them, then new entries. It needs no consumer, because forwarders write each
// outcome to NAME-log before they acknowledge the delivery.

import type { Note } from '#receiver/core/intake/delivery-journal.ts';
import { readReceivedAt } from '#receiver/core/journal/delivery-frame.ts';
import type { EntrySelection, JournalEntry, ReadOptions } from '#receiver/core/journal/read-entries.ts';
import type { NatsFault, NatsMessage, NatsMessageQuery } from '#world/world.ts';
import { isFault, untilQuorum } from './sink-faults.ts';
import { lacksQuorum, type Sink } from './sink-layout.ts';
import { decodeDelivery, readNotes, type SinkNote } from './sink-message.ts';

/** How much the clocks of receivers and servers may differ. */
const skewMs = 5 * 60 * 1000;
/** The service repeats a delivery only within this time. */
const repeatWindowMs = 60_000;
const pollMs = 500;

/** The last messages that were read from the two streams. */
export interface SinkPosition {
  readonly delivery: number;
  readonly note: number;
}

interface SinkReadOptions extends ReadOptions {
  /** The end of the range. Notes beyond it are read until each delivery is finished. */
  readonly to?: SinkPosition;
}

export type SinkEntries = ReturnType<typeof createSinkEntries>;

export function createSinkEntries(sink: Sink) {
  const { nats, clock, names } = sink;
  const { received, replays } = names;
  const attempts = names.attempts('*');
  /** The targets that have settled a delivery that is still unfinished. */
  const settled = new Map<number, Set<string>>();

  /** Retries for up to `limitMs`; then rejects if the servers do not respond. */
  const state = async (limitMs = electionMs) => {
    const streamState = async (name: string) => {
      const result = await untilQuorum(sink, limitMs, () => nats.stream(name));
      if (isFault(result)) throw new Error(result.detail, { cause: result });
      return result;
    };
    // Read the notes first: a delivery is stored before its notes.
    const { state: notes } = await streamState(names.log);
    const deliveries = await streamState(names.deliveries);
    const { first_seq, last_seq } = deliveries.state;
    return {
      first: Math.max(1, first_seq),
      delivery: last_seq,
      note: notes.last_seq,
      hasQuorum: !lacksQuorum(deliveries),
    };
  };

  function* toNotes(message: NatsMessage, selection?: EntrySelection): Generator<Note> {
    for (const recorded of message.subject === replays ? [] : readNotes(message)) {
      const note =
        recorded.kind === 'attempt' ? { ...recorded, finishes: finishesDelivery(recorded) } : recorded;
      const isDead = () => note.kind === 'attempt' && note.verdict === 'dead';
      if (note.kind !== 'attempt' || selection?.wantsAttempt(note.sequence, isDead) !== false) yield note;
    }
  }

  /** A delivery is finished once all its targets have settled it. */
  const finishesDelivery = ({ sequence, verdict, target, of }: SinkNote): boolean => {
    if (verdict === 'retry' || of <= 1) return verdict !== 'retry';
    const targets = settled.get(sequence) ?? new Set();
    targets.add(target);
    if (targets.size < of) settled.set(sequence, targets);
    else settled.delete(sequence);
    return targets.size >= of;
  };

  /** Reads what was added between two states. A replay is the payload of its message. */
  async function* between(before: SinkPosition, now: SinkPosition) {
    const deliveries = { from: before.delivery + 1, to: now.delivery };
    for await (const message of readStream(sink, names.deliveries, deliveries)) yield* toDelivery(message);
    for await (const message of readStream(sink, names.log, { from: before.note + 1, to: now.note }))
      if (message.subject === replays) yield { kind: 'replay' as const, payload: message.payload };
      else yield* toNotes(message);
  }

  /** With `follow`, then waits for new entries, and passes on all of them. */
  async function* read({
    from: first = 1,
    follow,
    selection,
    to,
  }: SinkReadOptions): AsyncGenerator<JournalEntry> {
    const end = to ?? (await state());
    settled.clear();
    /** Unfinished deliveries, if only the notes about these are needed. */
    const unfinished = new Set<number>();
    let [since, last] = [0, 0];
    for await (const message of readStream(sink, names.deliveries, { from: first, to: end.delivery })) {
      since ||= message.time - skewMs;
      last = message.time;
      if (to !== undefined) unfinished.add(message.sequence);
      yield* toDelivery(message, selection);
    }
    const notes = { from: first <= 1 || since === 0 ? 1 : { time: since }, to: end.note };
    for (const subject of to === undefined ? ['>'] : since === 0 ? [] : [attempts, received])
      for await (const message of readStream(sink, names.log, { ...notes, subject })) {
        if (
          to !== undefined &&
          unfinished.size === 0 &&
          (subject === attempts || message.time > last + repeatWindowMs)
        )
          break;
        for (const note of toNotes(message, selection)) {
          if (note.kind === 'attempt' && note.finishes) unfinished.delete(note.sequence);
          yield note;
        }
      }
    if (follow) yield { kind: 'caught-up' };
    for (let position = end; follow?.aborted === false; await clock.sleep(pollMs, follow)) {
      const now = await state();
      for await (const entry of between(position, now)) if (entry.kind !== 'replay') yield entry;
      position = now;
    }
  }

  return {
    state,
    between,
    read,
    /** The first delivery that may have been received at this time or later, or 1. */
    async firstSince(time: number) {
      const from = { time: time - skewMs };
      if (from.time > 0)
        for await (const { sequence } of readStream(sink, names.deliveries, { from })) return sequence;
      return 1;
    },
  };
}

function* toDelivery(message: NatsMessage, selection?: EntrySelection): Generator<JournalEntry> {
  const { payload, sequence } = message;
  const delivery = decodeDelivery(message);
  if (delivery === undefined) return;
  const bytes = Buffer.from(payload.buffer, payload.byteOffset, payload.byteLength);
  if (selection?.wantsDelivery(sequence, readReceivedAt(bytes, 0)) !== false)
    yield { kind: 'delivery', delivery };
}

interface StreamPart {
  /** Where to start: at a sequence number, or at a storage time in milliseconds since 1970. */
  readonly from: number | { readonly time: number };
  /** The last message by default. */
  readonly to?: number;
  /** All subjects by default. */
  readonly subject?: string;
}

const batchSize = 200;
/** How long the servers may take to elect a leader. */
const electionMs = 10_000;

/** If the servers do not respond, rejects with the fault as the cause. */
export async function* readStream(
  sink: Sink,
  stream: string,
  { from, to: last = Number.POSITIVE_INFINITY, subject = '>' }: StreamPart,
): AsyncGenerator<NatsMessage, void, undefined> {
  const { nats } = sink;
  const first =
    typeof from === 'number'
      ? { seq: Math.max(1, from) }
      : { start_time: new Date(Math.max(0, from.time)).toISOString() };
  let next: NatsMessageQuery = { ...first, next_by_subj: subject };
  for (;;) {
    const query: NatsMessageQuery = next;
    const rest: number = 'seq' in query ? last + 1 - query.seq : batchSize;
    if (rest <= 0) return;
    for await (const message of nats.readCopy(stream, query, Math.min(batchSize, rest))) {
      if (message.sequence > last) return;
      yield message;
      next = { seq: message.sequence + 1, next_by_subj: subject };
    }
    if (next !== query) continue;
    // Only the leader knows whether there is more. A copy that lags behind holds up nothing.
    const message: NatsMessage | NatsFault = await untilQuorum(sink, electionMs, () =>
      nats.read(stream, query),
    );
    if (isFault(message)) {
      if (message.fault === 'not-found') return;
      throw new Error(message.detail, { cause: message });
    }
    if (message.sequence > last) return;
    yield message;
    next = { seq: message.sequence + 1, next_by_subj: subject };
  }
}
