// Claims a delivery that a consumer has handed out: the claim is a record of the consumer, and so is what came of it. The consumer alone is
// not enough: after the loss of a server it may hand out again what was settled, or what another forwarder is still sending.

import type { NatsConnection, NatsFault, NatsMessage } from '../../world/world.ts';
import { type ClaimWatchOptions, createClaimWatch, type Remaining } from './claim-watch.ts';
import { type Claim, holdClaim } from './held-claim.ts';
import { isSettled, type Known } from './sink-progress.ts';
import { createSinkRecords } from './sink-records.ts';

export type ClaimResult =
  | { readonly kind: 'claimed'; readonly claim: Claim }
  /** It has been forwarded, or is a dead letter. */
  | { readonly kind: 'settled' }
  /**
   * The next attempt is not due yet; or, with `isSending`, another forwarder may be sending it. Whoever asks again every `watchMs` gets it as
   * soon as that forwarder is gone.
   */
  | ({ readonly kind: 'taken' } & Remaining)
  | NatsFault;

export interface ClaimOptions extends ClaimWatchOptions {
  readonly nats: Pick<NatsConnection, 'publish' | 'read'>;
  readonly stream: string;
}

/** A delivery as the stream has it. */
export type Claimable = Pick<NatsMessage, 'sequence' | 'time'>;

/** One call for each consumer at a time. */
export interface Claims {
  claim(consumer: string, delivery: Claimable): Promise<ClaimResult>;
  /** The records of the consumer, with the one that wins. `isFresh`: as they are now, not as they were last known. */
  last(consumer: string, isFresh: boolean): Promise<Known | NatsFault>;
  /** Records that nothing is left to do up to this one, unless another process has written in the meantime. */
  skip(consumer: string, delivery: Claimable): Promise<void>;
}

export function createClaims(options: ClaimOptions): Claims {
  const { nats, clock, stream, holder, holdMs } = options;
  const records = createSinkRecords({ nats, clock, stream, believeMs: holdMs });
  const watch = createClaimWatch(options);

  return {
    last: records.last,
    async skip(consumer, { sequence, time: stored }) {
      const known = await records.last(consumer, false);
      if ('fault' in known || (known.progress?.sequence ?? 0) >= sequence) return;
      const step = { sequence, stored, attempt: 0, state: 'forwarded', holder } as const;
      await records.write(consumer, step, known);
    },
    async claim(consumer, { sequence, time: stored }) {
      for (let isFresh = false; ; isFresh = true) {
        const known = await records.last(consumer, isFresh);
        if ('fault' in known) {
          watch.interrupt(consumer);
          return known;
        }
        const before = known.progress;
        // A stream that was created again, or has lost its end, gives the same numbers to other, newer deliveries.
        const isSame = before?.sequence === sequence && before.stored === stored;
        if (
          before &&
          ((before.sequence > sequence && before.stored >= stored) || (isSame && isSettled(before)))
        )
          return { kind: 'settled' };
        // A delivery that another forwarder is sending comes first: it may be due before this one.
        if (before && !isSame && isFresh && before.state === 'claimed' && before.stored <= stored)
          return { kind: 'taken', forMs: 0, isSending: false };
        const remaining = before && isSame ? watch.look(consumer, known, before) : undefined;
        if (remaining && remaining.forMs > 0) {
          records.forget(consumer);
          return { kind: 'taken', ...remaining };
        }
        const attempt = before && isSame ? before.attempt : 0;
        const since = clock.monotonic();
        const claimed = { sequence, stored, attempt, state: 'claimed', holder } as const;
        const written = await records.write(consumer, claimed, known);
        if (!('fault' in written)) {
          const claim = holdClaim({ records, clock, consumer, holdMs, claimed, written, since });
          return { kind: 'claimed', claim };
        }
        if (written.fault !== 'conflict') return written;
      }
    },
  };
}
