// Decides when a delivery may be sent to a target: at any time, but during an outage only as an occasional probe. Probes do not count as
// attempts, because the delivery is not to blame.

import type { Clock, Random } from '#world/world.ts';
import type { OnActivity } from '../intake/delivery-journal.ts';
import { backoff } from './retry-delay.ts';
import type { AttemptResult, Target } from './target.ts';

/** The longest delay between two probes of a target that cannot be reached. */
const maxProbeDelayMs = 30_000;

export interface GateOptions {
  readonly clock: Pick<Clock, 'now' | 'monotonic' | 'after'>;
  readonly random: Random;
  /** How long a delivery waits for an unavailable target. */
  readonly giveUpAfterMs: number;
  readonly onActivity: OnActivity;
}

interface Outage {
  readonly fault: string;
  /** When it began and when the next probe is due, on the monotonic clock. */
  readonly since: number;
  readonly nextProbeAt: number;
  /** How many attempts have not reached the target, and the result of the last one. */
  readonly failures: number;
  readonly lastResult: AttemptResult;
  /** Old deliveries are given up. */
  readonly isTooLong: boolean;
}

export type TargetGate = ReturnType<typeof createTargetGate>;

export function createTargetGate(
  target: Pick<Target, 'name'>,
  { clock, random, giveUpAfterMs, onActivity }: GateOptions,
  onProbeDue: () => void,
) {
  let outage: Outage | undefined;
  let isProbeDue = false;
  let cancelProbe = () => {};
  /** Changes when an outage begins or ends, which makes the results of older attempts out of date. */
  let era = 0;
  const setOutage = (next: Outage | undefined) => {
    const isChange = (outage === undefined) !== (next === undefined);
    outage = next;
    if (!isChange) return;
    era += 1;
    onActivity({ kind: 'target', target: target.name, fault: outage?.fault });
  };
  const fail = (lastResult: AttemptResult) => {
    const now = clock.monotonic();
    const { outcome, detail = outcome } = lastResult;
    const { fault = detail, since = now, failures: earlier = 0 } = outage ?? {};
    const failures = earlier + 1;
    const delay = backoff(failures, maxProbeDelayMs, random);
    isProbeDue = false;
    const isTooLong = now - since >= giveUpAfterMs;
    setOutage({ fault, since, failures, lastResult, isTooLong, nextProbeAt: now + delay });
    cancelProbe();
    cancelProbe = clock.after(delay, () => {
      isProbeDue = true;
      onProbeDue();
    });
  };
  return {
    outage: () => outage,
    isOpen: () => outage === undefined || isProbeDue,
    /** Begins an attempt through the open gate. Call the function with its result, or without one if nothing was sent. */
    enter() {
      const eraAtStart = era;
      isProbeDue = false;
      return (result?: AttemptResult) => {
        if (eraAtStart !== era) return;
        if (result === undefined) isProbeDue = true;
        else if (result.verdict === 'unavailable') fail(result);
        else setOutage(undefined);
      };
    },
    /** Lets the next probe through at once. */
    probeNow() {
      if (outage === undefined) return;
      isProbeDue = true;
      onProbeDue();
    },
    /** Whether a delivery of this time has waited too long for the end of the outage. */
    givesUp: (receivedAt: number) => outage?.isTooLong === true && clock.now() - receivedAt >= giveUpAfterMs,
    stop: () => cancelProbe(),
  };
}
