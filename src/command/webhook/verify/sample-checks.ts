// Sends a sample of each event, until it is clear that none is accepted.

import type { World } from '../../../world/world.ts';
import type { Problem } from './check-result.ts';
import type { EventOutcome } from './event-checks.ts';
import { secretFix } from './handshake-checks.ts';
import type { Receiver, Reply } from './receiver-exchange.ts';
import type { VerifyTarget } from './receiver-target.ts';
import { findRejectionCause } from './rejection-cause.ts';
import { problemOf } from './response-meaning.ts';
import { sampleEvent, toBody } from './sample-delivery.ts';
import { eventsToSend } from './sample-events.ts';

/** So many that fail alike: the rest would fail too. */
const enoughAlike = 3;
/** So many without a response: each costs the whole time limit. */
const enoughSilent = 2;

export interface SampleRun {
  readonly receiver: Receiver;
  readonly target: VerifyTarget;
  readonly limitMs: number;
  readonly isShort: boolean;
  /** The receiver has shown in the handshake that it has the secret. */
  readonly isSecretRight: boolean;
}

export async function sendSamples(
  { clock }: Pick<World, 'clock'>,
  run: SampleRun,
): Promise<readonly EventOutcome[]> {
  const { receiver, target, limitMs } = run;
  const outcomes: EventOutcome[] = [];
  let silent = 0;
  for (const event of eventsToSend(target, run.isShort)) {
    const body = toBody(sampleEvent(event, target.webhookId, clock.now()));
    const reply = await receiver.deliver(body);
    const problem = problemOf(reply, limitMs);
    outcomes.push({ event, problem, ms: reply.ms, ...unsure(run, reply) });
    if ('fault' in reply.result) silent++;
    if (silent >= enoughSilent) break;
    if (outcomes.length === enoughAlike && areAlike(outcomes)) break;
  }
  return explainAll(run, outcomes);
}

function areAlike(outcomes: readonly EventOutcome[]): boolean {
  return outcomes.every(({ problem }) => problem !== undefined && problem.why === outcomes[0]?.problem?.why);
}

function unsure({ target }: SampleRun, { result }: Reply): { readonly isUnsure?: true } {
  if (target.secret !== undefined || target.isSigned === false || 'fault' in result) return {};
  return [400, 401, 403].includes(result.status) ? { isUnsure: true } : {};
}

/** If none was accepted, there is a reason that has nothing to do with the events. */
async function explainAll(
  run: SampleRun,
  outcomes: readonly EventOutcome[],
): Promise<readonly EventOutcome[]> {
  const { receiver, target, limitMs, isSecretRight } = run;
  const { secret } = target;
  const [first] = outcomes;
  if (!first || !areAlike(outcomes)) return outcomes;
  if (first.isUnsure) return outcomes.map((one) => ({ ...one, problem: unsignedProblem(first.problem) }));
  if (secret === undefined) return outcomes;
  const body = toBody(sampleEvent(first.event, target.webhookId, 0));
  const headers = { 'Idempotency-Key': 'wm-webhook-verify' };
  const reply = await receiver.deliver(body);
  const problem = await findRejectionCause(receiver, {
    body,
    headers,
    reply,
    secret,
    limitMs,
    isSecretRight,
  });
  return problem ? outcomes.map((one) => ({ ...one, problem })) : outcomes;
}

function unsignedProblem(problem: Problem | undefined): Problem {
  return {
    why: `${problem?.why ?? ''}; the sample was not signed, since the secret is not known`,
    fix: secretFix,
  };
}
