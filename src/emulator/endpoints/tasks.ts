// The endpoints of tasks: read by id, list, update, delete. task/update.ts applies an update; here it is stored, and its
// events are dispatched.

import { fieldOnRequest, type TaskUpdate } from '#contract/task.ts';
import type { TaskFilters } from '#contract/task-list.ts';
import { omitUndefined } from '#omit-undefined.ts';
import { dispatchTaskChanges, dispatchTaskEvent } from '../dispatch/task-events.ts';
import type { ApiResult } from '../http/response.ts';
import { originOf, type Service, type Session } from '../service/service.ts';
import { requireFolder, requireTask } from '../state/access.ts';
import { requireEntry } from '../state/require-entry.ts';
import type { Folder, StoredTask } from '../state/store.ts';
import type { UpdateContext } from '../task/draft.ts';
import { updateSubtaskLists } from '../task/subtask-lists.ts';
import { type TaskReadOptions, toTaskRecord } from '../task/task-record.ts';
import { applyUpdate } from '../task/update.ts';
import { type EndpointRequest, type Handlers, idOf, idsOf, pageResult } from './endpoint.ts';
import { editableTask } from './item-subject.ts';

function taskResult(
  service: Service,
  { user, account }: Session,
  tasks: readonly StoredTask[],
  readOptions: TaskReadOptions,
): ApiResult {
  const workspace = originOf(service, account.dataCentre);
  return {
    kind: 'tasks',
    data: tasks.map((task) => toTaskRecord(service, user, workspace, task, readOptions)),
  };
}

interface UpdateOptions {
  /** Dispatches no events, as in a mass action. */
  readonly silent?: boolean;
  readonly assume?: UpdateContext['assume'];
}

export function updateStoredTask(
  service: Service,
  { user, account }: Pick<Session, 'user' | 'account'>,
  id: string,
  update: TaskUpdate,
  { silent = false, assume = () => undefined }: UpdateOptions = {},
): StoredTask {
  const { store, clock } = service;
  const before = requireTask(store, user, id);
  const after = applyUpdate(before, update, {
    store,
    account,
    user,
    timestamp: clock.timestamp(),
    workspace: originOf(service, account.dataCentre),
    assume,
  });
  if (after === before) return before;
  store.tasks.set(id, after);
  updateSubtaskLists(store, before, after);
  service.scheduleSave();
  if (!silent) dispatchTaskChanges(service, user.id, before, after);
  return after;
}

/** Moves a task into the recycle bin, and gives it as it is there. */
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
  service.scheduleSave();
  // Webhooks hear of it where it was.
  dispatchTaskEvent(service, authorId, 'TaskDeleted', task);
  return deleted;
}

/** The page of a list of the tasks that the user can see, of one folder or space where one is given. */
function listTasks(request: EndpointRequest<TaskFilters>, place?: Folder): ApiResult {
  const { service, session, pageRequest, arguments: filters } = request;
  const { user, account } = session;
  if (filters.responsibles?.some((id) => !service.store.users.has(id))) request.assume('filter-ids');
  const workspace = originOf(service, account.dataCentre);
  const list = { user, filters, workspace, ...omitUndefined({ place }) };
  const readOptions = { fields: filters.fields ?? [] };
  const { fits, ...page } = pageRequest;
  if (fits !== undefined) {
    const { tasks } = service.taskLists.read({ ...list, pageRequest: { from: 0 } });
    const show = (task: StoredTask, options: TaskReadOptions) =>
      toTaskRecord(service, user, workspace, task, options);
    // Also by the fields that the response does not show.
    const found = tasks.filter((task) => fits(show(task, { fields: fieldOnRequest.choices })));
    return pageResult({ ...request, pageRequest: page }, 'tasks', found, (task) => show(task, readOptions));
  }
  const { tasks, count, nextPageToken } = service.taskLists.read({ ...list, pageRequest });
  const next = nextPageToken === undefined ? {} : { nextPageToken };
  return {
    ...taskResult(service, session, tasks, readOptions),
    extra: pageRequest.size === undefined ? {} : { ...next, responseSize: count },
  };
}

function placeOf(request: EndpointRequest<unknown>, kind: 'folder' | 'space'): Folder {
  return requireFolder(request.service.store, request.session.user, idOf(request, `${kind}Id`), kind);
}

export const taskHandlers = {
  updateTask(request) {
    const { service, session, arguments: update, assume } = request;
    const updated = updateStoredTask(service, session, idOf(request, 'taskId'), update, { assume });
    return taskResult(service, session, [updated], update);
  },
  deleteTask(request) {
    const { service, session } = request;
    const task = editableTask(service.store, session.user, idOf(request, 'taskId'));
    return taskResult(service, session, [deleteStoredTask(service, session.user.id, task)], {});
  },
  getTasks(request) {
    const { service, session, arguments: readOptions } = request;
    const tasks = idsOf(request, 'taskIds').map((id) => requireTask(service.store, session.user, id));
    return taskResult(service, session, tasks, readOptions);
  },
  listTasks: (request) => listTasks(request),
  listFolderTasks: (request) => listTasks(request, placeOf(request, 'folder')),
  listSpaceTasks: (request) => listTasks(request, placeOf(request, 'space')),
} satisfies Partial<Handlers>;
