// Finds what a consumer leaves out while it hands out nothing. The server that leads it may lack the end of the stream and report that
// nothing is left, or wait for what it lacks, or not respond (seen with nats-server 2.9.10 on a full disk: it leads its consumers for as long
// as it runs). Claims keep the order even without a consumer.

import type { Clock, NatsConnection, NatsMessage, NatsPulled } from '../../world/world.ts';
import { sinkStreams } from './sink-layout.ts';
import type { SinkOrder } from './sink-order.ts';

export interface SinkOverlooked {
  /** The last number of the stream, from its leader. */
  onStream(lastSequence: number): void;
  /** What a consumer that has handed out nothing for a while has left out. `isFor`: whether its target gets the message. */
  find(
    consumer: string,
    subject: string,
    isFor: (message: NatsMessage) => boolean,
  ): Promise<NatsPulled | undefined>;
}

export interface OverlookedOptions {
  readonly nats: Pick<NatsConnection, 'consumer' | 'moveConsumer'>;
  readonly order: Pick<SinkOrder, 'next' | 'pass'>;
  readonly stream: string;
  readonly clock: Pick<Clock, 'monotonic'>;
  readonly signal: AbortSignal;
}

/** How long a consumer that was found to be helpless is not asked again. */
const helplessMs = 60_000;
/** Longer than any attempt and any wait for the next one: a forwarder that has it would have recorded something. */
const stuckMs = 6 * 60_000;

/** What this process knows of a consumer. */
interface ConsumerState {
  /** The last number of the stream when nothing was left, the last two times: once could be an outdated response. */
  readonly empty: number[];
  /** The first message at the last look, the last record then, and since when both are the same. */
  first: { readonly sequence: number; readonly record: number; readonly since: number } | undefined;
  /** When this process may try again. */
  due: number;
  helplessUntil: number;
}

export function createSinkOverlooked({
  nats,
  order,
  stream,
  clock,
  signal,
}: OverlookedOptions): SinkOverlooked {
  const { deliveries } = sinkStreams(stream);
  const all = new Map<string, ConsumerState>();
  let last: number | undefined;

  const knownOf = (consumer: string): ConsumerState => {
    const known = all.get(consumer) ?? { empty: [], first: undefined, due: 0, helplessUntil: 0 };
    all.set(consumer, known);
    return known;
  };

  /** Whether the consumer will not hand out what is left. */
  const isHelpless = async (consumer: string, isStuck: boolean): Promise<boolean> => {
    const state = await nats.consumer(deliveries, consumer);
    if ('fault' in state) return true;
    // Another forwarder has the message, or it waits for its next attempt.
    if (state.unacknowledged > 0 && !isStuck) return false;
    void nats.moveConsumer(deliveries, consumer);
    return true;
  };

  return {
    onStream(lastSequence) {
      last = lastSequence;
    },
    async find(consumer, subject, isFor) {
      const known = knownOf(consumer);
      const upTo = last;
      const isEmpty = known.empty.length > 1 && known.empty.every((one) => one === upTo);
      if (upTo === undefined || isEmpty || clock.monotonic() < known.due) return undefined;
      let found = await order.next(consumer, subject);
      while (!('fault' in found) && !isFor(found.message) && !signal.aborted) {
        await order.pass(consumer, found.message, false);
        found = await order.next(consumer, subject);
      }
      if (signal.aborted) return undefined;
      if ('fault' in found) {
        if (found.fault === 'not-found')
          known.empty.splice(0, known.empty.length, ...known.empty.slice(-1), upTo);
        return undefined;
      }
      const { message, record } = found;
      const now = clock.monotonic();
      const { first } = known;
      // It may have just arrived.
      const isNew = first?.sequence !== message.sequence || first.record !== record;
      if (isNew) known.first = { sequence: message.sequence, record, since: now };
      if (now >= known.helplessUntil) {
        const isWaiting = isNew || !(await isHelpless(consumer, now - first.since >= stuckMs));
        if (isWaiting) return undefined;
        known.helplessUntil = clock.monotonic() + helplessMs;
      }
      return {
        ...message,
        ack() {},
        putBack(delayMs) {
          known.due = clock.monotonic() + delayMs;
        },
        keep() {},
      };
    },
  };
}
