// Finds the tasks of a list, page by page. The tasks of a folder come from its index, so that the cost of a page does not depend on the
// folder. A filtered or sorted list is cached while its pages are read; a task that changes gets its new place in it.

import type { TaskFilters } from '#contract/task-list.ts';
import type { PageRequest } from '../http/paging.ts';
import { canSeeTask, isInBin, requireEntry } from '../state/access.ts';
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

/** More changed tasks than this are sorted with all others: each would move half of the list. */
const maxMoved = 1_000;

export function createTaskLists(store: Store) {
  const { tasks } = store;
  const cache = new Map<string, { readonly version: number; readonly ids: readonly string[] }>();

  function createMatcher({ user, folder, filters }: TaskListRequest) {
    const isMatch = createFilter(store, filters, folder?.id);
    const scope =
      folder !== undefined && (folder.kind === 'bin' || isInBin(store, folder)) ? 'RbTask' : 'WsTask';
    return (task: StoredTask | undefined) =>
      task !== undefined && task.scope === scope && isMatch(task) && canSeeTask(store, user, task);
  }

  function findIds(request: TaskListRequest): readonly string[] {
    const { user, folder, filters } = request;
    const isListed = createMatcher(request);
    // The index of a folder lacks the tasks of nested folders, and subtasks.
    const searchesAccount = folder === undefined || filters.descendants === true || filters.subTasks === true;
    const listed = tasks.idsIn(searchesAccount ? user.accountId : folder.id);
    const ids = listed.filter((id) => isListed(tasks.get(id)));
    const { sortField, sortOrder, limit } = filters;
    if (sortField === undefined && sortOrder !== 'Desc') return ids.slice(0, limit);
    const compare = createOrder(filters);
    return ids
      .map((id) => requireEntry(tasks, id))
      .sort(compare)
      .slice(0, limit)
      .map(({ id }) => id);
  }

  /** Puts only the tasks that changed into their places: filtering and sorting 100,000 for each page would take long. */
  function updateIds(request: TaskListRequest, ids: readonly string[], changed: ReadonlySet<string>) {
    if (changed.size === 0) return ids;
    const isListed = createMatcher(request);
    const compare = createOrder(request.filters);
    const updated = ids.filter((id) => !changed.has(id));
    for (const id of changed) {
      const task = tasks.get(id);
      if (task === undefined || !isListed(task)) continue;
      const index = lowerBound(updated, (other) => compare(requireEntry(tasks, other), task) < 0);
      updated.splice(index, 0, id);
    }
    return updated;
  }

  function findCachedIds(request: TaskListRequest): readonly string[] {
    const { user, folder, filters } = request;
    const { fields: _, ...rest } = filters;
    const key = JSON.stringify([user.id, user.denied, folder?.id, rest]);
    const cached = cache.get(key);
    const changed = cached && tasks.changedSince(cached.version);
    // A task that changed may bring its subtasks along, or another task within the limit.
    const isOwn = filters.subTasks !== true && filters.limit === undefined;
    const isCurrent = changed?.size === 0 || (changed !== undefined && isOwn && changed.size < maxMoved);
    const ids = cached && isCurrent ? updateIds(request, cached.ids, changed) : findIds(request);
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
