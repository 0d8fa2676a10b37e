// Timelogs of tasks. The contract shows the limit of their comments, their event, that a deleted task accepts none, and that
// `trackedDate` replaces the deprecated `date`; the operations are assumed.

import type { ArgumentsOf as ParameterValues } from '#contract/parameter.ts';
import type { timelogParameters } from '#contract/task-items.ts';
import { dispatchEvent } from '../dispatch/task-events.ts';
import { invalidParameter, parameterRequired } from '../http/error-response.ts';
import { paginate } from '../http/paging.ts';
import type { ApiResult } from '../http/response.ts';
import {
  canSeeTask,
  inheritedFolderIds,
  requireOwn,
  requireRecord,
  requireTask,
  withAncestors,
} from '../state/access.ts';
import { randomText } from '../state/random-text.ts';
import type { StoredTask, StoredTimelog } from '../state/store.ts';
import { isWithin } from '../task/filter-tasks.ts';
import {
  type ArgumentsOf,
  type EndpointRequest,
  folderOf,
  type Handlers,
  idOf,
  readEach,
  taskOf,
} from './endpoint.ts';
import { editableTask } from './item-subject.ts';

type TimelogArguments = ParameterValues<typeof timelogParameters>;

const missing = (name: string) => parameterRequired(`Parameter '${name}' is required`, 'task-items');

/** Accepts the deprecated name too. */
function trackedDateOf({ trackedDate, date }: TimelogArguments): string | undefined {
  if (trackedDate !== undefined && date !== undefined && trackedDate !== date)
    throw invalidParameter(
      'date',
      'it is the old name of trackedDate, which has a different value',
      'deprecated-names',
    );
  return trackedDate ?? date;
}

function editableTimelog(request: EndpointRequest<unknown>): { timelog: StoredTimelog; task: StoredTask } {
  const timelog = requireRecord(request.store.timelogs, 'Timelog', idOf(request, 'timelogId'));
  return { timelog, task: editableTask(request, timelog.taskId) };
}

function dispatchTimelogChanged(
  { service, user }: EndpointRequest<unknown>,
  type: 'Added' | 'Updated' | 'Removed',
  task: StoredTask,
  { id, hours }: StoredTimelog,
): void {
  const payload = { timeTrackerId: id, type, hours: String(hours) };
  dispatchEvent(service, user.id, 'TimelogChanged', task, payload);
}

/** Lists the timelogs that the user may see and that `fits` accepts, oldest first. */
function listTimelogs(
  request: EndpointRequest<ArgumentsOf<'listTimelogs'>>,
  fits: (timelog: StoredTimelog, task: StoredTask) => boolean = () => true,
): ApiResult {
  const { store, user } = request;
  const { me, trackedDate, createdDate, updatedDate } = request.arguments;
  const timelogs = [...store.timelogs.values()].filter((timelog) => {
    const task = store.tasks.get(timelog.taskId);
    return (
      task !== undefined &&
      fits(timelog, task) &&
      (me !== true || timelog.userId === user.id) &&
      isWithin(timelog.trackedDate, trackedDate) &&
      isWithin(timelog.createdDate, createdDate) &&
      isWithin(timelog.updatedDate, updatedDate) &&
      canSeeTask(store, user, task)
    );
  });
  return paginate(request, timelogs);
}

export const timelogHandlers = {
  listTimelogs: (request) => listTimelogs(request),
  listTaskTimelogs(request) {
    const { id } = taskOf(request);
    return listTimelogs(request, ({ taskId }) => taskId === id);
  },
  listFolderTimelogs(request) {
    const { store } = request;
    const { descendants } = request.arguments;
    const { id } = folderOf(request);
    return listTimelogs(request, (_, task) => {
      if (descendants !== true) return task.parentIds.includes(id);
      return withAncestors(store, [...task.parentIds, ...inheritedFolderIds(store, task)]).has(id);
    });
  },
  listContactTimelogs(request) {
    const id = idOf(request, 'contactId');
    requireOwn(request, request.store.users, 'Contact', id);
    return listTimelogs(request, ({ userId }) => userId === id);
  },
  getTimelogs: (request) =>
    readEach(request, (id) => {
      const timelog = requireRecord(request.store.timelogs, 'Timelog', id);
      requireTask(request, timelog.taskId);
      return timelog;
    }),
  createTaskTimelog(request) {
    const task = editableTask(request, idOf(request, 'taskId'));
    const { hours, comment = '' } = request.arguments;
    const trackedDate = trackedDateOf(request.arguments);
    if (hours === undefined) throw missing('hours');
    if (trackedDate === undefined) throw missing('trackedDate');
    const { timestamp: now } = request;
    const timelog: StoredTimelog = {
      id: `${task.accountId}JQ${randomText(8)}`,
      taskId: task.id,
      userId: request.user.id,
      hours,
      createdDate: now,
      updatedDate: now,
      trackedDate,
      comment,
    };
    request.store.timelogs.set(timelog.id, timelog);
    dispatchTimelogChanged(request, 'Added', task, timelog);
    return { data: [timelog] };
  },
  updateTimelog(request) {
    const { timelog: before, task } = editableTimelog(request);
    const { hours = before.hours, comment = before.comment } = request.arguments;
    const trackedDate = trackedDateOf(request.arguments) ?? before.trackedDate;
    const timelog = { ...before, hours, comment, trackedDate, updatedDate: request.timestamp };
    request.store.timelogs.set(timelog.id, timelog);
    dispatchTimelogChanged(request, 'Updated', task, timelog);
    return { data: [timelog] };
  },
  deleteTimelog(request) {
    const { timelog, task } = editableTimelog(request);
    request.store.timelogs.delete(timelog.id);
    dispatchTimelogChanged(request, 'Removed', task, timelog);
    return { data: [] };
  },
} satisfies Partial<Handlers>;
