// Checks the way in every minute. Reports when it fails and works again. Two failures in a row restart the tunnel.

import type { Context } from '#cli/context.ts';
import { sanitizeLines } from '#terminal/sanitize.ts';
import type { Problem } from '#webhooks/verification/check-result.ts';
import {
  createChallenge,
  problemOfResponse,
  sendHandshake,
} from '#webhooks/verification/handshake-checks.ts';
import { createReceiver, type ReceiverOptions } from '#webhooks/verification/receiver-exchange.ts';
import { problemOf } from '#webhooks/verification/response-meaning.ts';
import type { World } from '#world/world.ts';
import type { Tunnel } from './tunnel.ts';

/** The response is right, but the request has not arrived at this process. */
const elsewhere = {
  why: 'it leads to another receiver with the same secret',
  fix: 'End the other receiver or its tunnel, or give this one a URL of its own.',
};

/** Generous, because a tunnel may be slow and the service's own time limit is unknown. */
const timeoutMs = 10_000;

/**
 * Sends a handshake to the public URL. The response must be signed, and the request must arrive at this process; otherwise deliveries do
 * not reach this receiver. `secret`: returns one that the receiver's handler accepts.
 */
export function createProber(
  world: Pick<World, 'http' | 'clock' | 'randomBytes'>,
  secret: () => string,
  options: Pick<ReceiverOptions, 'allowAddress'>,
) {
  let last: { readonly challenge: string; hasArrived: boolean } | undefined;
  return {
    /** Tells the receiver's handler whether the challenge is from a probe. */
    recognize(challenge: string) {
      if (last?.challenge !== challenge) return false;
      last.hasArrived = true;
      return true;
    },
    /** Undefined if deliveries to the URL reach this receiver. */
    async probe(url: string): Promise<Problem | undefined> {
      const challenge = createChallenge(world);
      const sent = { challenge, hasArrived: false };
      last = sent;
      const key = secret();
      const receiver = createReceiver(world, { url, secret: key, timeoutMs, ...options });
      const reply = await sendHandshake(receiver, key, challenge);
      const problem = problemOf(reply) ?? problemOfResponse(reply, key, challenge);
      return problem ?? (sent.hasArrived ? undefined : elsewhere);
    },
  };
}

const intervalMs = 60_000;
/** The delay after a first failure, to find out whether it was momentary. */
const soonMs = 15_000;
/** The delay between checks at the start, while a new name spreads. */
const startMs = 5_000;
const startChecks = 12;
/** So many failures in a row are not a coincidence. */
export const failuresThatCount = 2;

/**
 * `url` returns the current one: a tunnel may get another. It should lead to `localAddress`: `127.0.0.1:8080`. `onCheck` is called after
 * each check with the number of failures in a row.
 */
export function createWayInWatch(
  { world, report }: Context,
  { probe }: ReturnType<typeof createProber>,
  url: () => string,
  localAddress: string,
  tunnel: Tunnel | undefined,
  onCheck: (failures: number) => Promise<void>,
) {
  const advice = tunnel
    ? 'wm restarts the tunnel if it happens again.'
    : `Check the tunnel or proxy in front of this receiver: it must forward to ${localAddress}.`;
  let failures = 0;
  let lastKind: 'ok' | 'elsewhere' | 'other' = 'ok';

  const check = async (isQuiet: boolean): Promise<boolean> => {
    const publicUrl = url();
    const problem = await probe(publicUrl);
    failures = problem ? failures + 1 : 0;
    if (!problem) tunnel?.confirm();
    const kind = !problem ? 'ok' : problem === elsewhere ? 'elsewhere' : 'other';
    if (isQuiet || kind === lastKind) return !problem;
    lastKind = kind;
    // The other hints are for a receiver that does not run.
    const fix = kind === 'elsewhere' ? elsewhere.fix : advice;
    if (problem)
      await report.warn(sanitizeLines(`Deliveries do not get here. ${publicUrl}: ${problem.why}.\n${fix}`));
    else await report.info(`The way in works again: ${publicUrl} reaches this receiver.`);
    return !problem;
  };
  return {
    /** Checks at once, then every few seconds, until deliveries arrive here. Resolves to false after a minute. */
    async awaitReachable(signal: AbortSignal) {
      for (let remaining = startChecks; !signal.aborted; remaining--) {
        if (await check(remaining > 1)) return true;
        if (remaining === 1) return false;
        await world.clock.sleep(startMs, signal);
      }
      return false;
    },
    async watch(signal: AbortSignal) {
      while (!signal.aborted) {
        await world.clock.sleep(failures === 1 ? soonMs : intervalMs, signal);
        if (signal.aborted) return;
        await check(false);
        if (failures > 0 && failures % failuresThatCount === 0) tunnel?.restart();
        await onCheck(failures);
      }
    },
  };
}

/** The webhook may name a path below the public URL. */
export function leadsTo(hookUrl: string, publicUrl: string): boolean {
  if (!URL.canParse(hookUrl) || !URL.canParse(publicUrl)) return false;
  return new URL(hookUrl).origin === new URL(publicUrl).origin;
}
