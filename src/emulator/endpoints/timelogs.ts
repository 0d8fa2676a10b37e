// Timelogs of tasks. The contract shows the limit of their comments, their event and a deprecated name; the operations are assumed.

import type { Timelog } from '#contract/task-items.ts';
import { omitUndefined } from '#omit-undefined.ts';
import { dispatchEvent } from '../dispatch/dispatch.ts';
import { invalidParameter, parameterRequired } from '../http/error-response.ts';
import { paginate } from '../http/paging.ts';
import type { ApiResult } from '../http/response.ts';
import {
  canSeeTask,
  reachable,
  requireEntry,
  requireOwn,
  requireRecord,
  withAncestors,
} from '../state/access.ts';
import type { Store, StoredTask, StoredTimelog } from '../state/store.ts';
import { isWithin } from '../task/filter-tasks.ts';
import { newId } from '../task/urls.ts';
import { requireOwned } from '../update/references.ts';
import { commentText } from './comments.ts';
import { type EndpointRequest, type Handlers, idOf, type RequestOf, readEach } from './endpoint.ts';
import { editableTask, requireSubject, subjectIdOf } from './item-subject.ts';

const missing = (name: string) => parameterRequired(`Parameter '${name}' is required`, 'task-items');

/** The members that a request sets. A date may have its deprecated name. */
function membersOf(request: RequestOf<'createTaskTimelog'>) {
  const { hours, comment, categoryId, trackedDate, date } = request.arguments;
  if (categoryId !== undefined)
    requireOwned(request, 'categoryId', 'a category', request.store.timelogCategories, categoryId);
  const problem = 'it is the old name of trackedDate, which has a different value';
  if (trackedDate !== undefined && date !== undefined && trackedDate !== date)
    throw invalidParameter('date', problem, 'deprecated-names');
  return omitUndefined({ hours, comment, categoryId, trackedDate: trackedDate ?? date });
}

function editableTimelog(request: EndpointRequest): { timelog: StoredTimelog; task: StoredTask } {
  const timelog = requireRecord(request.store.timelogs, 'Timelog', idOf(request, 'timelogId'));
  return { timelog, task: editableTask(request, timelog.taskId) };
}

function changeTimelog(
  { service, store, user }: EndpointRequest,
  type: 'Added' | 'Updated' | 'Removed',
  task: StoredTask,
  timelog: StoredTimelog,
): ApiResult {
  const { id, hours } = timelog;
  if (type === 'Removed') store.timelogs.delete(id);
  else store.timelogs.set(id, timelog);
  dispatchEvent(service, user.id, 'TimelogChanged', task, { timeTrackerId: id, type, hours: String(hours) });
  return { data: type === 'Removed' ? [] : [timelog] };
}

/** Of the account, or of the task, folder or contact in the path; in order of creation. */
const listTimelogs: Handlers['listTimelogs'] = (request) => {
  const { store, user, arguments: filters } = request;
  const { me, taskIds, timelogCategories, billingTypes, trackedDate, createdDate, updatedDate } = filters;
  const [[type, placeId] = []] = request.ids.single;
  if (placeId !== undefined) {
    request.assume('item-lists');
    if (type === 'contactId') requireOwn(request, store.users, 'Contact', placeId);
    else requireSubject(request, subjectIdOf(request));
  }
  const timelogs = [...store.timelogs.values()].filter((timelog) => {
    const task = store.tasks.get(timelog.taskId);
    return (
      task !== undefined &&
      (placeId === undefined || placesOf(store, timelog, filters).includes(placeId)) &&
      (timelogCategories === undefined || timelogCategories.includes(timelog.categoryId ?? '')) &&
      (billingTypes === undefined || billingTypes.includes(task.billingType)) &&
      (me !== true || timelog.userId === user.id) &&
      (taskIds === undefined || taskIds.includes(task.id)) &&
      isWithin(timelog.trackedDate, trackedDate) &&
      isWithin(timelog.createdDate, createdDate) &&
      isWithin(timelog.updatedDate, updatedDate) &&
      canSeeTask(store, user, task)
    );
  });
  timelogs.sort((a, b) => a.createdDate.localeCompare(b.createdDate));
  return paginate(request, timelogs, (timelog) => toRecord(request, timelog));
};

/** The ids of the user, the tasks and the folders whose list has the timelog. */
function placesOf(
  store: Store,
  { userId, taskId }: StoredTimelog,
  { descendants, subTasks }: RequestOf<'listTimelogs'>['arguments'],
): readonly string[] {
  const superIds = (id: string) => (subTasks === false ? [] : requireEntry(store.tasks, id).superTaskIds);
  const taskIds = [...reachable([taskId], superIds)];
  const folderIds = taskIds.flatMap((id) => requireEntry(store.tasks, id).parentIds);
  return [userId, ...taskIds, ...(descendants === false ? folderIds : withAncestors(store, folderIds))];
}

const states = {
  exportStatus: 'NotExported',
  approvalStatus: 'NotSubmitted',
  lockStatus: 'Unlocked',
  finance: { currency: 'Euro' },
};

/** With the states that `fields` names: nothing here changes them. */
function toRecord(request: RequestOf<'getTimelogs'>, timelog: StoredTimelog): Timelog {
  const { fields = [], plainText } = request.arguments;
  const all = { ...states, billingType: request.store.tasks.get(timelog.taskId)?.billingType };
  const comment = plainText ? commentText(timelog.comment) : timelog.comment;
  return { ...timelog, comment, ...Object.fromEntries(fields.map((name) => [name, all[name]])) };
}

export const timelogHandlers = {
  listTimelogs,
  listTaskTimelogs: listTimelogs,
  listFolderTimelogs: listTimelogs,
  listContactTimelogs: listTimelogs,
  getTimelogs: (request) =>
    readEach(request, (id) => {
      const timelog = requireRecord(request.store.timelogs, 'Timelog', id);
      requireSubject(request, timelog);
      return toRecord(request, timelog);
    }),
  createTaskTimelog(request) {
    const task = editableTask(request, idOf(request, 'taskId'));
    const { hours, trackedDate, comment = '', ...category } = membersOf(request);
    if (hours === undefined) throw missing('hours');
    if (trackedDate === undefined) throw missing('trackedDate');
    const { timestamp: now } = request;
    const timelog: StoredTimelog = {
      id: newId(request.service, task.accountId, 'JQ', request.store.timelogs),
      taskId: task.id,
      userId: request.user.id,
      hours,
      createdDate: now,
      updatedDate: now,
      trackedDate,
      comment,
      ...category,
    };
    return changeTimelog(request, 'Added', task, timelog);
  },
  updateTimelog(request) {
    const { timelog, task } = editableTimelog(request);
    const { timestamp: updatedDate } = request;
    return changeTimelog(request, 'Updated', task, { ...timelog, ...membersOf(request), updatedDate });
  },
  deleteTimelog(request) {
    const { timelog, task } = editableTimelog(request);
    return changeTimelog(request, 'Removed', task, timelog);
  },
} satisfies Partial<Handlers>;
