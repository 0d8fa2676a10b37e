// Records the outcome of an attempt: first for the other forwarders, then for the log and the page, and only then for the consumer, which
// hands out the next delivery afterwards.

import type { NatsConnection, NatsFault, NatsPulled, World } from '../../world/world.ts';
import type { OnActivity } from '../activity.ts';
import type { DeliveryStore } from '../delivery-journal.ts';
import { retryDelayMs } from '../forwarding/retry-delay.ts';
import type { AttemptResult } from '../forwarding/target.ts';
import type { StoredDelivery } from '../stored-delivery.ts';
import type { Claim, ClaimWrite } from './held-claim.ts';
import { sinkStreams, sinkSubjects } from './sink-layout.ts';
import type { SinkLine } from './sink-line.ts';
import type { SinkTrouble } from './sink-trouble.ts';
import { isFault } from './until-quorum.ts';

export interface OutcomeOptions {
  readonly nats: Pick<NatsConnection, 'publish'>;
  readonly journal: Pick<DeliveryStore, 'mark'>;
  readonly stream: string;
  readonly clock: World['clock'];
  readonly random: World['random'];
  readonly maxAttempts: number;
  readonly giveUpAfterMs: number;
  readonly onActivity: OnActivity;
  readonly trouble: SinkTrouble;
  readonly signal: AbortSignal;
}

/** A delivery that a consumer has handed to this process. */
export interface InHand {
  readonly line: SinkLine;
  readonly consumer: string;
  readonly message: NatsPulled;
  readonly delivery: StoredDelivery;
}

export interface SinkOutcomes {
  conclude(inHand: InHand, claim: Claim, result: AttemptResult): Promise<void>;
  /** Nothing reached the target, so the attempt is not counted. True if this process is done with the delivery. */
  yieldOrGiveUp(inHand: InHand, claim: Claim, result: AttemptResult): Promise<boolean>;
  /** The delivery has no target. The consumers of all targets hand it out; one of them notes it. */
  noteUnsent(delivery: StoredDelivery): void;
  /** Resolves with `undefined` if this process ends before it is stored. */
  publishDead(consumer: string, message: NatsPulled): Promise<object | undefined>;
}

const againMs = 1_000;
const publishMs = 3_000;

export function createOutcomes(options: OutcomeOptions): SinkOutcomes {
  const { nats, journal, stream, clock, random, onActivity, signal } = options;

  /** Retries while too few servers respond. */
  const untilDone = async <T>(write: () => Promise<T | NatsFault>): Promise<T | undefined> => {
    for (;;) {
      const result = await write();
      if (!isFault(result)) return result;
      if (signal.aborted) return undefined;
      await clock.sleep(againMs * random(), signal);
    }
  };

  /** That the target has accepted a delivery must not be lost. So this goes on after an abort; the process waits for it as long as it can. */
  const untilRecorded = async (write: () => Promise<ClaimWrite>): Promise<ClaimWrite> => {
    for (;;) {
      const result = await write();
      if (!isFault(result) || result.fault === 'closed') return result;
      await clock.sleep(againMs * random());
    }
  };

  const publishDead = (consumer: string, { payload, sequence, time }: NatsPulled) =>
    untilDone(async () => {
      const published = await nats.publish(sinkSubjects.dead(stream, consumer), payload, {
        stream: sinkStreams(stream).dead,
        // With its time: a stream that is created again gives the same number to another delivery.
        id: `${consumer}-${sequence}-${time}`,
        timeoutMs: publishMs,
      });
      options.trouble.note('dead letters', 'fault' in published ? published : undefined);
      return published;
    });

  const conclude = async (inHand: InHand, claim: Claim, result: AttemptResult) => {
    const { line, consumer, message, delivery } = inHand;
    const attempts = claim.attempts + 1;
    const verdict =
      result.verdict === 'forwarded'
        ? 'forwarded'
        : result.verdict === 'dead' || attempts >= options.maxAttempts
          ? 'dead'
          : 'retry';
    // An attempt that the end of this process cut short is not counted.
    if (signal.aborted && verdict !== 'forwarded') {
      await untilRecorded(() => claim.record('retry', claim.attempts));
      message.putBack(0);
      return;
    }
    const delay = verdict === 'retry' ? retryDelayMs(attempts, random, result.retryAfterMs) : undefined;
    if (verdict === 'dead' && (await publishDead(consumer, message)) === undefined) return message.putBack(0);
    const recorded = await untilRecorded(() => claim.record(verdict, attempts, delay));
    if (recorded === 'lost' && verdict !== 'forwarded') return;
    const { outcome, milliseconds, detail } = result;
    const made = {
      kind: 'attempt',
      sequence: delivery.sequence,
      time: clock.now(),
      target: line.target.name,
      attempt: attempts,
      milliseconds,
      outcome,
      verdict,
      finishes: verdict !== 'retry',
    } as const;
    if (delay !== undefined) line.failed(consumer, delivery.receivedAt, delay);
    journal.mark(made);
    onActivity({
      ...made,
      delivery,
      ...(detail === undefined ? {} : { detail }),
      ...(delay === undefined ? {} : { delay }),
    });
    if (delay === undefined) message.ack();
    else message.putBack(delay);
  };

  return {
    conclude,
    publishDead,
    async yieldOrGiveUp(inHand, claim, result) {
      const { line, message, delivery } = inHand;
      const lastedMs = line.gate.outageMs() ?? 0;
      const isOld = clock.now() - delivery.receivedAt >= options.giveUpAfterMs;
      if (!signal.aborted && lastedMs >= options.giveUpAfterMs && isOld) {
        await conclude(inHand, claim, { ...result, verdict: 'dead' });
        return true;
      }
      // From now on another forwarder may claim it at once.
      const giveBack = () => claim.record('retry', claim.attempts);
      if (!signal.aborted) {
        await giveBack();
        return false;
      }
      await untilRecorded(giveBack);
      message.putBack(0);
      return true;
    },
    noteUnsent(delivery) {
      const note = {
        kind: 'attempt',
        sequence: delivery.sequence,
        time: clock.now(),
        target: '',
        attempt: 1,
        milliseconds: 0,
        outcome: 'no-target',
        verdict: 'forwarded',
        finishes: true,
      } as const;
      journal.mark(note);
      onActivity({ ...note, delivery });
    },
  };
}
