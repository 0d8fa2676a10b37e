// Timelogs of tasks. The contract shows the limit of their comments, their event, that a deleted task accepts none, and that
// `trackedDate` replaces the deprecated `date`; the operations are assumed.

import { formatTimestamp } from '../../contract/date.ts';
import type { ArgumentsOf } from '../../contract/parameter.ts';
import { text } from '../../contract/schema.ts';
import { readScopes, writeScopes } from '../../contract/scope.ts';
import { timelogParameters } from '../../contract/task-items.ts';
import { ErrorResponse, invalidParameter, notFound } from '../http/error-response.ts';
import { paginate } from '../http/paging.ts';
import type { ApiResult } from '../http/response.ts';
import { canSeeTask, requireTask } from '../state/access.ts';
import { randomText } from '../state/random-text.ts';
import type { StoredTask, StoredTimelog } from '../state/store.ts';
import { dispatchTaskEvent } from '../webhooks/task-events.ts';
import { assumedOperation, editableTask } from './assumed-operation.ts';
import { type EndpointRequest, idOf } from './endpoint.ts';

type TimelogArguments = ArgumentsOf<typeof timelogParameters>;

const row = { kind: 'timelogs', assumption: 'task-items' } as const;
const one = {
  path: '/timelogs/{timelogId}',
  pathParameters: { timelogId: { schema: text('timelog') } },
} as const;

export const timelogOperations = {
  listTimelogs: assumedOperation({
    ...row,
    method: 'GET',
    path: '/timelogs',
    parameters: {},
    scopes: readScopes,
  }),
  updateTimelog: assumedOperation({
    ...row,
    ...one,
    method: 'PUT',
    parameters: timelogParameters,
    scopes: writeScopes,
  }),
  deleteTimelog: assumedOperation({ ...row, ...one, method: 'DELETE', parameters: {}, scopes: writeScopes }),
};

const requiredParameter = (name: string) =>
  new ErrorResponse('parameter_required', `Parameter '${name}' is required`, { because: 'task-items' });

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

function requireTimelog(request: EndpointRequest<unknown>): { timelog: StoredTimelog; task: StoredTask } {
  const { store } = request.service;
  const id = idOf(request, 'timelogId');
  const timelog = store.timelogs.get(id);
  if (timelog === undefined) throw notFound('Timelog', id);
  return { timelog, task: editableTask(store, request.session.user, timelog.taskId) };
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

function pageResult(request: EndpointRequest<unknown>, fits: (timelog: StoredTimelog) => boolean): ApiResult {
  const { store } = request.service;
  const all = [...store.timelogs.values()].filter((timelog) => {
    const task = store.tasks.get(timelog.taskId);
    return task !== undefined && fits(timelog) && canSeeTask(store, request.session.user, task);
  });
  const { data, extra } = paginate(all, request.pageRequest);
  return { kind: 'timelogs', data, extra };
}

export const timelogHandlers = {
  listTimelogs: (request: EndpointRequest<unknown>): ApiResult => pageResult(request, () => true),
  listTaskTimelogs(request: EndpointRequest<unknown>): ApiResult {
    const { id } = requireTask(request.service.store, request.session.user, idOf(request, 'taskId'));
    return pageResult(request, (timelog) => timelog.taskId === id);
  },
  createTaskTimelog(request: EndpointRequest<TimelogArguments>): ApiResult {
    const { store, clock } = request.service;
    const task = editableTask(store, request.session.user, idOf(request, 'taskId'));
    const { hours, comment = '' } = request.arguments;
    const trackedDate = trackedDateOf(request.arguments);
    if (hours === undefined) throw requiredParameter('hours');
    if (trackedDate === undefined) throw requiredParameter('trackedDate');
    const now = formatTimestamp(clock.now());
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
    return { kind: 'timelogs', data: [timelog] };
  },
  updateTimelog(request: EndpointRequest<TimelogArguments>): ApiResult {
    const { store, clock } = request.service;
    const { timelog: before, task } = requireTimelog(request);
    const { hours = before.hours, comment = before.comment } = request.arguments;
    const trackedDate = trackedDateOf(request.arguments) ?? before.trackedDate;
    const timelog = { ...before, hours, comment, trackedDate, updatedDate: formatTimestamp(clock.now()) };
    store.timelogs.set(timelog.id, timelog);
    dispatchTimelogChanged(request, 'Updated', task, timelog);
    return { kind: 'timelogs', data: [timelog] };
  },
  deleteTimelog(request: EndpointRequest<unknown>): ApiResult {
    const { timelog, task } = requireTimelog(request);
    request.service.store.timelogs.delete(timelog.id);
    dispatchTimelogChanged(request, 'Removed', task, timelog);
    return { kind: 'timelogs', data: [] };
  },
};
