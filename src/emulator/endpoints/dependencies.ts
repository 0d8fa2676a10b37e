// Dependencies between tasks. The contract shows their ids in a task's record; the operations are assumed.

import { forbidden, invalidParameter, parameterRequired } from '../http/error-response.ts';
import { paginate } from '../http/paging.ts';
import { reachable, requireEntry, requireOwn } from '../state/access.ts';
import type { Store, StoredDependency } from '../state/store.ts';
import { newId } from '../task/urls.ts';
import { added, removed } from '../update/apply-effects.ts';
import { type EndpointRequest, type Handlers, idOf, readEach, taskOf } from './endpoint.ts';
import { canSeeItem, editableTask } from './item-subject.ts';

const toRecord = ({ accountId: _, ...record }: StoredDependency) => record;

const endsOf = ({ predecessorId, successorId }: StoredDependency) => [predecessorId, successorId];

/** Visible to users who see the task at either end. */
function requireDependency(request: EndpointRequest, id: string): StoredDependency {
  const dependency = requireOwn(request, request.store.dependencies, 'Dependency', id);
  if (!endsOf(dependency).some((taskId) => canSeeItem(request, { taskId })))
    throw forbidden(`Access to dependency ${id} is denied`, 'task-dependencies');
  return dependency;
}

function editableDependency(request: EndpointRequest): StoredDependency {
  const dependency = requireDependency(request, idOf(request, 'dependencyId'));
  for (const end of endsOf(dependency)) editableTask(request, end);
  return dependency;
}

function changeIds(store: Store, taskId: string, change: typeof added<string>, id: string): void {
  const task = requireEntry(store.tasks, taskId);
  store.tasks.set(taskId, { ...task, dependencyIds: change(task.dependencyIds, [id]) });
}

const successorIds = (store: Store, taskId: string): readonly string[] =>
  (store.tasks.get(taskId)?.dependencyIds ?? []).flatMap((id) => {
    const dependency = store.dependencies.get(id);
    return dependency?.predecessorId === taskId ? [dependency.successorId] : [];
  });

export function removeDependency(store: Store, id: string): void {
  const dependency = store.dependencies.get(id);
  // A seed may name an id alone.
  if (dependency === undefined) return;
  store.dependencies.delete(id);
  for (const end of endsOf(dependency)) changeIds(store, end, removed, id);
}

export const dependencyHandlers = {
  listTaskDependencies(request) {
    const { dependencies } = request.store;
    const own = taskOf(request).dependencyIds.flatMap((id) => dependencies.get(id) ?? []);
    return paginate(request, own, toRecord);
  },
  getDependencies: (request) => readEach(request, (id) => toRecord(requireDependency(request, id))),
  createTaskDependency(request) {
    const { store } = request;
    const task = editableTask(request, idOf(request, 'taskId'));
    const { predecessorId, successorId, relationType = 'FinishToStart', lagTime = 0 } = request.arguments;
    const otherId = predecessorId ?? successorId;
    if (otherId === undefined)
      throw parameterRequired("Parameter 'predecessorId' or 'successorId' is required", 'task-dependencies');
    const reject = (why: string, name = predecessorId === undefined ? 'successorId' : 'predecessorId') =>
      invalidParameter(name, why, 'task-dependencies');
    if (predecessorId !== undefined && successorId !== undefined)
      throw reject('predecessorId is given too', 'successorId');
    if (otherId === task.id) throw reject(`${otherId} is the task itself`);
    const other = editableTask(request, otherId);
    const [first, second] = predecessorId === undefined ? [task, other] : [other, task];
    if (first.dates.type === 'Backlog') throw reject(`${first.id} has no dates`);
    if (second.dates.type !== 'Planned') throw reject(`${second.id} has no start and due date`);
    const [before, after] = [first.id, second.id];
    if (reachable([after], (end) => successorIds(store, end)).has(before))
      throw reject(`${otherId} would close a loop of dependencies`);
    if (successorIds(store, before).includes(after)) throw reject(`${otherId} has this dependency already`);
    const dependency: StoredDependency = {
      id: newId(request.service, task.accountId, 'IU', store.dependencies),
      accountId: task.accountId,
      predecessorId: before,
      successorId: after,
      relationType,
      lagTime,
    };
    store.dependencies.set(dependency.id, dependency);
    for (const end of [before, after]) changeIds(store, end, added, dependency.id);
    return { data: [toRecord(dependency)] };
  },
  updateDependency(request) {
    const dependency = { ...editableDependency(request), relationType: request.arguments.relationType };
    request.store.dependencies.set(dependency.id, dependency);
    return { data: [toRecord(dependency)] };
  },
  deleteDependency(request) {
    removeDependency(request.store, editableDependency(request).id);
    return { data: [] };
  },
} satisfies Partial<Handlers>;
