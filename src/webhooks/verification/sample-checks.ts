// Sends a sample of each event, and stops early once it is clear that the receiver accepts none. Summarizes which were accepted, and
// what the rejected ones have in common.

import { deliveryHeaders, rejectionHeader } from '#contract/delivery.ts';
import type { EventName } from '#contract/event.ts';
import { joinWithAnd } from '#contract/format-list.ts';
import { sign } from '#contract/signature.ts';
import { randomUuid } from '#random-values.ts';
import type { World } from '#world/world.ts';
import { type CheckResult, failed, fixes, notChecked, type Problem, passed, warned } from './check-result.ts';
import { secretFix } from './handshake-checks.ts';
import { headerOf, type Receiver, type Reply } from './receiver-exchange.ts';
import { findRejectionCause } from './rejection-cause.ts';
import { isDelivered, problemOf } from './response-meaning.ts';
import { eventsToSend, hasTaskId, type SampleEvent, sampleEvent, toBody } from './sample-delivery.ts';
import type { VerifyTarget } from './verify-flags.ts';

/** After this many equal failures, the rest would fail too. */
const maxEqualFailures = 3;
/** Stops after this many timeouts: each takes the whole time limit. */
const maxTimeouts = 2;

export interface EventOutcome {
  readonly event: EventName;
  readonly problem: Problem | undefined;
  /** True if deliveries may be signed and the sample was not: the problem then proves nothing. */
  readonly isUnsure: boolean;
  readonly ms: number;
}

interface SampleRun {
  readonly receiver: Receiver;
  readonly target: VerifyTarget;
  readonly isShort: boolean;
  /** True if the receiver has proved in the handshake that it has the secret. */
  readonly isSecretRight: boolean;
}

export async function sendSamples({ clock }: Pick<World, 'clock'>, run: SampleRun) {
  const { receiver, target } = run;
  const outcomes: EventOutcome[] = [];
  let timeouts = 0;
  for (const event of eventsToSend(target, run.isShort)) {
    const reply = await receiver.deliver(toBody(sampleEvent(event, target, clock.now())));
    const problem = problemOf(reply);
    outcomes.push({ event, problem, ms: reply.ms, isUnsure: isUnsure(run, reply) });
    if ('fault' in reply.result) timeouts++;
    if (timeouts >= maxTimeouts) break;
    if (outcomes.length === maxEqualFailures && areAlike(outcomes)) break;
  }
  return explainAll(run, outcomes);
}

function areAlike(outcomes: readonly EventOutcome[]): boolean {
  return outcomes.every(({ problem }) => problem !== undefined && problem.why === outcomes[0]?.problem?.why);
}

function isUnsure({ target }: SampleRun, reply: Reply): boolean {
  const { result } = reply;
  if (target.secret !== undefined || target.isSigned === false || 'fault' in result) return false;
  return headerOf(reply, rejectionHeader) === 'no-signature' || [400, 401, 403].includes(result.status);
}

/** If no sample was accepted, the cause has nothing to do with the events. */
async function explainAll(run: SampleRun, outcomes: readonly EventOutcome[]) {
  const { receiver, target, isSecretRight } = run;
  const { secret } = target;
  const [first] = outcomes;
  if (!first || !areAlike(outcomes)) return outcomes;
  if (first.isUnsure) {
    const why = `${first.problem?.why ?? ''}; the sample was not signed, since the secret is unknown`;
    return outcomes.map((outcome) => ({ ...outcome, problem: { why, fix: secretFix } }));
  }
  if (secret === undefined) return outcomes;
  const body = toBody(sampleEvent(first.event, target, 0));
  const reply = await receiver.deliver(body);
  const headers = { 'Idempotency-Key': 'wm-webhook-verify' };
  const problem = await findRejectionCause(receiver, { body, headers, reply, secret, isSecretRight });
  return problem ? outcomes.map((outcome) => ({ ...outcome, problem })) : outcomes;
}

/** One line for the accepted samples, and one for each kind of problem. */
export function eventResults(outcomes: readonly EventOutcome[]): readonly CheckResult[] {
  const groups = new Map<string | undefined, EventOutcome[]>();
  for (const outcome of outcomes) {
    const why = outcome.problem?.why;
    groups.set(why, [...(groups.get(why) ?? []), outcome]);
  }
  return [...groups.values()].map((group) => {
    const check = nameEvents(group.map(({ event }) => event));
    const ms = Math.max(...group.map((outcome) => outcome.ms));
    const [first] = group;
    const accepted = group.length === 1 ? 'accepted' : `${group.length} kinds accepted`;
    if (!first?.problem) return passed(check, accepted, ms);
    if (first.isUnsure) return { check, outcome: 'not-checked', ...first.problem, ms };
    return failed(check, first.problem, ms);
  });
}

