// The endpoints of tasks: read by id, list, update, delete. task/effects.ts has what an update does.

import type { TaskUpdate } from '#contract/task.ts';
import { hasChanges } from '#contract/task-rules.ts';
import { omitUndefined } from '#omit-undefined.ts';
import { dispatchChanges, dispatchEvent } from '../dispatch/dispatch.ts';
import { forbidden, invalidRequest } from '../http/error-response.ts';
import { paginate } from '../http/paging.ts';
import type { Service } from '../service/service.ts';
import { requireEntry, requireTask } from '../state/access.ts';
import type { StoredTask } from '../state/store.ts';
import { taskEffects } from '../task/effects.ts';
import { toTaskRecord } from '../task/task-record.ts';
import { added, applyEffects, storeTask } from '../update/apply-effects.ts';
import { removeDependency } from './dependencies.ts';
import { type Caller, type Handlers, idOf, placeOf, readEach, taskOf } from './endpoint.ts';

type Change = readonly [before: StoredTask, after: StoredTask];

/** A deleted task can only be restored. Nothing is stored yet. */
function changeTask(caller: Caller, id: string, update: TaskUpdate): Change {
  const before = requireTask(caller, id);
  if (before.scope === 'RbTask' && update.restore !== true && hasChanges(update))
    throw forbidden(`Task ${id} is in the recycle bin`, 'deleted-task-update');
  return [before, applyEffects(taskEffects, before, update, caller)];
}

export function storeChange({ service, store, user }: Caller, [before, after]: Change, silent = false) {
  if (after === before) return before;
  storeTask(store, before, after);
  if (!silent) dispatchChanges(service, user.id, before, after);
  return after;
}

/** `silent`: dispatches no events, as in a mass action. */
export const updateStoredTask = (caller: Caller, id: string, update: TaskUpdate, silent = false) =>
  storeChange(caller, changeTask(caller, id, update), silent);

/** Moves a task into the recycle bin without its dependencies, and returns it as it is there. */
export function deleteStoredTask(service: Service, authorId: string, task: StoredTask, deletedWith?: string) {
  const { store, clock } = service;
  for (const id of task.dependencyIds) removeDependency(store, id);
  const deleted: StoredTask = {
    ...task,
    ...omitUndefined({ deletedWith }),
    dependencyIds: [],
    scope: 'RbTask',
    parentIds: [requireEntry(store.accounts, task.accountId).recycleBinId],
    formerParentIds: deletedWith === undefined ? task.parentIds : added(task.parentIds, task.formerParentIds),
    updatedDate: clock.timestamp(),
  };
  store.tasks.set(task.id, deleted);
  // Webhooks of the former place get the event.
  dispatchEvent(service, authorId, 'TaskDeleted', task);
  return deleted;
}

const listTasks: Handlers['listTasks'] = (request) => {
  const folder = placeOf(request);
  const { service, store, user, pageRequest, arguments: filters } = request;
  if (filters.responsibles?.some((id) => !store.users.has(id))) request.assume('filter-ids');
  if (filters.title !== undefined) request.assume('task-title-filter');
  if (folder !== undefined) request.assume(folder.kind === 'bin' ? 'bin-tasks' : 'folder-tasks');
  if (folder !== undefined && (filters.descendants || filters.subTasks)) request.assume('folder-subtasks');
  if (filters.sortField === undefined) request.assume('task-order');
  const { ids, from } = service.taskLists.find({ user, folder, filters, pageRequest });
  if (filters.sortField === 'DueDate' && ids.some((id) => store.tasks.get(id)?.dates.due === undefined))
    request.assume('due-date-sort');
  const { fields = [] } = filters;
  const toRecord = (id: string) => toTaskRecord(request, requireEntry(store.tasks, id), { fields }, 'list');
  return paginate({ pageRequest: { ...pageRequest, from } }, ids, toRecord, (id) => id);
};

export const taskHandlers = {
  updateTask(request) {
    const { arguments: update } = request;
    const task = updateStoredTask(request, idOf(request, 'taskId'), update);
    return { data: [toTaskRecord(request, task, update)] };
  },
  updateTasks(request) {
    // All of them or none.
    const changes = request.ids.several.map((id) => changeTask(request, id, request.arguments));
    return { data: changes.map((each) => toTaskRecord(request, storeChange(request, each), {})) };
  },
  deleteTask(request) {
    const task = taskOf(request);
    if (task.scope === 'RbTask')
      throw invalidRequest(`Task ${task.id} is in the recycle bin already`, 'already-deleted');
    const deleted = deleteStoredTask(request.service, request.user.id, task);
    return { data: [toTaskRecord(request, deleted, {})] };
  },
  getTasks: (request) =>
    readEach(request, (id) => toTaskRecord(request, requireTask(request, id), request.arguments, 'read')),
  listTasks,
  listFolderTasks: listTasks,
  listSpaceTasks: listTasks,
} satisfies Partial<Handlers>;
