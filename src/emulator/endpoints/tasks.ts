// The endpoints of tasks: read by id, list, update. task/update.ts applies an update; here it is stored, and its events are
// dispatched.

import type { TypeOf } from '../../contract/schema.ts';
import { fieldOnRequest, type TaskUpdate } from '../../contract/task.ts';
import type { PlaceTaskFilters } from '../../contract/task-list.ts';
import { paginate } from '../http/paging.ts';
import type { ApiResult } from '../http/response.ts';
import { originOf, type Service, type Session } from '../service/service.ts';
import { canSeeTask, requireFolder, requireTask } from '../state/access.ts';
import type { StoredTask } from '../state/store.ts';
import { filterTasks, sortTasks } from '../task/filter-tasks.ts';
import { updateSubtaskLists } from '../task/subtask-lists.ts';
import { type TaskReadOptions, toTaskRecord } from '../task/task-record.ts';
import { applyUpdate } from '../task/update.ts';
import { dispatchTaskChanges } from '../webhooks/task-events.ts';
import { type EndpointRequest, type Handlers, idOf, idsOf } from './endpoint.ts';

function taskResult(
  service: Service,
  { user, account }: Session,
  tasks: readonly StoredTask[],
  readOptions: TaskReadOptions,
): ApiResult {
  const workspace = originOf(service, account.dataCentre);
  return {
    kind: 'tasks',
    data: tasks.map((task) => toTaskRecord(service.store, user, workspace, task, readOptions)),
  };
}

/** Applies an update and stores it. `silent`: dispatches no events, as in a mass action. */
export function updateStoredTask(
  service: Service,
  { user, account }: Pick<Session, 'user' | 'account'>,
  id: string,
  update: TaskUpdate,
  silent = false,
): StoredTask {
  const { store, clock } = service;
  const before = requireTask(store, user, id);
  const after = applyUpdate(before, update, {
    store,
    account,
    user,
    now: clock.now(),
    workspace: originOf(service, account.dataCentre),
  });
  if (after === before) return before;
  store.tasks.set(id, after);
  updateSubtaskLists(store, before, after);
  service.scheduleSave();
  if (!silent) dispatchTaskChanges(service, user.id, before, after);
  return after;
}

/** The page of a list of the tasks that the user can see, of one folder or space where one is named. */
function listTasks(request: EndpointRequest<PlaceTaskFilters>, folderId?: string): ApiResult {
  const { service, session, pageRequest, arguments: filters } = request;
  const visible = [...service.store.tasks.values()].filter(
    (task) => task.scope === 'WsTask' && canSeeTask(service.store, session.user, task),
  );
  const tasks = sortTasks(filterTasks(service.store, visible, filters, folderId), filters);
  const { data, extra } = paginate(tasks, pageRequest);
  const fields = filters.fields?.filter(isOnRequest) ?? [];
  return { ...taskResult(service, session, data, { fields }), extra };
}

/** The other fields of a list are always in the record. */
function isOnRequest(name: string): name is TypeOf<typeof fieldOnRequest> {
  return fieldOnRequest.choices.some((one) => one === name);
}

export const taskHandlers: Pick<
  Handlers,
  'updateTask' | 'getTasks' | 'listTasks' | 'listFolderTasks' | 'listSpaceTasks'
> = {
  updateTask(request) {
    const { service, session, arguments: update } = request;
    return taskResult(
      service,
      session,
      [updateStoredTask(service, session, idOf(request, 'taskId'), update)],
      update,
    );
  },
  getTasks(request) {
    const { service, session, arguments: readOptions } = request;
    const tasks = idsOf(request, 'taskIds').map((id) => requireTask(service.store, session.user, id));
    return taskResult(service, session, tasks, readOptions);
  },
  listTasks: (request) => listTasks(request),
  listFolderTasks(request) {
    const { service, session } = request;
    return listTasks(
      request,
      requireFolder(service.store, session.user, idOf(request, 'folderId'), 'folder').id,
    );
  },
  listSpaceTasks(request) {
    const { service, session } = request;
    return listTasks(
      request,
      requireFolder(service.store, session.user, idOf(request, 'spaceId'), 'space').id,
    );
  },
};
