// Sends a sample of each event, and stops early once it is clear that the receiver accepts none.

import { randomUUID } from 'node:crypto';
import { deliveryHeaders, rejectionHeader } from '#contract/delivery.ts';
import { sign } from '#contract/signature.ts';
import type { World } from '#world/world.ts';
import { type CheckResult, failed, fixes, notChecked, passed, warned } from './check-result.ts';
import type { EventOutcome } from './event-checks.ts';
import { secretFix } from './handshake-checks.ts';
import type { Receiver, Reply } from './receiver-exchange.ts';
import type { VerifyTarget } from './receiver-target.ts';
import { findRejectionCause } from './rejection-cause.ts';
import { isDelivered, problemOf } from './response-meaning.ts';
import {
  eventsToSend,
  type SampleEvent,
  sampleEvent,
  toBody,
  toSpacedBody,
  withLargeField,
  withUnknownField,
} from './sample-delivery.ts';

/** After this many equal failures, the rest would fail too. */
const maxEqualFailures = 3;
/** Stops after this many timeouts: each takes the whole time limit. */
const maxTimeouts = 2;

export interface SampleRun {
  readonly receiver: Receiver;
  readonly target: VerifyTarget;
  readonly limitMs: number;
  readonly isShort: boolean;
  /** True if the receiver has proved in the handshake that it has the secret. */
  readonly isSecretRight: boolean;
}

export async function sendSamples(
  { clock }: Pick<World, 'clock'>,
  run: SampleRun,
): Promise<readonly EventOutcome[]> {
  const { receiver, target, limitMs } = run;
  const outcomes: EventOutcome[] = [];
  let timeouts = 0;
  for (const event of eventsToSend(target, run.isShort)) {
    const body = toBody(sampleEvent(event, target, clock.now()));
    const reply = await receiver.deliver(body);
    const problem = problemOf(reply, limitMs);
    outcomes.push({ event, problem, ms: reply.ms, ...markUnsure(run, reply) });
    if ('fault' in reply.result) timeouts++;
    if (timeouts >= maxTimeouts) break;
    if (outcomes.length === maxEqualFailures && areAlike(outcomes)) break;
  }
  return explainAll(run, outcomes);
}

function areAlike(outcomes: readonly EventOutcome[]): boolean {
  return outcomes.every(({ problem }) => problem !== undefined && problem.why === outcomes[0]?.problem?.why);
}

function markUnsure({ target }: SampleRun, { result }: Reply): { readonly isUnsure?: true } {
  if (target.secret !== undefined || target.isSigned === false || 'fault' in result) return {};
  const isRejected = result.headers[rejectionHeader.toLowerCase()] === 'no-signature';
  return isRejected || [400, 401, 403].includes(result.status) ? { isUnsure: true } : {};
}

/** If no sample was accepted, the cause has nothing to do with the events. */
async function explainAll(
  run: SampleRun,
  outcomes: readonly EventOutcome[],
): Promise<readonly EventOutcome[]> {
  const { receiver, target, limitMs, isSecretRight } = run;
  const { secret } = target;
  const [first] = outcomes;
  if (!first || !areAlike(outcomes)) return outcomes;
  if (first.isUnsure) {
    const why = `${first.problem?.why ?? ''}; the sample was not signed, since the secret is unknown`;
    return outcomes.map((outcome) => ({ ...outcome, problem: { why, fix: secretFix } }));
  }
  if (secret === undefined) return outcomes;
  const body = toBody(sampleEvent(first.event, target, 0));
  const headers = { 'Idempotency-Key': 'wm-webhook-verify' };
  const reply = await receiver.deliver(body);
  const rejection = { body, headers, reply, secret, limitMs, isSecretRight };
  const problem = await findRejectionCause(receiver, rejection);
  return problem ? outcomes.map((outcome) => ({ ...outcome, problem })) : outcomes;
}

interface Variation {
  readonly check: string;
  readonly body: (event: SampleEvent) => string;
  /** The meaning of a rejection, shown before the response. */
  readonly meaning: string;
  readonly fix: string;
}

const spaced: Variation = {
  check: 'spaces in the body',
  body: toSpacedBody,
  meaning:
    'the receiver does not accept JSON with line breaks, or computes the signature over what a parser made of it',
  fix: 'Compute the HMAC over the raw bytes of the body.',
};
const unknownField: Variation = {
  check: 'unknown field',
  body: (event) => toBody(withUnknownField(event)),
  meaning: 'the receiver rejects fields that it does not know; the service may add fields at any time',
  fix: 'Ignore unknown fields.',
};
const large: Variation = {
  check: 'large body',
  body: (event) => toBody(withLargeField(event)),
  meaning: 'a body of 250 kB is too large for the receiver or a proxy before it',
  fix: fixes.bodyLimit,
};

const duplicate: Variation = {
  check: 'duplicate',
  body: toBody,
  meaning: 'the receiver rejects an event that it already has; the service may deliver an event twice',
  fix: fixes.duplicate,
};

export const variationNames = [spaced, unknownField, large, duplicate].map(({ check }) => check);

/** `event`: a sample that the receiver accepts. */
export async function checkVariations(
  receiver: Receiver,
  event: SampleEvent,
  limitMs: number,
): Promise<readonly CheckResult[]> {
  const spacedResult = await checkVariation(receiver, spaced, event, limitMs);
  const unknown = await checkVariation(receiver, unknownField, event, limitMs);
  // The large body has an unknown field.
  const largeResult =
    unknown.outcome === 'ok'
      ? await checkVariation(receiver, large, event, limitMs)
      : notChecked(large.check, 'unknown fields are rejected');
  const key = randomUUID();
  await receiver.deliver(duplicate.body(event), key);
  return [spacedResult, unknown, largeResult, await checkVariation(receiver, duplicate, event, limitMs, key)];
}

/** A receiver that accepts and processes these accepts events from anyone. */
export async function checkForgedDelivery(receiver: Receiver, event: SampleEvent): Promise<CheckResult> {
  const check = 'forged delivery';
  const body = toBody(event);
  for (const [description, headers] of [
    ['a wrong signature', { [deliveryHeaders.signature]: sign(randomUUID(), body) }],
    ['no signature', {}],
  ] as const) {
    const key = { [deliveryHeaders.idempotencyKey]: randomUUID() };
    const reply = await receiver.send(body, { ...key, ...headers });
    if (!('fault' in reply.result) && isDelivered(reply))
      return warned(check, {
        why: `it responds with ${reply.result.status} to ${description}: unless it discards it, anyone can send it events`,
        fix: `Compare ${deliveryHeaders.signature} with the HMAC of the body first.`,
      });
  }
  return passed(check);
}

async function checkVariation(
  receiver: Receiver,
  { check, body, meaning, fix }: Variation,
  event: SampleEvent,
  limitMs: number,
  key?: string,
): Promise<CheckResult> {
  const reply = await receiver.deliver(body(event), key);
  const problem = problemOf(reply, limitMs);
  const result = problem ? failed(check, { why: `${meaning} (${problem.why})`, fix }) : passed(check);
  return { ...result, ms: reply.ms };
}
