// The request of `wm task list`, and the checks by wm itself.

import type { Context } from '#cli/context.ts';
import { countOf } from '#cli/count-of.ts';
import { resolvePlace } from '#cli/resolve/resolve-place.ts';
import type { PathArguments } from '#client/request.ts';
import type { Operation } from '#contract/operation.ts';
import type { Task } from '#contract/task.ts';
import { type TaskFilters, type taskFilters, taskLists } from '#contract/task-list.ts';
import { usageError } from '#failure.ts';
import { createNameLists } from '../names/name-lists.ts';
import { type ListFlags, sortKeys } from './list-flags.ts';
import { resolveFilters, type TaskFilter } from './task-filters.ts';

interface PlaceToList {
  readonly operation: Operation<typeof taskFilters, Task>;
  readonly path: PathArguments;
}

/** Looks up names. Throws a usage failure for flags that contradict each other, and for an unknown name. */
export async function resolveQuery(context: Context, flags: ListFlags) {
  assertConsistent(flags);
  const lists = createNameLists(context.session);
  const [place, filters] = await Promise.all([
    findPlace(context, flags),
    resolveFilters(lists, flags, context.world.clock.now()),
  ]);
  const sort = flags.sort === undefined ? undefined : sortKeys[flags.sort];
  const parameters: TaskFilters = {
    ...(flags.recursive && { descendants: true, subTasks: true }),
    ...Object.assign({}, ...filters.map(({ request }) => request)),
    ...(sort && { sortField: sort.field, sortOrder: flags.reverse ? opposite[sort.order] : sort.order }),
    // For the columns: a list shows the assignees only on request.
    fields: ['responsibleIds', ...filters.flatMap(({ field }) => field ?? [])],
  };
  return {
    ...place,
    parameters,
    matches: (task: Task) => filters.every((filter) => filter.matches(task)),
    /** True if `matches` checks more than the request does. */
    isFilteredHere: filters.some(({ isFilteredHere }) => isFilteredHere),
    /** Explains an empty list: what was searched, and how to search more. `read`: how many tasks the service returned. */
    describeEmpty: (read: number) => describeEmpty(flags, filters, read),
  };
}

function describeEmpty(flags: ListFlags, filters: readonly TaskFilter[], read: number): string {
  const { folder, space } = flags;
  const conditions = [
    ...(folder === undefined ? [] : [`in the folder ${JSON.stringify(folder)}`]),
    ...(space === undefined ? [] : [`in the space ${JSON.stringify(space)}`]),
    ...filters.flatMap((filter) => filter.conditions),
  ];
  return [
    conditions.length === 0 ? 'No tasks that you can see.' : `No tasks ${conditions.join(', ')}.`,
    ...(read === 0 ? [] : [`Searched ${countOf(read, 'task')}.`]),
    ...((folder ?? space) !== undefined && flags.recursive !== true
      ? ['The folders below were not searched: --recursive includes them.']
      : []),
  ].join('\n');
}

const opposite = { Asc: 'Desc', Desc: 'Asc' } as const;

function assertConsistent(flags: ListFlags): void {
  const { folder, space, recursive, reverse, sort, unassigned, responsible } = flags;
  if (unassigned === true && responsible !== undefined)
    throw usageError('--unassigned and --responsible exclude each other');
  if (folder !== undefined && space !== undefined)
    throw usageError('--folder and --space exclude each other', 'Give only the folder: it is in one space.');
  if (recursive === true && folder === undefined && space === undefined)
    throw usageError(
      '--recursive needs --folder or --space',
      'Without them, wm lists all tasks that you can see.',
    );
  if (reverse === true && sort === undefined)
    throw usageError('--reverse needs --sort', 'For example: --sort due --reverse');
}

async function findPlace(context: Context, { folder, space }: ListFlags): Promise<PlaceToList> {
  if (folder !== undefined) {
    const folderId = await resolvePlace(context, folder, 'folder');
    return { operation: taskLists.listFolderTasks, path: { folderId } };
  }
  if (space !== undefined) {
    const spaceId = await resolvePlace(context, space, 'space');
    return { operation: taskLists.listSpaceTasks, path: { spaceId } };
  }
  return { operation: taskLists.listTasks, path: {} };
}
