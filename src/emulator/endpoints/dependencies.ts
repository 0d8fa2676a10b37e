// Dependencies between tasks. The contract shows their ids in a task's record; the operations are assumed.

import { ErrorResponse, invalidParameter, notFound } from '../http/error-response.ts';
import type { ApiResult } from '../http/response.ts';
import { canSeeTask, requireTask } from '../state/access.ts';
import { randomText } from '../state/random-text.ts';
import type { Store, StoredDependency, StoredTask } from '../state/store.ts';
import { type EndpointRequest, type Handlers, idOf, idsOf, pageResult } from './endpoint.ts';
import { editableTask } from './item-subject.ts';

const toRecord = ({ accountId: _, ...record }: StoredDependency) => record;

const dependencyResult = (all: readonly StoredDependency[]): ApiResult => ({
  kind: 'dependencies',
  data: all.map(toRecord),
});

/** Visible with the task at either end. */
function requireDependency({ service, session }: EndpointRequest<unknown>, id: string): StoredDependency {
  const { store } = service;
  const dependency = store.dependencies.get(id);
  const ends = [dependency?.predecessorId, dependency?.successorId].flatMap(
    (end) => store.tasks.get(end ?? '') ?? [],
  );
  if (dependency === undefined) throw notFound('Dependency', id);
  if (dependency.accountId !== session.account.id) throw notFound('Dependency', id, 'other-account');
  if (!ends.some((task) => canSeeTask(store, session.user, task)))
    throw new ErrorResponse('access_forbidden', `Access to dependency ${id} is denied`, 'task-dependencies');
  return dependency;
}

function replaceIds(
  store: Store,
  task: StoredTask,
  change: (ids: readonly string[]) => readonly string[],
): void {
  // The other end may be the task that was changed last.
  const now = store.tasks.get(task.id) ?? task;
  store.tasks.set(task.id, { ...now, dependencyIds: change(now.dependencyIds) });
}

const successorsOf = (store: Store, id: string): readonly string[] =>
  (store.tasks.get(id)?.dependencyIds ?? []).flatMap((one) => {
    const dependency = store.dependencies.get(one);
    return dependency?.predecessorId === id ? [dependency.successorId] : [];
  });

/** The tasks that come after this one, at any distance. */
function followsFrom(store: Store, id: string): ReadonlySet<string> {
  const found = new Set<string>();
  // A set gives what is added while it is walked, too.
  const waiting = new Set([id]);
  for (const one of waiting)
    for (const next of successorsOf(store, one)) {
      found.add(next);
      waiting.add(next);
    }
  return found;
}

export const dependencyHandlers = {
  listTaskDependencies(request) {
    const { store } = request.service;
    const task = requireTask(store, request.session.user, idOf(request, 'taskId'));
    const all = task.dependencyIds.flatMap((id) => store.dependencies.get(id) ?? []);
    return pageResult(request, 'dependencies', all, toRecord);
  },
  getDependencies: (request) =>
    dependencyResult(idsOf(request, 'dependencyIds').map((id) => requireDependency(request, id))),
  createTaskDependency(request) {
    const { service, session } = request;
    const { store } = service;
    const task = editableTask(store, session.user, idOf(request, 'taskId'));
    const { predecessorId, successorId, relationType = 'FinishToStart', lagTime = 0 } = request.arguments;
    const otherId = predecessorId ?? successorId;
    if (otherId === undefined)
      throw new ErrorResponse(
        'parameter_required',
        "Parameter 'predecessorId' or 'successorId' is required",
        'task-dependencies',
      );
    if (predecessorId !== undefined && successorId !== undefined)
      throw invalidParameter('successorId', 'predecessorId is given too', 'task-dependencies');
    const name = predecessorId === undefined ? 'successorId' : 'predecessorId';
    if (otherId === task.id)
      throw invalidParameter(name, `${otherId} is the task itself`, 'task-dependencies');
    const other = editableTask(store, session.user, otherId);
    const [before, after] = predecessorId === undefined ? [task.id, otherId] : [otherId, task.id];
    if (followsFrom(store, after).has(before))
      throw invalidParameter(name, `${otherId} would close a loop of dependencies`, 'task-dependencies');
    if (successorsOf(store, before).includes(after))
      throw invalidParameter(name, `${otherId} has this dependency already`, 'task-dependencies');
    const dependency: StoredDependency = {
      id: `${task.accountId}IU${randomText(8)}`,
      accountId: task.accountId,
      predecessorId: before,
      successorId: after,
      relationType,
      lagTime,
    };
    store.dependencies.set(dependency.id, dependency);
    for (const end of [task, other]) replaceIds(store, end, (ids) => [...ids, dependency.id]);
    service.scheduleSave();
    return dependencyResult([dependency]);
  },
  deleteDependency(request) {
    const { service, session } = request;
    const { store } = service;
    const { id, predecessorId, successorId } = requireDependency(request, idOf(request, 'dependencyId'));
    const ends = [predecessorId, successorId].map((end) => editableTask(store, session.user, end));
    store.dependencies.delete(id);
    for (const end of ends) replaceIds(store, end, (ids) => ids.filter((one) => one !== id));
    service.scheduleSave();
    return dependencyResult([]);
  },
} satisfies Partial<Handlers>;
