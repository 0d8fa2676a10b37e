// Reads the tasks that can be named by a title or picked from a list, page by page, and keeps only what is needed of each: an
// account may have very many. Tasks in the recycle bin are not among them.

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
  /** By title: tasks with exactly this title or, if there are none, with its letters in any case. */
  readonly found: ReadonlyMap<string, readonly FoundTask[]>;
  /** The titles of other tasks, for suggestions. */
  readonly others: readonly string[];
}

/** Comparing more titles would make a suggestion too slow. */
const mostOthers = 10_000;

/** Asks the service for the titles as they were typed; if it has none, compares them with those of all tasks. */
export async function findTasksByTitle(context: Context, titles: readonly string[]): Promise<FoundByTitle> {
  const exact = new Map<string, readonly FoundTask[]>();
  for (const title of titles) exact.set(title, await findExactly(await context.session(), title));
  const left = titles.filter((title) => exact.get(title)?.length === 0);
  if (left.length === 0) return { found: exact, others: [] };
  const others: string[] = [];
  const matching = new Map(left.map((title): [string, FoundTask[]] => [title, []]));
  for await (const { task } of readTasks(await context.session())) {
    let isMeant = false;
    for (const [title, tasks] of matching) {
      if (findByName([task], title, titleOf).length === 0) continue;
      tasks.push(task);
      isMeant = true;
    }
    if (!isMeant && others.length < mostOthers && task.title !== undefined) others.push(task.title);
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
  const me = contacts.find((one) => one.me) ?? contacts[0];
  const own = me === undefined ? [] : await readOwnTasks(context, me.id);
  if (own.length > 0) return { tasks: own.toSorted(latestFirst), areOwn: true };
  const all: FoundTask[] = [];
  for await (const { task } of readTasks(await context.session()))
    if (task.status === 'Active') all.push(task);
  return { tasks: all.toSorted(latestFirst), areOwn: false };
}

async function readOwnTasks(context: Context, me: string): Promise<readonly FoundTask[]> {
  const read = async (filters?: TaskFilters) => {
    const own: FoundTask[] = [];
    // A list that does not show who is responsible was filtered by it.
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

function latestFirst(one: FoundTask, other: FoundTask): number {
  return (other.updatedDate ?? '').localeCompare(one.updatedDate ?? '');
}
