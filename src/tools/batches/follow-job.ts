// Follows an asynchronous job until it is done, and shows its progress.

import type { Context } from '#cli/context.ts';
import { flagWords, formatCommandWith } from '#cli/format-command.ts';
import { createProgressLine } from '#cli/progress-line.ts';
import { onlyRecord } from '#client/expected-records.ts';
import type { Session } from '#client/session.ts';
import { type AsyncJob, batchOperations, unfinishedJobStatuses } from '#contract/batch-operation.ts';
import { isIdentifier } from '#contract/identifier.ts';
import { formatValue } from '#contract/schema.ts';
import { commandHint, Failure, type Hint } from '#failure.ts';

const firstPollMs = 500;
const maxPollMs = 10_000;
/** A job may show nothing at first. After this many reads, which take a minute, it never will. */
const maxEmptyReads = 10;

export const checkFirst = 'Check what these operations have created before you send them again.';

export async function readJob(session: Session, jobId: string): Promise<AsyncJob> {
  return onlyRecord(await session.send(batchOperations.getAsyncJob, { jobId }, {}));
}

/** Resolves to the finished job. `label` begins the progress line: `1 of 3 requests`. */
export async function followJob(context: Context, session: Session, startedJob: AsyncJob, label: string) {
  const { world } = context;
  if (isUnfinished(startedJob) && !isIdentifier('JobId', startedJob.id))
    throw new Failure('bad_response', {
      message: `The job cannot be followed: ${formatValue(startedJob.id)} is not a job id`,
      hint: checkFirst,
    });
  let job = startedJob;
  const started = world.clock.monotonic();
  const describe = () => {
    const seconds = Math.round((world.clock.monotonic() - started) / 1000);
    const percent = job.progressPercent === undefined ? '' : `, ${Math.round(job.progressPercent)} %`;
    return `${label}: job ${job.id} ${job.status ?? 'no status'}${percent}, ${seconds} s`;
  };
  const progress = createProgressLine(context, describe, 1000);
  try {
    let emptyReads = 0;
    for (let pollMs = firstPollMs; isUnfinished(job); pollMs = Math.min(maxPollMs, pollMs * 2)) {
      await world.clock.sleep(pollMs);
      job = await readJob(session, startedJob.id);
      emptyReads = job.status === undefined && job.results === undefined ? emptyReads + 1 : 0;
      if (emptyReads >= maxEmptyReads)
        throw new Failure('bad_response', {
          message: `The service shows neither a status nor results of job ${job.id}`,
        });
    }
    return job;
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    throw error.with({ hint: followHint(context, startedJob.id) });
  } finally {
    await progress.end();
  }
}

/** Without a status, a job is finished once it has results. */
function isUnfinished({ status, results }: AsyncJob): boolean {
  return status === undefined ? results === undefined : unfinishedJobStatuses.includes(status);
}

/** The id comes from the service. A hint's command contains it only if it has the form of an id. */
export function followHint(context: Context, jobId: string): Hint {
  if (!isIdentifier('JobId', jobId)) return checkFirst;
  return commandHint(
    'The job continues on the service. To follow it: ',
    formatCommandWith(context, 'batch', [], ...flagWords('--job', jobId)),
  );
}
