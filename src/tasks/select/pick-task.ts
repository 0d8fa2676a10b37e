// Lets the user pick a task: of their open tasks, or of several with the same title. Tasks in the recycle bin are left out.

import type { Context } from '#cli/context.ts';
import { readOrNone } from '#cli/read-pages.ts';
import type { Contact } from '#contract/read-only-records.ts';
import { Failure, usageError } from '#failure.ts';
import { formatRelativeTime } from '#terminal/relative-time.ts';
import { sanitizeLine } from '#terminal/sanitize.ts';
import type { NameOf } from '../display/columns.ts';
import { createNameLists, type FoundTask, listTasks, type TaskFilters } from '../names/name-lists.ts';
import { canPick, missingTask, parseTaskText } from './task-text.ts';

/** A task. It has a title if the user named it by title or picked it, and so may not know its id. */
export interface NamedTask {
  readonly id: string;
  readonly title?: string;
}

/** `candidates`: the tasks that it was found with. A title that several of them have names none of them. */
export function toNamed({ id, title }: FoundTask, candidates: readonly FoundTask[]): NamedTask {
  const isUnique = !candidates.some((other) => other.id !== id && other.title === title);
  return title === undefined || !isUnique ? { id } : { id, title };
}

/** The task in the command of a hint: its current title if the user named it by title, and if every shell takes it as printed. */
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
  let known: readonly FoundTask[] = tasks;
  const toEntries = (some: readonly FoundTask[]) =>
    toTaskEntries(some, folderName, context.world.clock.now());
  const readOthers = async () => {
    const ids = new Set(tasks.map(({ id }) => id));
    known = await readOrNone(async () => listTasks(await context.session()));
    const others = known.filter(({ id }) => !ids.has(id));
    return toEntries(others).map((entry) => ({ ...entry, isOnlyFound: 'otherwise' as const }));
  };
  const question = `Which task to ${verb} (${areOwn ? 'your' : 'all'} open tasks)?`;
  const picked = await context.prompt('ID', (prompt) => prompt.pick(question, toEntries(tasks), readOthers));
  return toNamed(picked, known);
}

/** Throws a usage failure that lists the tasks if the user cannot be prompted. */
export async function pickAmong(context: Context, title: string, tasks: readonly FoundTask[]) {
  const folderName = await readFolders(context);
  const heading = `${tasks.length} tasks have the title ${JSON.stringify(title)}`;
  if (!canPick(context)) throw usageError(heading, listCandidates(tasks, folderName));
  const entries = toTaskEntries(tasks, folderName, context.world.clock.now());
  return context.prompt('ID', (prompt) => prompt.pick(`${heading}. Which?`, entries));
}

/** Loads the HTTP client, which a usage error does not need. */
async function readFolders(context: Context): Promise<NameOf> {
  return (await import('../display/names.ts')).readFolderNames(context);
}

const maxListed = 20;

function listCandidates(tasks: readonly FoundTask[], folderName: NameOf): string {
  const lines = tasks.slice(0, maxListed).map(({ id, status, parentIds = [] }) => {
    const folders = parentIds.map((folderId) => folderName(folderId) ?? folderId).join(', ');
    // A line break in a title would begin what looks like another candidate.
    return sanitizeLine(`  ${id}  ${status ?? ''}  ${folders === '' ? '' : `in ${folders}`}`.trimEnd());
  });
  const more = tasks.length > maxListed ? [`  and ${tasks.length - maxListed} more`] : [];
  return ['Give the id of the one that you mean:', ...lines, ...more].join('\n');
}

/** Shows an id only beside an equal title, but the filter always matches ids. */
function toTaskEntries(tasks: readonly FoundTask[], folderName: NameOf, now: number) {
  const titles = tasks.map(({ title }) => title);
  const hasDuplicates = new Set(titles).size < titles.length;
  return tasks.map((task) => ({
    title: task.title ?? task.id,
    details: [
      ...(hasDuplicates ? [task.id] : []),
      (task.parentIds ?? []).flatMap((id) => folderName(id) ?? []).join(', '),
      formatAge(task.updatedDate, now),
      task.status === 'Active' ? '' : (task.status ?? ''),
    ],
    search: [task.id],
    value: task,
  }));
}

function formatAge(updated: string | undefined, now: number): string {
  const at = Date.parse(updated ?? '');
  return Number.isNaN(at) ? '' : `updated ${formatRelativeTime(at, now)}`;
}

/** The most recently updated first. `areOwn`: false if none is assigned to the user; then these are all open tasks. */
async function readOpenTasks(context: Context) {
  const me = await createNameLists(context.session).me();
  const read = async (isWanted: (task: FoundTask) => boolean, filters?: TaskFilters) => {
    const tasks = await listTasks(await context.session(), filters);
    return tasks
      .filter((task) => task.status === 'Active' && isWanted(task))
      .toSorted((a, b) => (b.updatedDate ?? '').localeCompare(a.updatedDate ?? ''));
  };
  const readOwn = ({ id }: Contact) => {
    const filters = { responsibles: [id], status: ['Active'] } as const;
    // If the service shows no assignees, trust its filter.
    return read(({ responsibleIds: ids }) => ids?.includes(id) ?? true, filters).catch((error: unknown) => {
      if (!(error instanceof Failure) || error.code !== 'rejected') throw error;
      return read(({ responsibleIds: ids }) => ids?.includes(id) === true);
    });
  };
  const own = me === undefined ? [] : await readOwn(me);
  return own.length > 0 ? { tasks: own, areOwn: true } : { tasks: await read(() => true), areOwn: false };
}
