// Timelogs of tasks. The contract shows the limit of their comments, that a deleted task takes none, the event, and that
// the parameter `date` is deprecated in favour of `trackedDate`; the calls themselves are assumed.

import { day, timestamp } from '../../contract/date.ts';
import { limit } from '../../contract/limit.ts';
import type { ArgumentsOf } from '../../contract/parameter.ts';
import { number, text } from '../../contract/value.ts';
import { seesTask, taskFor } from '../access.ts';
import type { Result } from '../answer.ts';
import { tellOfItem } from '../hooks/tell.ts';
import { pageOf } from '../paging.ts';
import { randomText } from '../random.ts';
import { invalidParameter, notFound, Refusal } from '../refusal.ts';
import type { StoredTask, StoredTimelog } from '../store.ts';
import { assumed, livingTask, read, taskId, write } from './assumed.ts';
import { type Call, idOf } from './call.ts';

const changing = {
  hours: { value: number('hours', { from: 0, below: 1_000 }), meaning: 'How long' },
  trackedDate: { value: day, meaning: 'On which day' },
  date: { value: day, meaning: 'The old name of trackedDate' },
  comment: { value: text('text', { max: limit.commentCharacters }), meaning: 'What for' },
} as const;
type Changing = ArgumentsOf<typeof changing>;

const row = { kind: 'timelogs' } as const;
const ofTask = { path: '/tasks/{taskId}/timelogs', pathParameters: taskId } as const;
const one = {
  path: '/timelogs/{timelogId}',
  pathParameters: { timelogId: { value: text('timelog') } },
} as const;

export const timelogOperations = {
  listTimelogs: assumed({ ...row, method: 'GET', path: '/timelogs', parameters: {}, scopes: read }),
  listTaskTimelogs: assumed({ ...row, ...ofTask, method: 'GET', parameters: {}, scopes: read }),
  createTaskTimelog: assumed({ ...row, ...ofTask, method: 'POST', parameters: changing, scopes: write }),
  updateTimelog: assumed({ ...row, ...one, method: 'PUT', parameters: changing, scopes: write }),
  deleteTimelog: assumed({ ...row, ...one, method: 'DELETE', parameters: {}, scopes: write }),
};

/** The new name counts, the old one still works. */
function trackedDateOf({ trackedDate, date }: Changing): string | undefined {
  if (trackedDate !== undefined && date !== undefined && trackedDate !== date)
    throw invalidParameter('date', 'it is the old name of trackedDate, which says something else');
  return trackedDate ?? date;
}

function timelogOf(call: Call<unknown>): { timelog: StoredTimelog; task: StoredTask } {
  const { store } = call.service;
  const id = idOf(call, 'timelogId');
  const timelog = store.timelogs.get(id);
  if (timelog === undefined) throw notFound('Timelog', id);
  return { timelog, task: livingTask(store, call.session.user, timelog.taskId) };
}

function told(
  { service, session }: Call<unknown>,
  type: 'Added' | 'Updated' | 'Removed',
  task: StoredTask,
  { id, hours }: StoredTimelog,
): void {
  service.changed();
  tellOfItem(service, session, 'TimelogChanged', task, { timeTrackerId: id, type, hours: String(hours) });
}

function page(call: Call<unknown>, fits: (timelog: StoredTimelog) => boolean): Result {
  const { store } = call.service;
  const all = [...store.timelogs.values()].filter((timelog) => {
    const task = store.tasks.get(timelog.taskId);
    return task !== undefined && fits(timelog) && seesTask(store, call.session.user, task);
  });
  const { data, beside } = pageOf(all, call.page);
  return { kind: 'timelogs', data, beside };
}

export const timelogCalls = {
  listTimelogs: (call: Call<unknown>): Result => page(call, () => true),
  listTaskTimelogs(call: Call<unknown>): Result {
    const { id } = taskFor(call.service.store, call.session.user, idOf(call, 'taskId'));
    return page(call, (timelog) => timelog.taskId === id);
  },
  createTaskTimelog(call: Call<Changing>): Result {
    const { store, clock } = call.service;
    const task = livingTask(store, call.session.user, idOf(call, 'taskId'));
    const { hours, comment = '' } = call.arguments;
    const trackedDate = trackedDateOf(call.arguments);
    if (hours === undefined) throw new Refusal('parameter_required', "Parameter 'hours' is required");
    if (trackedDate === undefined)
      throw new Refusal('parameter_required', "Parameter 'trackedDate' is required");
    const now = timestamp(clock.now());
    const timelog: StoredTimelog = {
      id: `${task.accountId}JQ${randomText(8)}`,
      taskId: task.id,
      userId: call.session.user.id,
      hours,
      createdDate: now,
      updatedDate: now,
      trackedDate,
      comment,
    };
    store.timelogs.set(timelog.id, timelog);
    told(call, 'Added', task, timelog);
    return { kind: 'timelogs', data: [timelog] };
  },
  updateTimelog(call: Call<Changing>): Result {
    const { store, clock } = call.service;
    const { timelog: before, task } = timelogOf(call);
    const { hours = before.hours, comment = before.comment } = call.arguments;
    const trackedDate = trackedDateOf(call.arguments) ?? before.trackedDate;
    const timelog = { ...before, hours, comment, trackedDate, updatedDate: timestamp(clock.now()) };
    store.timelogs.set(timelog.id, timelog);
    told(call, 'Updated', task, timelog);
    return { kind: 'timelogs', data: [timelog] };
  },
  deleteTimelog(call: Call<unknown>): Result {
    const { timelog, task } = timelogOf(call);
    call.service.store.timelogs.delete(timelog.id);
    told(call, 'Removed', task, timelog);
    return { kind: 'timelogs', data: [] };
  },
};
