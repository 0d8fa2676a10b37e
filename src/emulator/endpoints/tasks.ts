// The endpoints of tasks: read by id, list, update, delete. task/update.ts applies an update; this file stores it and dispatches
// its events.

import { fieldOnRequest, type TaskUpdate } from '#contract/task.ts';
import type { TaskFilters } from '#contract/task-list.ts';
import { omitUndefined } from '#omit-undefined.ts';
import { dispatchEvent, dispatchTaskChanges } from '../dispatch/task-events.ts';
import { paginate } from '../http/paging.ts';
import type { ApiResult } from '../http/response.ts';
import type { Service } from '../service/service.ts';
import { requireTask } from '../state/access.ts';
import { requireEntry } from '../state/require-entry.ts';
import type { StoredTask } from '../state/store.ts';
import { type TaskReadOptions, toTaskRecord } from '../task/task-record.ts';
import { applyUpdate, storeTask } from '../task/update.ts';
import { type Caller, type EndpointRequest, type Handlers, idOf, placeOf, readEach } from './endpoint.ts';
import { editableTask } from './item-subject.ts';

const taskResult = (
  caller: Caller,
  tasks: readonly StoredTask[],
  readOptions: TaskReadOptions,
): ApiResult => ({ data: tasks.map((task) => toTaskRecord(caller, task, readOptions)) });

/** `silent`: dispatches no events, as in a mass action. */
export function updateStoredTask(caller: Caller, id: string, update: TaskUpdate, silent = false): StoredTask {
  const { service, store, user } = caller;
  const before = requireTask(caller, id);
  const after = applyUpdate(before, update, caller);
  if (after === before) return before;
  storeTask(store, before, after);
  if (!silent) dispatchTaskChanges(service, user.id, before, after);
  return after;
}

/** Moves a task into the recycle bin, and returns it as it is there. */
export function deleteStoredTask(service: Service, authorId: string, task: StoredTask): StoredTask {
  const { store, clock } = service;
  const deleted: StoredTask = {
    ...task,
    scope: 'RbTask',
    parentIds: [requireEntry(store.accounts, task.accountId).recycleBinId],
    formerParentIds: task.parentIds,
    updatedDate: clock.timestamp(),
  };
  store.tasks.set(task.id, deleted);
  // Webhooks of the former place get the event.
  dispatchEvent(service, authorId, 'TaskDeleted', { task });
  return deleted;
}

/** A page of the visible tasks of the account, or of one folder or space. */
function listTasks(request: EndpointRequest<TaskFilters>): ApiResult {
  const folder = placeOf(request);
  const { service, store, user, workspace, pageRequest, arguments: filters } = request;
  if (filters.responsibles?.some((id) => !store.users.has(id))) request.assume('filter-ids');
  const list = { user, filters, workspace, ...omitUndefined({ folder }) };
  const readOptions = { fields: filters.fields ?? [] };
  const { fits, ...page } = pageRequest;
  if (fits !== undefined) {
    const { tasks } = service.taskLists.read({ ...list, pageRequest: { from: 0 } });
    // Filters may name fields that the response does not show.
    const allFields = { fields: fieldOnRequest.choices };
    const matches = tasks.filter((task) => fits(toTaskRecord(request, task, allFields)));
    return paginate({ pageRequest: page }, matches, (task) => toTaskRecord(request, task, readOptions));
  }
  const { tasks, count, nextPageToken } = service.taskLists.read({ ...list, pageRequest });
  const extra = { ...omitUndefined({ nextPageToken }), responseSize: count };
  return { ...taskResult(request, tasks, readOptions), extra: page.size === undefined ? {} : extra };
}

export const taskHandlers = {
  updateTask(request) {
    const { arguments: update } = request;
    return taskResult(request, [updateStoredTask(request, idOf(request, 'taskId'), update)], update);
  },
  deleteTask(request) {
    const task = editableTask(request, idOf(request, 'taskId'));
    return taskResult(request, [deleteStoredTask(request.service, request.user.id, task)], {});
  },
  getTasks: (request) =>
    readEach(request, (id) => toTaskRecord(request, requireTask(request, id), request.arguments)),
  listTasks,
  listFolderTasks: listTasks,
  listSpaceTasks: listTasks,
} satisfies Partial<Handlers>;
