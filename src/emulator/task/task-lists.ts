// Lists of tasks, page by page. A folder's own tasks come from its index, so that a page costs what it has. A list that is
// filtered or sorted is made once and remembered while its pages are read, as long as no task changes.

import type { TaskFilters } from '#contract/task-list.ts';
import type { PageRequest } from '../http/paging.ts';
import { canSeeTask } from '../state/access.ts';
import type { Folder, Store, StoredTask, User } from '../state/store.ts';
import { lowerBound } from '../state/task-map.ts';
import { type CompareTasks, createFilter, createOrder, filterNames } from './filter-tasks.ts';

export interface TaskListRequest {
  readonly user: User;
  readonly place?: Folder;
  readonly filters: TaskFilters;
  /** Of the web workspace: a permalink begins with it. */
  readonly workspace: string;
  readonly pageRequest: PageRequest;
}

export type TaskLists = ReturnType<typeof createTaskLists>;

interface Listing {
  readonly version: number;
  readonly ids: readonly string[];
}

/** Enough for the lists that programs read at the same time. */
const remembered = 4;

export function createTaskLists(store: Store) {
  const { tasks } = store;
  const recent = new Map<string, Listing>();

  function listIds({ user, place, filters, workspace }: TaskListRequest): readonly string[] {
    const fits = createFilter(store, filters, workspace, place?.id);
    // The tasks of the folders below have other places.
    const isWide = place === undefined || filters.descendants === true || filters.subTasks === true;
    const found: StoredTask[] = [];
    for (const id of tasks.idsIn(isWide ? user.accountId : place.id)) {
      const task = tasks.get(id);
      if (task !== undefined && task.scope === 'WsTask' && fits(task) && canSeeTask(store, user, task))
        found.push(task);
    }
    const { sortField, sortOrder, limit } = filters;
    const inOrder =
      sortField === undefined && sortOrder !== 'Desc' ? found : found.sort(createOrder(filters));
    return inOrder.slice(0, limit).map(({ id }) => id);
  }

  function recall(request: TaskListRequest): readonly string[] {
    const { user, place, filters } = request;
    const { fields: _, ...rest } = filters;
    const key = JSON.stringify([user.id, user.denied, place?.id, rest]);
    const known = recent.get(key);
    const ids = known?.version === tasks.version ? known.ids : listIds(request);
    // The latest is the last.
    recent.delete(key);
    recent.set(key, { version: tasks.version, ids });
    for (const oldest of recent.keys()) {
      if (recent.size <= remembered) break;
      recent.delete(oldest);
    }
    return ids;
  }

  return {
    read(request: TaskListRequest) {
      const { place, filters, pageRequest } = request;
      const ids = isWhole(request, place) ? tasks.idsIn(place.id) : recall(request);
      const from = positionAfter(store, ids, pageRequest, createOrder(filters));
      const { size } = pageRequest;
      const end = size === undefined ? ids.length : Math.min(ids.length, from + size);
      const page = ids.slice(from, end).flatMap((id) => tasks.get(id) ?? []);
      const last = ids[end - 1];
      const isFull = size !== undefined && end - from === size;
      return {
        tasks: page,
        /** Of the whole list. */
        count: ids.length,
        // Names the page after a full one.
        ...(isFull && last !== undefined ? { nextPageToken: `p${end}.${last}` } : {}),
      };
    },
  };
}

/** True if the list is all that is in a folder: what is in a folder that the user sees is seen too, unless some is denied. */
function isWhole({ user, filters }: TaskListRequest, place: Folder | undefined): place is Folder {
  return (
    place !== undefined &&
    place.kind !== 'root' &&
    place.kind !== 'bin' &&
    user.denied.length === 0 &&
    filters.descendants !== true &&
    filterNames.every((name) => name === 'descendants' || filters[name] === undefined)
  );
}

/** Where the page begins, even if tasks were added or removed since the previous page. */
function positionAfter(
  store: Store,
  ids: readonly string[],
  { from, after }: PageRequest,
  compare: CompareTasks,
): number {
  const last = after === undefined ? undefined : store.tasks.get(after);
  if (last === undefined || ids[from - 1] === after) return from;
  return lowerBound(ids, (id) => {
    const task = store.tasks.get(id);
    return task !== undefined && compare(task, last) <= 0;
  });
}
