// Finds the tasks of a list, page by page. The tasks of a folder come from its index, so that the cost of a page does not depend on the
// folder. A filtered or sorted list is cached while its pages are read, until a task changes.

import type { TaskFilters } from '#contract/task-list.ts';
import type { PageRequest } from '../http/paging.ts';
import { canSeeTask, isInBin } from '../state/access.ts';
import type { Folder, Store, StoredTask, User } from '../state/store.ts';
import { lowerBound } from '../state/task-map.ts';
import { createFilter, createOrder, filterNames } from './filter-tasks.ts';

export interface TaskListRequest {
  readonly user: User;
  /** A folder or space; undefined for the account. */
  readonly folder: Folder | undefined;
  readonly filters: TaskFilters;
  readonly pageRequest: PageRequest;
}

export function createTaskLists(store: Store) {
  const { tasks } = store;
  const cache = new Map<string, { readonly version: number; readonly ids: readonly string[] }>();

  function findIds({ user, folder, filters }: TaskListRequest): readonly string[] {
    const isMatch = createFilter(store, filters, folder?.id);
    // The index of a folder lacks the tasks of nested folders, and subtasks.
    const searchesAccount = folder === undefined || filters.descendants === true || filters.subTasks === true;
    const scope =
      folder !== undefined && (folder.kind === 'bin' || isInBin(store, folder)) ? 'RbTask' : 'WsTask';
    const matches: StoredTask[] = [];
    for (const id of tasks.idsIn(searchesAccount ? user.accountId : folder.id)) {
      const task = tasks.get(id);
      if (task !== undefined && task.scope === scope && isMatch(task) && canSeeTask(store, user, task))
        matches.push(task);
    }
    const { sortField, sortOrder, limit } = filters;
    if (sortField !== undefined || sortOrder === 'Desc') matches.sort(createOrder(filters));
    return matches.slice(0, limit).map(({ id }) => id);
  }

  function findCachedIds(request: TaskListRequest): readonly string[] {
    const { user, folder, filters } = request;
    const { fields: _, ...rest } = filters;
    const key = JSON.stringify([user.id, user.denied, folder?.id, rest]);
    const cached = cache.get(key);
    const ids = cached?.version === tasks.version ? cached.ids : findIds(request);
    // The latest list is the last. Four are enough for the lists that programs read at the same time.
    cache.delete(key);
    cache.set(key, { version: tasks.version, ids });
    const [oldest = ''] = cache.keys();
    if (cache.size > 4) cache.delete(oldest);
    return ids;
  }

  return {
    /** The ids of the tasks on all pages, and where the requested page begins. */
    find(request: TaskListRequest) {
      const { folder, filters, pageRequest } = request;
      const ids = isUnfiltered(request, folder) ? tasks.idsIn(folder.id) : findCachedIds(request);
      const { from, after } = pageRequest;
      const last = tasks.get(after ?? '');
      if (last === undefined || ids[from - 1] === after) return { ids, from };
      // The start of the page, even if tasks were added or removed since the previous page.
      const compare = createOrder(filters);
      const isBefore = (task: StoredTask | undefined) => task !== undefined && compare(task, last) <= 0;
      return { ids, from: lowerBound(ids, (id) => isBefore(tasks.get(id))) };
    },
  };
}

/** True for all tasks directly in a folder. A user who sees the folder also sees its tasks, unless some are denied. */
function isUnfiltered({ user, filters }: TaskListRequest, folder: Folder | undefined): folder is Folder {
  return (
    folder !== undefined &&
    folder.kind !== 'root' &&
    folder.kind !== 'bin' &&
    user.denied.length === 0 &&
    filters.descendants !== true &&
    filterNames.every((name) => name === 'descendants' || filters[name] === undefined)
  );
}
