// Reads an asynchronous job until it is done, with progress.

import type { Session } from '../../client/session.ts';
import { type AsyncJob, unfinishedJobStatuses } from '../../contract/batch-operation.ts';
import { operations } from '../../contract/operation.ts';
import { Failure } from '../../failure.ts';
import type { Context } from '../context.ts';
import { formatCommand } from '../format-command.ts';
import { createProgressLine } from '../progress-line.ts';

const firstWaitMs = 500;
const longestWaitMs = 10_000;

/** The job when it is done. `label` begins the line of progress: `1 of 3 requests`. */
export async function followJob(
  context: Context,
  session: Session,
  begun: AsyncJob,
  label: string,
): Promise<AsyncJob> {
  const { world, report, common } = context;
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
    for (let waitMs = firstWaitMs; isUnfinished(job); waitMs = Math.min(longestWaitMs, waitMs * 2)) {
      await world.clock.sleep(waitMs);
      const { records } = await session.send(operations.getAsyncJob, { jobId: job.id }, {});
      job = records[0] ?? job;
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

export function followHint(context: Context, jobId: string): string {
  return `The job goes on at the service. To follow it: ${formatCommand(context, `batch --job ${jobId}`)}`;
}
