// Reads the tasks that can be named by a title or picked from a list, page by page, and keeps only a few members of each: an
// account may have very many tasks. Tasks in the recycle bin are left out.

import type { Context } from '#cli/context.ts';
import { findByName } from '#cli/resolve/match-name.ts';
import { Failure } from '#failure.ts';
import {
  createNameLists,
  type FoundTask,
  findExactly,
  readTasks,
  type TaskFilters,
} from '../names/name-lists.ts';

export interface FoundByTitle {
  /** By title: tasks with exactly this title or, if there are none, with this title in any case. */
  readonly found: ReadonlyMap<string, readonly FoundTask[]>;
  /** The titles of other tasks, for suggestions. */
  readonly others: readonly string[];
}

/** Comparing more titles would make a suggestion too slow. */
const maxOthers = 10_000;

/** Requests the titles as they were typed. If the service finds no task, compares the titles of all tasks. */
export async function findTasksByTitle(context: Context, titles: readonly string[]): Promise<FoundByTitle> {
  const exact = new Map<string, readonly FoundTask[]>();
  for (const title of titles) exact.set(title, await findExactly(await context.session(), title));
  const remaining = titles.filter((title) => exact.get(title)?.length === 0);
  if (remaining.length === 0) return { found: exact, others: [] };
  const others: string[] = [];
  const matching = new Map(remaining.map((title): [string, FoundTask[]] => [title, []]));
  for await (const { task } of readTasks(await context.session())) {
    let isMatch = false;
    for (const [title, tasks] of matching) {
      if (findByName([task], title, titleOf).length === 0) continue;
      tasks.push(task);
      isMatch = true;
    }
    if (!isMatch && others.length < maxOthers && task.title !== undefined) others.push(task.title);
  }
  const anyCase = [...matching].map(([title, tasks]): [string, readonly FoundTask[]] => [
    title,
    findByName(tasks, title, titleOf),
  ]);
  return { found: new Map([...exact, ...anyCase]), others };
}

const titleOf = ({ title }: FoundTask) => title;

export interface OpenTasks {
  /** The most recently updated first. */
  readonly tasks: readonly FoundTask[];
  /** False if none is assigned to the user: then these are all open tasks. */
  readonly areOwn: boolean;
}

export async function readOpenTasks(context: Context): Promise<OpenTasks> {
  const contacts = await createNameLists(context.session).me();
  const me = contacts.find((contact) => contact.me) ?? contacts[0];
  const own = me === undefined ? [] : await readOwnTasks(context, me.id);
  if (own.length > 0) return { tasks: own.toSorted(latestFirst), areOwn: true };
  const tasks: FoundTask[] = [];
  for await (const { task } of readTasks(await context.session()))
    if (task.status === 'Active') tasks.push(task);
  return { tasks: tasks.toSorted(latestFirst), areOwn: false };
}

async function readOwnTasks(context: Context, me: string): Promise<readonly FoundTask[]> {
  const read = async (filters?: TaskFilters) => {
    const own: FoundTask[] = [];
    // If the service shows no assignees, trust its filter.
    for await (const { task, responsibleIds } of readTasks(await context.session(), filters))
      if (task.status === 'Active' && (responsibleIds?.includes(me) ?? filters !== undefined)) own.push(task);
    return own;
  };
  try {
    return await read({ responsibles: [me], status: ['Active'], fields: ['responsibleIds', 'parentIds'] });
  } catch (error) {
    if (!(error instanceof Failure) || error.code !== 'rejected') throw error;
    return read();
  }
}

function latestFirst(a: FoundTask, b: FoundTask): number {
  return (b.updatedDate ?? '').localeCompare(a.updatedDate ?? '');
}
