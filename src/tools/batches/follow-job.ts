// Reads an asynchronous job until it is done, with progress.

import type { Context } from '#cli/context.ts';
import { flagWords, formatCommandWith } from '#cli/format-command.ts';
import { createProgressLine } from '#cli/progress-line.ts';
import type { Session } from '#client/session.ts';
import { type AsyncJob, unfinishedJobStatuses } from '#contract/batch-operation.ts';
import { isIdentifier } from '#contract/identifier.ts';
import { operations } from '#contract/operation.ts';
import { formatValue } from '#contract/schema.ts';
import { commandHint, Failure, type Hint } from '#failure.ts';

const firstWaitMs = 500;
const longestWaitMs = 10_000;
/** A job may show nothing at first. One that still shows nothing after these reads, which take a minute, never will. */
const mostReadsWithoutSign = 10;

export const lookFirst = 'Look for what they have created before you send them again.';

/** Throws a Failure if the service shows another job, which says nothing about this one. */
export async function readJob(session: Session, jobId: string): Promise<AsyncJob> {
  const { records } = await session.send(operations.getAsyncJob, { jobId }, {});
  const [job] = records;
  if (job?.id === jobId) return job;
  throw new Failure('bad_response', {
    message: `The service was asked for job ${jobId}, and shows ${job === undefined ? 'none' : formatValue(job.id)}`,
  });
}

/** The job when it is done. `label` begins the line of progress: `1 of 3 requests`. */
export async function followJob(
  context: Context,
  session: Session,
  begun: AsyncJob,
  label: string,
): Promise<AsyncJob> {
  const { world, report, common } = context;
  if (isUnfinished(begun) && !isIdentifier('JobId', begun.id))
    throw new Failure('bad_response', {
      message: `The job cannot be followed: ${formatValue(begun.id)} is no id of a job`,
      hint: lookFirst,
    });
  let job = begun;
  const started = world.clock.monotonic();
  const progress = createProgressLine(world.clock, {
    errors: world.streams.errors,
    report,
    quiet: common.quiet === true,
    firstMs: 1000,
    format() {
      const seconds = Math.round((world.clock.monotonic() - started) / 1000);
      const percent = job.progressPercent === undefined ? '' : `, ${Math.round(job.progressPercent)} %`;
      return `${label}: job ${job.id} ${job.status ?? 'no status'}${percent}, ${seconds} s`;
    },
  });
  try {
    let readsWithoutSign = 0;
    for (let waitMs = firstWaitMs; isUnfinished(job); waitMs = Math.min(longestWaitMs, waitMs * 2)) {
      await world.clock.sleep(waitMs);
      job = await readJob(session, begun.id);
      readsWithoutSign = job.status === undefined && job.results === undefined ? readsWithoutSign + 1 : 0;
      if (readsWithoutSign >= mostReadsWithoutSign)
        throw new Failure('bad_response', {
          message: `The service shows neither a status nor results of job ${job.id}`,
        });
    }
    return job;
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    throw error.with({ hint: followHint(context, begun.id) });
  } finally {
    await progress.end();
  }
}

/** Without a status, what counts is whether there are results. */
function isUnfinished({ status, results }: AsyncJob): boolean {
  return status === undefined ? results === undefined : unfinishedJobStatuses.includes(status);
}

/** The id is text of the service: without the form of an id, it is in no command. */
export function followHint(context: Context, jobId: string): Hint {
  if (!isIdentifier('JobId', jobId)) return lookFirst;
  return commandHint(
    'The job goes on at the service. To follow it: ',
    formatCommandWith(context, 'batch', [], ...flagWords('--job', jobId)),
  );
}
