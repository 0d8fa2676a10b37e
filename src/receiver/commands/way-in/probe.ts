// Checks the way in by sending a handshake to the public URL. The response must be signed, and this very process must have seen the
// request; otherwise deliveries do not reach this receiver.

import type { Problem } from '#webhooks/verification/check-result.ts';
import {
  createChallenge,
  problemOfResponse,
  sendHandshake,
} from '#webhooks/verification/handshake-checks.ts';
import { createReceiver, type ReceiverOptions } from '#webhooks/verification/receiver-exchange.ts';
import { problemOf } from '#webhooks/verification/response-meaning.ts';
import type { World } from '#world/world.ts';

export type ProbeOutcome =
  | { readonly kind: 'ok' }
  /** The response is right, but this process has not seen the request. */
  | { readonly kind: 'elsewhere' }
  | { readonly kind: 'failed'; readonly problem: Problem };

export type Prober = ReturnType<typeof createProber>;

interface ProberOptions extends Pick<ReceiverOptions, 'allowAddress'> {
  /** Returns a secret that the receiver's handler accepts. */
  readonly secret: () => string;
}

/** Generous, because a tunnel may be slow and the service's own time limit is unknown. */
const limitMs = 10_000;

export function createProber(world: Pick<World, 'http' | 'clock'>, { secret, ...options }: ProberOptions) {
  const pending = new Map<string, { isSeen: boolean }>();
  return {
    /** Tells the receiver's handler whether the challenge is from a probe. */
    recognize(challenge: string) {
      const own = pending.get(challenge);
      if (own) own.isSeen = true;
      return own !== undefined;
    },
    async probe(url: string): Promise<ProbeOutcome> {
      const challenge = createChallenge();
      const own = { isSeen: false };
      const key = secret();
      pending.set(challenge, own);
      try {
        const receiver = createReceiver(world, { url, secret: key, timeoutMs: limitMs, ...options });
        const reply = await sendHandshake(receiver, key, challenge);
        const problem = problemOf(reply, limitMs) ?? problemOfResponse(reply, key, challenge);
        if (problem) return { kind: 'failed', problem };
        return { kind: own.isSeen ? 'ok' : 'elsewhere' };
      } finally {
        pending.delete(challenge);
      }
    },
  };
}
