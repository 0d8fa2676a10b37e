// Reads part of a stream, and no more. A few messages are read one by one: that creates nothing on the servers, ends by itself when they
// do not respond, and holds few messages in memory.

import type { Clock, NatsConnection, NatsFault, NatsMessage } from '../../world/world.ts';

/** How many messages are read at once. A delivery can have megabytes. */
const atOnce = 8;
/** After this time without a message, the servers have stopped responding in the middle of a read. */
const silentMs = 10_000;

export interface Span {
  /** Both ends included. */
  readonly from: number;
  readonly to: number;
}

/** In order. Numbers without a message are skipped. Rejects if the servers do not respond. */
export async function* readSpan(
  nats: Pick<NatsConnection, 'read' | 'outage'>,
  stream: string,
  { from, to }: Span,
): AsyncGenerator<NatsMessage, void, undefined> {
  for (let at = from; at <= to; at += atOnce) {
    const numbers = Array.from({ length: Math.min(atOnce, to - at + 1) }, (_, index) => at + index);
    const found = await Promise.all(numbers.map((sequence) => nats.read(stream, { sequence })));
    for (const message of found) {
      if (!('fault' in message)) yield message;
      else if (message.fault !== 'not-found') throw new Error(describeSilence(message, nats.outage()));
    }
  }
}

/** The messages of one subject, from this time up to the number `to`. Rejects if the servers do not respond. */
export async function* readSince(
  nats: Pick<NatsConnection, 'readAll'>,
  clock: Pick<Clock, 'limit'>,
  stream: string,
  { time, to, subject }: { readonly time: number; readonly to: number; readonly subject?: string },
): AsyncGenerator<NatsMessage, void, undefined> {
  const ending = new AbortController();
  let limit = clock.limit(silentMs, () => ending.abort());
  const options = { from: { time: Math.max(0, time) }, signal: ending.signal };
  try {
    for await (const message of nats.readAll(
      stream,
      subject === undefined ? options : { ...options, subject },
    )) {
      limit.cancel();
      if (message.sequence > to) return;
      yield message;
      limit = clock.limit(silentMs, () => ending.abort());
    }
    if (ending.signal.aborted) throw new Error('the NATS servers stopped responding');
  } finally {
    limit.cancel();
  }
}

/** `connection`: why there is none. */
export function describeSilence({ fault, detail }: NatsFault, connection: string | undefined): string {
  if (fault === 'not-allowed') return `the NATS servers do not allow it (${detail})`;
  if (connection !== undefined) return `no connection to the NATS servers (${connection})`;
  if (fault === 'no-quorum' || fault === 'timeout') return 'no quorum of the NATS servers responds';
  return `the NATS servers respond with an error (${detail})`;
}
