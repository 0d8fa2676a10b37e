// The last known backlog of a sink. It is read at intervals, and only while it is being looked at, because the servers have to list every
// consumer of the stream.

import type { Clock, NatsConnection, NatsFault, NatsStream } from '../../world/world.ts';
import type { JournalState } from '../delivery-journal.ts';
import { readBacklog, type SinkBacklog } from './sink-backlog.ts';
import { sinkStreams } from './sink-layout.ts';

const askAgainMs = 5_000;

export interface SinkState {
  now(): Omit<JournalState, 'fault'>;
  /** How many deliveries the target has not settled. */
  unsettled(target: string): number;
  hasStored(receivedAt: number): void;
}

export function createSinkState({
  nats,
  clock,
  stream,
  onLook,
}: {
  readonly nats: Pick<NatsConnection, 'stream' | 'consumers' | 'read' | 'count'>;
  readonly clock: Pick<Clock, 'monotonic'>;
  readonly stream: string;
  /** After each look at the stream, with when it began. */
  readonly onLook: (found: NatsStream | NatsFault, since: number) => void;
}): SinkState {
  let known: Omit<JournalState, 'fault'> = {
    unfinished: 0,
    lastUnfinished: 0,
    oldestUnfinished: undefined,
    lastReceived: undefined,
    bytes: 0,
    syncMs: 0,
  };
  let askedAt: number | undefined;

  let unsettledOf: SinkBacklog['unsettledOf'] = () => 0;
  const ask = async (since: number) => {
    // Separately: reading the consumers takes all servers, reading the stream only a quorum.
    onLook(await nats.stream(sinkStreams(stream).deliveries), since);
    const found = await readBacklog(nats, stream);
    if ('fault' in found) return;
    const { unfinished, oldestUnfinished } = found;
    unsettledOf = found.unsettledOf;
    known = {
      ...known,
      unfinished,
      lastUnfinished: unfinished === 0 ? 0 : found.stream.lastSequence,
      oldestUnfinished,
      bytes: found.stream.bytes,
    };
  };

  const look = () => {
    const now = clock.monotonic();
    if (askedAt !== undefined && now - askedAt < askAgainMs) return;
    askedAt = now;
    void ask(now);
  };

  return {
    now() {
      look();
      return known;
    },
    unsettled(target) {
      look();
      return unsettledOf(target);
    },
    hasStored(receivedAt) {
      known = { ...known, lastReceived: receivedAt };
    },
  };
}
