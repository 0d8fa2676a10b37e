// A due date alone moves a milestone, but turns any other task into a milestone. So the task is read before the update is sent;
// if it cannot be read, --milestone is required.

import type { Context } from '#cli/context.ts';
import { onlyRecord } from '#client/expected-records.ts';
import { type ShownDates, type Task, type TaskDates, taskOperations } from '#contract/task.ts';
import { Failure, usageError } from '#failure.ts';
import { formatDates } from '../display/columns.ts';

/** Reading the task only saves typing a flag, so it does not wait for long. */
const readTimeoutMs = 10_000;

export interface KnownTask {
  /** The task, if it was read already. */
  readonly knownTask?: Task;
  /** False if the user was asked for its start already. */
  readonly mayPrompt?: boolean;
}

/** The dates of a milestone, or dates that the user picks on a terminal for a planned task. Throws a usage failure otherwise. */
export async function datesWithDueAlone(
  context: Context,
  id: string,
  dates: TaskDates,
  { knownTask, mayPrompt = true }: KnownTask,
): Promise<TaskDates> {
  const { isDryRun } = context;
  const task = knownTask ?? (await readForDates(context, id, isDryRun));
  const { due = '' } = dates;
  if (task instanceof Failure)
    throw usageError(
      `A due date alone (${due}) would turn a planned task into a milestone`,
      `If the task has a start, keep it: --due ${due} --keep-start. To make it a milestone: --due ${due} --milestone`,
      `cannot check whether it is already a milestone: ${task.message}`,
    );
  const now = task.dates ?? {};
  if (now.type === 'Milestone') return dates;
  const keepsStart = startToKeep(now, dates) !== undefined;
  const problem = `A due date alone (${due}) would turn ${id} into a milestone; it is now ${formatDates(now) || 'without dates'}`;
  if (mayPrompt && context.canPrompt && !isDryRun && now.start !== undefined)
    return { ...dates, start: await pickStart(context, problem, due, now.start, now.due) };
  throw usageError(
    problem,
    `To keep it planned: ${keepsStart ? '' : '--start DATE '}--due ${due}${keepsStart ? ' --keep-start' : ''}. To make it a milestone: --due ${due} --milestone`,
    'the service drops the start and the duration of a milestone',
  );
}

/** The start of the task that --keep-start keeps; undefined for a milestone, or if there is none before the due date. */
export function startToKeep({ type, start }: ShownDates, { due = '' }: TaskDates): string | undefined {
  const isKept = type !== 'Milestone' && start !== undefined && start.slice(0, 10) <= due.slice(0, 10);
  return isKept ? start : undefined;
}

/** Keeps the start, or moves it by as many days as the due date. */
async function pickStart(context: Context, problem: string, due: string, start: string, dueNow = due) {
  const dayOf = (date: string) => Date.parse(`${date.slice(0, 10)}T00:00:00Z`);
  const shiftMs = dayOf(due) - dayOf(dueNow);
  const moved = `${new Date(dayOf(start) + shiftMs).toISOString().slice(0, 10)}${start.slice(10)}`;
  await context.report.info(`${problem}.`);
  const picked = await context.prompt('--keep-start', (prompt) =>
    prompt.pick('What about its start?', [
      ...(dayOf(start) <= dayOf(due) ? [{ title: `Keep it: ${start}`, value: start }] : []),
      ...(shiftMs === 0 ? [] : [{ title: `Move it as well: ${moved}`, value: moved }]),
      { title: 'Cancel: change nothing', value: undefined },
    ]),
  );
  if (picked === undefined) throw usageError('Not confirmed; nothing was done');
  return picked;
}

/** The dates with the start that the task has now, unless it is a milestone. Throws a usage failure if the task has no start. */
export async function withStartOf(
  context: Pick<Context, 'session' | 'timeoutMs'>,
  id: string,
  dates: TaskDates,
  knownTask?: Task | Failure,
): Promise<TaskDates> {
  const task = knownTask ?? (await readForDates(context, id));
  if (task instanceof Failure) throw task;
  const { due = '' } = dates;
  const { type, start } = task.dates ?? {};
  if (type === 'Milestone') return dates;
  const hint = `Give --start with --due. To make it a milestone: --due ${due} --milestone`;
  if (start === undefined) throw usageError(`${id} has no start to keep`, hint);
  if (start.slice(0, 10) > due.slice(0, 10)) throw usageError(`${id} starts ${start}, after ${due}`, hint);
  return { ...dates, start };
}

/** `isDryRun`: no update follows that would fail too. */
async function readForDates(context: Pick<Context, 'session' | 'timeoutMs'>, id: string, isDryRun = false) {
  try {
    const session = await context.session();
    const timeoutMs = Math.min(readTimeoutMs, context.timeoutMs);
    return onlyRecord(await session.send(taskOperations.getTasks, { taskIds: id }, {}, timeoutMs));
  } catch (error) {
    // Any other failure, such as an unknown id, would make the update fail too.
    if (error instanceof Failure && (isDryRun || error.meaning.retry !== 'never')) return error;
    throw error;
  }
}
