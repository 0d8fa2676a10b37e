// Decides which delivery is due next for a consumer, by what the leader of the stream has. The consumer only decides when, and for whom: the
// server that leads a consumer reads its own copy of the stream, and that may lack what the others have acknowledged. Its disk was full, or
// it led the stream when it was cut off, and has had other deliveries under the same numbers since (seen with nats-server 2.9.10, which does
// not notice).

import type { NatsConnection, NatsFault, NatsMessage } from '../../world/world.ts';
import type { Claims } from './sink-claims.ts';
import { sinkStreams } from './sink-layout.ts';
import { nextAfter } from './sink-progress.ts';

export interface SinkOrder {
  /**
   * What the stream has in the place of the message that was handed out, or the first one before it that the consumer has left out;
   * `undefined` if the stream has neither.
   */
  due(
    consumer: string,
    subject: string,
    handedOut: NatsMessage,
  ): Promise<NatsMessage | NatsFault | undefined>;
  /** The first one of this subject that is not settled. */
  next(consumer: string, subject: string): Promise<NextDelivery | NatsFault>;
  /** Passes over a message that is not for the target of this consumer. `isLast`: records that at once, so that it is not read again. */
  pass(consumer: string, message: NatsMessage, isLast: boolean): Promise<void>;
}

export interface NextDelivery {
  readonly message: NatsMessage;
  /** The number of the last record of this consumer: it changes with each one. */
  readonly record: number;
}

export interface SinkOrderOptions {
  readonly nats: Pick<NatsConnection, 'read' | 'consumer'>;
  readonly claims: Pick<Claims, 'last' | 'skip'>;
  readonly stream: string;
}

interface Start {
  readonly from: number;
  readonly record: number;
}

interface Place {
  readonly sequence: number;
  /** When the stream stored the message there; 0 if that is not known. */
  readonly stored: number;
}

/** The library gives the time of a message as nanoseconds in a floating-point number, which is not exact. */
const inexactMs = 1;
/** How many messages may be passed over before that is recorded for other forwarders. */
const mostPassed = 50;

export function createSinkOrder({ nats, claims, stream }: SinkOrderOptions): SinkOrder {
  const { deliveries } = sinkStreams(stream);
  /** By consumer: the last message passed over here, and how many since that was recorded. */
  const passed = new Map<string, Place & { readonly count: number }>();

  /** False if the stream has another message there: it was created again, or has lost its end. A message that is too old counts as there. */
  const isThere = async ({ sequence, stored }: Place): Promise<boolean | NatsFault> => {
    if (sequence === 0 || stored === 0) return true;
    const found = await nats.read(deliveries, { sequence });
    if (!isFault(found)) return Math.abs(found.time - stored) <= inexactMs;
    return found.fault === 'not-found' ? true : found;
  };

  /** The first number that is not settled. `isFresh`: as it is now, and surely of this stream. */
  const start = async (consumer: string, isFresh: boolean): Promise<Start | NatsFault> => {
    const last = await claims.last(consumer, isFresh);
    if ('fault' in last) return last;
    const { progress, at: record } = last;
    let from = progress === undefined ? 1 : nextAfter(progress);
    if (progress === undefined) {
      // Somebody has deleted the record.
      const found = await nats.consumer(deliveries, consumer);
      if ('fault' in found) return found;
      from = found.ackFloor + 1;
    } else if (isFresh) {
      const isOurs = await isThere(progress);
      if (typeof isOurs === 'object') return isOurs;
      if (!isOurs) from = 1;
    }
    const here = passed.get(consumer);
    const isOurs = here !== undefined && (!isFresh || (await isThere(here)));
    if (typeof isOurs === 'object') return isOurs;
    return { from: here && isOurs ? Math.max(from, here.sequence + 1) : from, record };
  };

  return {
    async due(consumer, subject, handedOut) {
      const { sequence } = handedOut;
      // What this process knows may be out of date: others forward too.
      for (const isFresh of [false, true]) {
        const first = await start(consumer, isFresh);
        if ('fault' in first) return first;
        const { from } = first;
        // A lower number is handed out again.
        const there = await nats.read(
          deliveries,
          sequence < from ? { sequence } : { firstOf: subject, from },
        );
        if (isFault(there)) {
          if (there.fault !== 'not-found') return there;
        } else if (there.subject === subject && (isSame(there, handedOut) || isFresh)) {
          if (there.sequence <= sequence) return there;
        }
      }
      return undefined;
    },
    async next(consumer, subject) {
      const first = await start(consumer, true);
      if ('fault' in first) return first;
      const message = await nats.read(deliveries, { firstOf: subject, from: first.from });
      return isFault(message) ? message : { message, record: first.record };
    },
    async pass(consumer, message, isLast) {
      const { sequence, time: stored } = message;
      const count = (passed.get(consumer)?.count ?? 0) + 1;
      const isWritten = isLast || count >= mostPassed;
      passed.set(consumer, { sequence, stored, count: isWritten ? 0 : count });
      if (isWritten) await claims.skip(consumer, message);
    },
  };
}

const isFault = (found: NatsMessage | NatsFault): found is NatsFault => 'fault' in found;

function isSame(one: NatsMessage, other: NatsMessage): boolean {
  return (
    one.sequence === other.sequence && one.id === other.id && Math.abs(one.time - other.time) <= inexactMs
  );
}
