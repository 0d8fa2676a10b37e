// Checks the way in by sending a handshake to the public URL. The response must be signed, and the request must arrive at this process;
// otherwise deliveries do not reach this receiver.

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
  /** The response is right, but the request has not arrived at this process. */
  | { readonly kind: 'elsewhere' }
  | { readonly kind: 'failed'; readonly problem: Problem };

export type Prober = ReturnType<typeof createProber>;

interface ProberOptions extends Pick<ReceiverOptions, 'allowAddress'> {
  /** Returns a secret that the receiver's handler accepts. */
  readonly secret: () => string;
}

/** Generous, because a tunnel may be slow and the service's own time limit is unknown. */
const timeoutMs = 10_000;

export function createProber(world: Pick<World, 'http' | 'clock'>, { secret, ...options }: ProberOptions) {
  const pending = new Map<string, { hasArrived: boolean }>();
  return {
    /** Tells the receiver's handler whether the challenge is from a probe. */
    recognize(challenge: string) {
      const entry = pending.get(challenge);
      if (entry) entry.hasArrived = true;
      return entry !== undefined;
    },
    async probe(url: string): Promise<ProbeOutcome> {
      const challenge = createChallenge();
      const entry = { hasArrived: false };
      const key = secret();
      pending.set(challenge, entry);
      try {
        const receiver = createReceiver(world, { url, secret: key, timeoutMs, ...options });
        const reply = await sendHandshake(receiver, key, challenge);
        const problem = problemOf(reply, timeoutMs) ?? problemOfResponse(reply, key, challenge);
        if (problem) return { kind: 'failed', problem };
        return { kind: entry.hasArrived ? 'ok' : 'elsewhere' };
      } finally {
        pending.delete(challenge);
      }
    },
  };
}
