// Handles one message that a consumer has handed out: waits until its target is free, claims it, sends it, and responds to the consumer.

import type { Clock, NatsFault, NatsMessage, NatsPulled } from '../../world/world.ts';
import type { Target } from '../forwarding/target.ts';
import { type DeliveredEvents, eventsOf } from '../read-events.ts';
import type { StoredDelivery } from '../stored-delivery.ts';
import { watchMs } from './claim-watch.ts';
import { attemptFromSink } from './sink-attempt.ts';
import type { Claims } from './sink-claims.ts';
import type { SinkLine } from './sink-line.ts';
import { fromSinkMessage } from './sink-message.ts';
import type { SinkOrder } from './sink-order.ts';
import type { InHand, SinkOutcomes } from './sink-outcome.ts';

export interface HandlingOptions {
  readonly clock: Pick<Clock, 'after' | 'sleep'>;
  readonly claims: Claims;
  readonly outcomes: SinkOutcomes;
  readonly order: SinkOrder;
  chooseTargets(found: DeliveredEvents): readonly Target[];
  /** The line that notes it when a delivery has no target. */
  readonly first: SinkLine | undefined;
  /** Why it could not ask which delivery is due; `undefined` once it could. */
  onFault(fault: NatsFault | undefined): void;
  /** Has another server lead the consumer, which then hands out what is left. */
  moveConsumer(consumer: string): void;
  readonly renewMs: number;
  /** Deliveries that have not been sent yet are left to the other forwarders. */
  isDraining(): boolean;
  readonly signal: AbortSignal;
}

export interface Handling {
  /** Resolves once this process is done with the message. */
  handle(
    line: SinkLine,
    from: { readonly consumer: string; readonly subject: string },
    message: NatsPulled,
  ): Promise<void>;
  /** Whether this target gets the message. */
  isFor(line: SinkLine, message: NatsMessage): boolean;
}

const againMs = 1_000;

export function createHandling({
  clock,
  claims,
  outcomes,
  order,
  chooseTargets,
  first,
  onFault,
  moveConsumer,
  renewMs,
  isDraining,
  signal,
}: HandlingOptions): Handling {
  const forward = async (inHand: InHand) => {
    const { line, consumer, message, delivery } = inHand;
    while (!signal.aborted) {
      const pass = await line.gate.enter();
      if (pass === undefined) return message.putBack(signal.aborted ? 0 : againMs);
      const claimed = await claims.claim(consumer, message);
      if ('fault' in claimed) {
        pass.unused();
        // Nothing can be recorded now. The next forwarder that gets it tries again.
        return message.putBack(againMs);
      }
      if (claimed.kind === 'settled') {
        pass.unused();
        // If no consumer has handed it out, it would be found again and again.
        await order.pass(consumer, message, false);
        message.ack();
        return;
      }
      if (claimed.kind === 'taken') {
        pass.unused();
        if (!claimed.isSending || isDraining()) return message.putBack(claimed.forMs);
        await clock.sleep(Math.min(claimed.forMs, watchMs), signal);
        continue;
      }
      const { claim } = claimed;
      // This process may have been stopped in between: then another forwarder may have it by now.
      if (!claim.isFresh()) {
        pass.unused();
        continue;
      }
      const { target } = line;
      const result = await attemptFromSink({ clock, target, claim, delivery, pass, renewMs, signal });
      if (result === 'lost') return;
      if (result.verdict === 'unavailable') {
        if (await outcomes.yieldOrGiveUp(inHand, claim, result)) return;
        continue;
      }
      return outcomes.conclude(inHand, claim, result);
    }
    message.putBack(0);
  };

  const chosenFor = (delivery: StoredDelivery) => chooseTargets(eventsOf(delivery));

  return {
    isFor(line, message) {
      const delivery = decode(message);
      return delivery === undefined || chosenFor(delivery).includes(line.target);
    },
    async handle(line, { consumer, subject }, handedOut) {
      line.take(consumer, handedOut.sequence, handedOut.time);
      for (;;) {
        const due = await order.due(consumer, subject, handedOut);
        onFault(due !== undefined && 'fault' in due ? due : undefined);
        if (due === undefined) {
          // If that is wrong, it is found later among those that were left out.
          handedOut.ack();
          return moveConsumer(consumer);
        }
        if ('fault' in due) return handedOut.putBack(againMs);
        if (signal.aborted) return handedOut.putBack(0);
        const isHandedOut = due.sequence === handedOut.sequence;
        const message = inPlaceOf(handedOut, due);
        try {
          const delivery = decode(message);
          // Other programs can publish to the stream too. What is not a delivery now will not be one later.
          if (delivery === undefined && (await outcomes.publishDead(consumer, message)) === undefined) return;
          const chosen = delivery ? chosenFor(delivery) : [];
          if (delivery && chosen.includes(line.target)) {
            line.take(consumer, message.sequence, delivery.receivedAt);
            return await forward({ line, consumer, message, delivery });
          }
          if (delivery && isHandedOut && chosen.length === 0 && line === first) outcomes.noteUnsent(delivery);
          await order.pass(consumer, message, delivery === undefined);
          if (isHandedOut) return handedOut.ack();
        } finally {
          line.leave(message.sequence);
        }
      }
    },
  };
}

/** The message that is due, under the acknowledgement of the one handed out. If they differ, that one is handed out again afterwards. */
function inPlaceOf(handedOut: NatsPulled, due: NatsMessage): NatsPulled {
  return {
    ...due,
    ack: () => (due.sequence === handedOut.sequence ? handedOut.ack() : handedOut.putBack(0)),
    putBack: (delayMs) => handedOut.putBack(delayMs),
    keep: () => handedOut.keep(),
  };
}

function decode({ payload, sequence }: NatsMessage): StoredDelivery | undefined {
  try {
    return fromSinkMessage(payload, sequence);
  } catch {
    return undefined;
  }
}
