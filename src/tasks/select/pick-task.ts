// Lets the user pick a task: one of their open tasks, or one of several with the same title.

import type { Context } from '#cli/context.ts';
import { usageError } from '#failure.ts';
import type { Entry } from '#terminal/picker/entry.ts';
import { formatRelativeTime } from '#terminal/relative-time.ts';
import { sanitizeLine } from '#terminal/sanitize.ts';
import type { NameOf } from '../display/columns.ts';
import type { FoundTask } from '../names/name-lists.ts';
import { readOpenTasks } from './find-tasks.ts';
import { canPick, missingTask, parseTaskText } from './task-text.ts';

/** A task. It has a title if the user named it by title or picked it, and so may not know its id. */
export interface NamedTask {
  readonly id: string;
  readonly title?: string;
}

/** `among`: the tasks that it was found with. A title that another one has too names neither. */
export function toNamed({ id, title }: FoundTask, among: readonly FoundTask[]): NamedTask {
  const isUnique = !among.some((other) => other.id !== id && other.title === title);
  return title === undefined || !isUnique ? { id } : { id, title };
}

/** What names the task in a hint: its title as it is now if the user named it so, and if it works as printed in every shell. */
export function operandFor(named: NamedTask, title = named.title): string {
  if (named.title === undefined || title === undefined) return named.id;
  const isSafe = /^[\p{L}\p{N}][\p{L}\p{N} .,:_()-]{0,79}$/u.test(title);
  return isSafe && parseTaskText(title).id === undefined ? title : named.id;
}

/** `verb`: the command's word after `task`. Throws a usage failure if the user cannot be prompted. */
export async function pickOpenTask(context: Context, verb: string): Promise<NamedTask> {
  if (!canPick(context)) throw missingTask(context, verb);
  const [{ tasks, areOwn }, folderName] = await Promise.all([readOpenTasks(context), readFolders(context)]);
  if (tasks.length === 0)
    throw usageError('No open tasks to pick from', missingTask(context, verb).wholeHint);
  if (!areOwn)
    await context.report.info('No open task is assigned to you. These are all open tasks that you can see.');
  const entries = toTaskEntries(tasks, folderName, context.world.clock.now());
  const picked = await context.prompt('ID', (prompt) => prompt.pick(`Which task to ${verb}?`, entries));
  return toNamed(picked, tasks);
}

/** Throws a usage failure that lists the tasks if the user cannot be prompted. */
export async function pickAmong(
  context: Context,
  title: string,
  found: readonly FoundTask[],
): Promise<FoundTask> {
  const folderName = await readFolders(context);
  const heading = `${found.length} tasks have the title ${JSON.stringify(title)}`;
  if (!canPick(context)) throw usageError(heading, listCandidates(found, folderName));
  const entries = toTaskEntries(found, folderName, context.world.clock.now());
  return context.prompt('ID', (prompt) => prompt.pick(`${heading}. Which?`, entries));
}

/** Loaded when it is needed: it loads the HTTP client, which a usage error does without. */
async function readFolders(context: Context): Promise<NameOf> {
  return (await import('../display/names.ts')).readFolderNames(context);
}

const mostListed = 20;

function listCandidates(found: readonly FoundTask[], folderName: (id: string) => string | undefined): string {
  const lines = found.slice(0, mostListed).map(({ id, status, folderIds }) => {
    const folders = folderIds.map((one) => folderName(one) ?? one).join(', ');
    // A line break in a title would begin what looks like another candidate.
    return sanitizeLine(`  ${id}  ${status ?? ''}  ${folders === '' ? '' : `in ${folders}`}`.trimEnd());
  });
  const more = found.length > mostListed ? [`  and ${found.length - mostListed} more`] : [];
  return ['Give the id of the one that you mean:', ...lines, ...more].join('\n');
}

/**
 * Shows each task's title, folder and age. Ids appear only where two tasks have the same title, but the filter always
 * matches them.
 */
function toTaskEntries(
  tasks: readonly FoundTask[],
  folderName: NameOf,
  now: number,
): readonly Entry<FoundTask>[] {
  const titles = tasks.map(({ title }) => title);
  const hasTwins = new Set(titles).size < titles.length;
  return tasks.map((task) => ({
    title: task.title ?? task.id,
    details: [
      ...(hasTwins ? [task.id] : []),
      task.folderIds.flatMap((id) => folderName(id) ?? []).join(', '),
      formatAge(task.updatedDate, now),
    ],
    search: [task.id],
    value: task,
  }));
}

function formatAge(updated: string | undefined, now: number): string {
  const at = Date.parse(updated ?? '');
  return Number.isNaN(at) ? '' : `updated ${formatRelativeTime(at, now)}`;
}
