// A claim that this process holds: it renews the claim while it sends, and records the result. Another forwarder may take the claim over
// once it is void, so each write finds out whether this process still has it.

import type { Clock, NatsFault } from '../../world/world.ts';
import type { Known, Progress, Step } from './sink-progress.ts';
import type { SinkRecords } from './sink-records.ts';

/** `lost`: another forwarder has taken over. */
export type ClaimWrite = 'recorded' | 'lost' | NatsFault;

export interface Claim {
  /** How many attempts there were before. */
  readonly attempts: number;
  /** Whether it may still be sent: false if this process may have stood still for so long that another has it. */
  isFresh(): boolean;
  renew(): Promise<ClaimWrite>;
  /** Records the result of the attempt. If the claim is lost, the result is not recorded. */
  record(
    state: Exclude<Progress['state'], 'claimed'>,
    attempts: number,
    /** Before the next attempt. */
    waitMs?: number,
  ): Promise<ClaimWrite>;
}

export interface HeldClaim {
  readonly records: Pick<SinkRecords, 'last' | 'write'>;
  readonly clock: Pick<Clock, 'monotonic'>;
  readonly consumer: string;
  readonly holdMs: number;
  /** The record of the claim, as it was written. */
  readonly claimed: Step;
  readonly written: Known;
  /** When writing it began, on the monotonic clock. */
  readonly since: number;
}

export function holdClaim({ records, clock, consumer, holdMs, claimed, written, since }: HeldClaim): Claim {
  /** The last record of this process. */
  let ours = written;
  /** After a renewal without a response: it may be stored, now or later. */
  let mayBeRenewed = false;
  let isEnding = false;
  let renewedAt = since;
  const { sequence, attempt, holder } = claimed;
  /** One write after the other: each has to know the one before it. */
  let writing: Promise<unknown> = Promise.resolve();
  const inTurn = <T>(run: () => Promise<T>): Promise<T> => {
    const result = writing.then(run);
    writing = result.catch(() => {});
    return result;
  };
  const isFresh = () => clock.monotonic() - renewedAt < holdMs / 2;
  const write = async (step: Step): Promise<ClaimWrite> => {
    const isRenewal = step.state === 'claimed';
    for (;;) {
      // Nobody takes a claim over before it is void. Until then only a renewal can have been stored before a result.
      const needsLook = () => isRenewal || mayBeRenewed || !isFresh();
      const stored = await records.write(consumer, step, ours, needsLook);
      if (!('fault' in stored)) {
        ours = stored;
        mayBeRenewed = false;
        return 'recorded';
      }
      if (stored.fault !== 'conflict') {
        mayBeRenewed ||= isRenewal;
        return stored;
      }
      const found = await records.last(consumer, true);
      if ('fault' in found) return found;
      if (found.progress?.holder !== holder || found.progress.sequence !== sequence) return 'lost';
      if (isRenewal && found.progress.state !== 'claimed') return 'lost';
      ours = found;
    }
  };
  return {
    attempts: attempt,
    isFresh,
    renew: () =>
      inTurn(async () => {
        // Its time may come while the result is being recorded.
        if (isEnding) return 'lost';
        const start = clock.monotonic();
        const result = await write(claimed);
        if (result === 'recorded') renewedAt = start;
        return result;
      }),
    record(state, attempts, waitMs) {
      isEnding = true;
      const result = { ...claimed, state, attempt: attempts, ...(waitMs === undefined ? {} : { waitMs }) };
      return inTurn(() => write(result));
    },
  };
}
