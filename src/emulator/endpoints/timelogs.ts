// Timelogs of tasks. The contract shows the limit of their comments, their event, that a deleted task accepts none, and that
// `trackedDate` replaces the deprecated `date`; the operations are assumed.

import type { ArgumentsOf as ParameterValues } from '#contract/parameter.ts';
import type { timelogParameters } from '#contract/task-items.ts';
import { dispatchTaskEvent } from '../dispatch/task-events.ts';
import { ErrorResponse, invalidParameter, notFound } from '../http/error-response.ts';
import type { ApiResult } from '../http/response.ts';
import {
  canSeeTask,
  inheritedFolderIds,
  requireFolder,
  requireTask,
  withAncestors,
} from '../state/access.ts';
import { randomText } from '../state/random-text.ts';
import type { StoredTask, StoredTimelog } from '../state/store.ts';
import { isWithin } from '../task/filter-tasks.ts';
import {
  type ArgumentsOf,
  type EndpointRequest,
  type Handlers,
  idOf,
  idsOf,
  pageResult,
} from './endpoint.ts';
import { editableTask } from './item-subject.ts';

type TimelogArguments = ParameterValues<typeof timelogParameters>;

const requiredParameter = (name: string) =>
  new ErrorResponse('parameter_required', `Parameter '${name}' is required`, 'task-items');

/** Accepts the old name too. */
function trackedDateOf({ trackedDate, date }: TimelogArguments): string | undefined {
  if (trackedDate !== undefined && date !== undefined && trackedDate !== date)
    throw invalidParameter(
      'date',
      'it is the old name of trackedDate, which has a different value',
      'deprecated-names',
    );
  return trackedDate ?? date;
}

function findTimelog(request: EndpointRequest<unknown>, id: string): StoredTimelog {
  const timelog = request.service.store.timelogs.get(id);
  if (timelog === undefined) throw notFound('Timelog', id);
  return timelog;
}

function editableTimelog(request: EndpointRequest<unknown>): { timelog: StoredTimelog; task: StoredTask } {
  const timelog = findTimelog(request, idOf(request, 'timelogId'));
  return { timelog, task: editableTask(request.service.store, request.session.user, timelog.taskId) };
}

function dispatchTimelogChanged(
  { service, session }: EndpointRequest<unknown>,
  type: 'Added' | 'Updated' | 'Removed',
  task: StoredTask,
  { id, hours }: StoredTimelog,
): void {
  service.scheduleSave();
  dispatchTaskEvent(service, session.user.id, 'TimelogChanged', task, {
    timeTrackerId: id,
    type,
    hours: String(hours),
  });
}

const timelogResult = (data: readonly StoredTimelog[]): ApiResult => ({ kind: 'timelogs', data });

/** Lists the timelogs that the user may see and that `fits` accepts, oldest first. */
function listTimelogs(
  request: EndpointRequest<ArgumentsOf<'listTimelogs'>>,
  fits: (timelog: StoredTimelog, task: StoredTask) => boolean = () => true,
): ApiResult {
  const { store } = request.service;
  const { user } = request.session;
  const { me, trackedDate, createdDate, updatedDate } = request.arguments;
  const found = [...store.timelogs.values()].filter((timelog) => {
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
  return pageResult(request, 'timelogs', found);
}

export const timelogHandlers = {
  listTimelogs: (request) => listTimelogs(request),
  listTaskTimelogs(request) {
    const { id } = requireTask(request.service.store, request.session.user, idOf(request, 'taskId'));
    return listTimelogs(request, ({ taskId }) => taskId === id);
  },
  listFolderTimelogs(request) {
    const { store } = request.service;
    const { descendants } = request.arguments;
    const { id } = requireFolder(store, request.session.user, idOf(request, 'folderId'), 'folder');
    return listTimelogs(request, (_, task) => {
      if (descendants !== true) return task.parentIds.includes(id);
      return withAncestors(store, [...task.parentIds, ...inheritedFolderIds(store, task)]).has(id);
    });
  },
  listContactTimelogs(request) {
    const { service, session } = request;
    const id = idOf(request, 'contactId');
    const contact = service.store.users.get(id);
    if (contact === undefined) throw notFound('Contact', id);
    if (contact.accountId !== session.account.id) throw notFound('Contact', id, 'other-account');
    return listTimelogs(request, ({ userId }) => userId === id);
  },
  getTimelogs: (request) =>
    timelogResult(
      idsOf(request, 'timelogIds').map((id) => {
        const timelog = findTimelog(request, id);
        requireTask(request.service.store, request.session.user, timelog.taskId);
        return timelog;
      }),
    ),
  createTaskTimelog(request) {
    const { store, clock } = request.service;
    const task = editableTask(store, request.session.user, idOf(request, 'taskId'));
    const { hours, comment = '' } = request.arguments;
    const trackedDate = trackedDateOf(request.arguments);
    if (hours === undefined) throw requiredParameter('hours');
    if (trackedDate === undefined) throw requiredParameter('trackedDate');
    const now = clock.timestamp();
    const timelog: StoredTimelog = {
      id: `${task.accountId}JQ${randomText(8)}`,
      taskId: task.id,
      userId: request.session.user.id,
      hours,
      createdDate: now,
      updatedDate: now,
      trackedDate,
      comment,
    };
    store.timelogs.set(timelog.id, timelog);
    dispatchTimelogChanged(request, 'Added', task, timelog);
    return timelogResult([timelog]);
  },
  updateTimelog(request) {
    const { store, clock } = request.service;
    const { timelog: before, task } = editableTimelog(request);
    const { hours = before.hours, comment = before.comment } = request.arguments;
    const trackedDate = trackedDateOf(request.arguments) ?? before.trackedDate;
    const timelog = { ...before, hours, comment, trackedDate, updatedDate: clock.timestamp() };
    store.timelogs.set(timelog.id, timelog);
    dispatchTimelogChanged(request, 'Updated', task, timelog);
    return timelogResult([timelog]);
  },
  deleteTimelog(request) {
    const { timelog, task } = editableTimelog(request);
    request.service.store.timelogs.delete(timelog.id);
    dispatchTimelogChanged(request, 'Removed', task, timelog);
    return timelogResult([]);
  },
} satisfies Partial<Handlers>;