const mostNamed = 3;

function nameEvents(events: readonly EventName[]): string {
  if (events.length <= mostNamed) return `event ${joinWithAnd(events)}`;
  return `event ${events.slice(0, mostNamed - 1).join(', ')} and ${events.length - mostNamed + 1} more`;
}

export function taskIdResult(outcomes: readonly EventOutcome[]): CheckResult {
  const check = 'events without taskId';
  const without = outcomes.filter(({ event }) => !hasTaskId(event));
  const first = without.find(({ problem }) => problem !== undefined);
  if (without.length === 0) return notChecked(check, 'the webhook delivers none');
  if (first === undefined) return passed(check);
  if (outcomes.some(({ event, problem }) => hasTaskId(event) && problem === undefined))
    return failed(check, {
      ...first.problem,
      why: `the receiver handles events with a taskId, and not those without, such as ${first.event}`,
      fix: 'Ignore events that the receiver does not handle, and respond to them with 200.',
    });
  return notChecked(check, 'no event is accepted');
}

/** More than the 100 kB that some body parsers accept by default; a few large comments reach it. */
const largeCharacters = 250_000;

/** `meaning`: of a rejection, shown before the response. */
const variations = [
  {
    check: 'spaces in the body',
    // The same event in other bytes: a signature of the parsed and re-encoded body does not match.
    body: (event: SampleEvent) => `${JSON.stringify([event], null, 2)}\n`,
    meaning:
      'the receiver does not accept JSON with line breaks, or computes the signature over what a parser made of it',
    fix: 'Compute the HMAC over the raw bytes of the body.',
  },
  {
    check: 'unknown field',
    body: (event: SampleEvent) => withAddedField(event, 'a field that the receiver does not know'),
    meaning: 'the receiver rejects fields that it does not know; the service may add fields at any time',
    fix: 'Ignore unknown fields.',
  },
  {
    check: 'large body',
    body: (event: SampleEvent) => withAddedField(event, 'x'.repeat(largeCharacters)),
    meaning: 'a body of 250 kB is too large for the receiver or a proxy before it',
    fix: fixes.bodyLimit,
  },
  {
    check: 'duplicate',
    body: toBody,
    meaning: 'the receiver rejects an event that it already has; the service may deliver an event twice',
    fix: fixes.duplicate,
  },
];

const withAddedField = (event: SampleEvent, note: string) =>
  toBody({ ...event, addedByTheService: { note } });

/** `event`: a sample that the receiver accepts; undefined if there is none. */
export async function checkVariations(receiver: Receiver, event: SampleEvent | undefined) {
  const results: CheckResult[] = [];
  for (const { check, body, meaning, fix } of variations) {
    // The large body has an unknown field.
    if (event === undefined || (check === 'large body' && results.at(-1)?.outcome !== 'ok')) {
      results.push(notChecked(check, event ? 'unknown fields are rejected' : 'no event is accepted'));
      continue;
    }
    const key = randomUuid(receiver);
    if (check === 'duplicate') await receiver.deliver(body(event), key);
    const reply = await receiver.deliver(body(event), key);
    const problem = problemOf(reply);
    results.push(
      problem
        ? failed(check, { ...problem, why: `${meaning} (${problem.why})`, fix }, reply.ms)
        : passed(check, undefined, reply.ms),
    );
  }
  return results;
}

/** A receiver that accepts and processes these accepts events from anyone. */
export async function checkForgedDelivery(receiver: Receiver, event: SampleEvent): Promise<CheckResult> {
  const check = 'forged delivery';
  const body = toBody(event);
  for (const [description, headers] of [
    ['a wrong signature', { [deliveryHeaders.signature]: sign(randomUuid(receiver), body) }],
    ['no signature', {}],
  ] as const) {
    const key = { [deliveryHeaders.idempotencyKey]: randomUuid(receiver) };
    const reply = await receiver.send(body, { ...key, ...headers });
    if (!('fault' in reply.result) && isDelivered(reply))
      return warned(check, {
        why: `it responds with ${reply.result.status} to ${description}: unless it discards it, anyone can send it events`,
        fix: `Compare ${deliveryHeaders.signature} with the HMAC of the body first.`,
      });
  }
  return passed(check);
}
