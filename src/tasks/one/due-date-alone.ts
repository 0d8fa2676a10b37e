// A due date alone moves a milestone, but turns any other task into one. So the task is read before the update is sent; where it
// cannot be read, --milestone is required.

import type { Context } from '#cli/context.ts';
import { operations } from '#contract/operation.ts';
import type { Task, TaskDates } from '#contract/task.ts';
import { Failure, usageError } from '#failure.ts';
import { formatDates } from '../display/columns.ts';
import { dueDateAloneError } from '../input/validate-update.ts';
import { onlyTask } from './read-task.ts';

/** Reading the task only saves typing a flag, so it does not wait for long. */
const readTimeoutMs = 10_000;

/**
 * Throws a usage failure unless the task is a milestone. `known`: the task, if it was read already. --dry-run and --curl read
 * nothing.
 */
export async function assertIsMilestone(
  context: Context,
  id: string,
  dates: TaskDates,
  known?: Task,
): Promise<void> {
  const { common } = context;
  if (common.dryRun || common.curl) throw dueDateAloneError(dates);
  const task = known ?? (await readForDates(context, id));
  if (task instanceof Failure) {
    throw dueDateAloneError(dates, `cannot check whether it is already a milestone: ${task.message}`);
  }
  const now = task.dates;
  if (now?.type === 'Milestone') return;
  const { due = '' } = dates;
  const keepsStart = now?.start !== undefined && now.start.slice(0, 10) <= due.slice(0, 10);
  throw usageError(
    `A due date alone (${due}) would turn ${id} into a milestone; it is now ${formatDates(now) || 'without dates'}`,
    `To keep it planned: --start ${keepsStart ? now.start : 'DATE'} --due ${due}. To make it a milestone: --due ${due} --milestone${keepsStart ? `\nTo keep the start that it has then: --due ${due} --keep-start` : ''}`,
    'the service drops the start and the duration of a milestone',
  );
}

/**
 * The dates with the start that the task has now, unless it is a milestone. Throws a usage failure where there is none to keep.
 * `known`: as above, or why it could not be read.
 */
export async function withStartOf(
  context: Pick<Context, 'session' | 'timeoutMs'>,
  id: string,
  dates: TaskDates,
  known?: Task | Failure,
): Promise<TaskDates> {
  const task = known ?? (await readForDates(context, id));
  if (task instanceof Failure) throw task;
  const { due = '' } = dates;
  const { type, start } = task.dates ?? {};
  if (type === 'Milestone') return dates;
  const hint = `Give --start with --due. To make it a milestone: --due ${due} --milestone`;
  if (start === undefined) throw usageError(`${id} has no start to keep`, hint);
  if (start.slice(0, 10) > due.slice(0, 10)) throw usageError(`${id} starts ${start}, after ${due}`, hint);
  return { ...dates, start };
}

async function readForDates(
  context: Pick<Context, 'session' | 'timeoutMs'>,
  id: string,
): Promise<Task | Failure> {
  try {
    const session = await context.session();
    const timeoutMs = Math.min(readTimeoutMs, context.timeoutMs);
    const { records } = await session.send(operations.getTasks, { taskIds: id }, {}, timeoutMs);
    return onlyTask(records, id);
  } catch (error) {
    // Any other failure, such as an unknown id, would make the update fail too.
    if (error instanceof Failure && error.meaning.retry !== 'never') return error;
    throw error;
  }
}
