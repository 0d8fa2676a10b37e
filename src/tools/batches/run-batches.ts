// Sends the operations, at most 100 per request, one request at a time, and reports the outcome of each. If a response is lost, its
// request may have created everything, so wm neither repeats it nor sends the next one.

import type { Context } from '#cli/context.ts';
import { countOf } from '#cli/count-of.ts';
import { onlyRecord } from '#client/expected-records.ts';
import type { Session } from '#client/session.ts';
import { type BatchOperation, batchOperations } from '#contract/batch-operation.ts';
import { limit } from '#contract/limit.ts';
import { Failure, hintText } from '#failure.ts';
import { checkFirst, followHint, followJob } from './follow-job.ts';
import {
  type BatchOutcome,
  type OperationOutcome,
  outcomeColumns,
  readOutcomes,
  toOutcomeJson,
  withOutcome,
} from './outcomes.ts';

export function splitIntoRequests(operations: readonly BatchOperation[]) {
  const max = limit.batchOperations;
  return Array.from({ length: Math.ceil(operations.length / max) }, (_, index) =>
    operations.slice(index * max, (index + 1) * max),
  );
}

type OutcomeCounts = Readonly<Record<BatchOutcome, number>>;

export async function printOutcomes(
  { report }: Context,
  outcomes: readonly OperationOutcome[],
  counts = { done: 0, failed: 0, unknown: 0, 'not-sent': 0 },
): Promise<OutcomeCounts> {
  for (const { outcome } of outcomes) counts[outcome]++;
  await report.each({ columns: outcomeColumns, records: outcomes, raw: outcomes.map(toOutcomeJson) });
  return counts;
}

/** Throws a Failure unless all operations are done. */
export async function runBatches(context: Context, operations: readonly BatchOperation[]): Promise<void> {
  const requests = splitIntoRequests(operations);
  const session = await context.session();
  const counts = { done: 0, failed: 0, unknown: 0, 'not-sent': 0 };
  let first = 1;
  for (const [index, sent] of requests.entries()) {
    const label = `${index + 1} of ${countOf(requests.length, 'request')}`;
    const { outcomes, failure } = await sendRequest(context, session, sent, first, label);
    await printOutcomes(context, outcomes, counts);
    first += sent.length;
    if (failure) {
      await printOutcomes(context, withOutcome('not-sent', first, operations.slice(first - 1)), counts);
      throw endedEarly(failure, counts);
    }
  }
  const failure = batchFailure(counts);
  if (failure) throw failure;
  await context.report.info(describe(counts));
}

/** `failure`: why no further request is sent. */
async function sendRequest(
  context: Context,
  session: Session,
  sent: readonly BatchOperation[],
  first: number,
  label: string,
): Promise<{ readonly outcomes: readonly OperationOutcome[]; readonly failure?: Failure }> {
  let jobId: string | undefined;
  context.onInterruptHint(() =>
    jobId === undefined
      ? 'Check what it created before you send it again.'
      : `Sent so far: operations 1 to ${first + sent.length - 1}. ${hintText(followHint(context, jobId))}`,
  );
  try {
    const startedJob = onlyRecord(await session.send(batchOperations.batch, {}, { operations: sent }));
    jobId = startedJob.id;
    const job = await followJob(context, session, startedJob, label);
    if ((job.results?.length ?? 0) > sent.length)
      throw new Failure('bad_response', {
        message: `The service shows ${job.results?.length} results for the ${sent.length} sent`,
        hint: checkFirst,
      });
    return { outcomes: readOutcomes(job, first, sent) };
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    // Once a job exists, only reading it can fail.
    const isUnknown = jobId !== undefined || error.meaning.changed !== 'no';
    if (!isUnknown) {
      const outcome = error.code === 'rejected' ? 'failed' : 'not-sent';
      return { outcomes: withOutcome(outcome, first, sent), failure: error };
    }
    const failure = new Failure('outcome_unknown', {
      message: `The outcome of operations ${first} to ${first + sent.length - 1} is unknown`,
      why: error.sentence,
      hint: jobId === undefined ? checkFirst : error.wholeHint,
      cause: error,
    });
    return { outcomes: withOutcome('unknown', first, sent), failure };
  }
}

/** Never reports an unknown outcome as a failure. If other operations were done, a failure becomes `part_failed`. */
function endedEarly(failure: Failure, counts: OutcomeCounts): Failure {
  if (failure.code === 'outcome_unknown' || counts.done === 0)
    return failure.with({ why: [failure.why, describe(counts)].filter(Boolean).join('; ') });
  return new Failure('part_failed', {
    message: `Ended early: ${describe(counts)}`,
    why: failure.sentence,
    hint: failure.wholeHint,
    cause: failure,
  });
}

export function batchFailure(counts: OutcomeCounts): Failure | undefined {
  if (counts.unknown > 0)
    return new Failure('outcome_unknown', {
      message: `The service does not report the outcome of every operation: ${describe(counts)}`,
      hint: checkFirst,
    });
  if (counts.failed === 0) return undefined;
  return new Failure('part_failed', {
    message: describe(counts),
    hint: 'The results show which, and why. Send only the failed operations again.',
  });
}

function describe(counts: OutcomeCounts): string {
  const total = Object.values(counts).reduce((sum, count) => sum + count, 0);
  const otherCounts = (['failed', 'unknown', 'not-sent'] as const).flatMap((outcome) =>
    counts[outcome] > 0 ? [`${counts[outcome]} ${outcome.replace('-', ' ')}`] : [],
  );
  return [`${counts.done} of ${countOf(total, 'operation')} done`, ...otherCounts].join(', ');
}
