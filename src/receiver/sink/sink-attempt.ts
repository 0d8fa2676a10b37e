// Sends a delivery under a claim, and renews the claim meanwhile. The attempt ends if the claim is lost.

import type { Clock } from '../../world/world.ts';
import type { AttemptResult, Target } from '../forwarding/target.ts';
import type { StoredDelivery } from '../stored-delivery.ts';
import type { Claim } from './held-claim.ts';
import type { Pass } from './sink-gate.ts';

export interface SinkAttempt {
  readonly clock: Pick<Clock, 'after'>;
  readonly target: Target;
  readonly claim: Claim;
  readonly delivery: StoredDelivery;
  /** Returned with what the attempt showed about the target. */
  readonly pass: Pass;
  readonly renewMs: number;
  readonly signal: AbortSignal;
}

/** After a renewal without a response. */
const againMs = 1_000;

/** `lost`: another forwarder has it now. */
export async function attemptFromSink({
  clock,
  target,
  claim,
  delivery,
  pass,
  renewMs,
  signal,
}: SinkAttempt): Promise<AttemptResult | 'lost'> {
  const ending = new AbortController();
  const end = () => ending.abort();
  signal.addEventListener('abort', end);
  let isLost = false;
  let isOver = false;
  let cancel = () => {};
  const renewAfter = (ms: number) => {
    cancel = clock.after(ms, () => {
      void claim.renew().then((renewed) => {
        if (isOver) return;
        if (renewed !== 'lost') return renewAfter(renewed === 'recorded' ? renewMs : againMs);
        isLost = true;
        end();
      });
    });
  };
  renewAfter(renewMs);
  const result = await target.send(delivery, claim.attempts + 1, ending.signal);
  isOver = true;
  cancel();
  signal.removeEventListener('abort', end);
  if (result.verdict === 'unavailable' && !ending.signal.aborted)
    pass.unreachable(result.detail ?? result.outcome);
  else if (ending.signal.aborted) pass.unused();
  else pass.reached();
  return isLost && result.verdict !== 'forwarded' ? 'lost' : result;
}
