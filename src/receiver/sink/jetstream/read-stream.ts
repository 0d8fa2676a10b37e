// Reads a stream of a sink in order. Asks the nearest copy, which may lack the newest messages, and then the leader.

import type { NatsFault, NatsMessage, NatsMessageQuery } from '#world/world.ts';
import { isFault, untilQuorum } from './sink-faults.ts';
import type { Sink } from './sink-layout.ts';

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
export const electionMs = 10_000;

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
