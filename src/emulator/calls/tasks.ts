// The calls about tasks: read by id, list, update. What an update does is task/update.ts; this joins it to the store
// and to the events that follow.

import type { TaskUpdate } from '../../contract/task.ts';
import { seesTask, taskFor } from '../access.ts';
import type { Result } from '../answer.ts';
import { tellOfTask } from '../hooks/tell.ts';
import { pageOf } from '../paging.ts';
import { originOf, type Service, type Session } from '../service.ts';
import type { StoredTask } from '../store.ts';
import { hang } from '../task/hang.ts';
import { shownTask, type Wishes } from '../task/shown.ts';
import { updated } from '../task/update.ts';
import { type Calls, idOf } from './call.ts';

function shown(
  service: Service,
  { user, account }: Session,
  tasks: readonly StoredTask[],
  wishes: Wishes,
): Result {
  const workspace = originOf(service, account.dataCentre);
  return {
    kind: 'tasks',
    data: tasks.map((task) => shownTask(service.store, user, workspace, task, wishes)),
  };
}

/** Applies an update. `silent`: as part of a mass action, of which webhooks are not told. */
export function applyUpdate(
  service: Service,
  { user, account }: Pick<Session, 'user' | 'account'>,
  id: string,
  update: TaskUpdate,
  silent = false,
): StoredTask {
  const { store, clock } = service;
  const before = taskFor(store, user, id);
  const after = updated(before, update, {
    store,
    account,
    user,
    now: clock.now(),
    workspace: originOf(service, account.dataCentre),
  });
  if (after === before) return before;
  store.tasks.set(id, after);
  hang(store, before, after);
  service.changed();
  if (!silent) tellOfTask(service, user.id, before, after);
  return after;
}

export const taskCalls: Pick<Calls, 'updateTask' | 'getTasks' | 'listTasks'> = {
  updateTask(call) {
    const { service, session, arguments: update } = call;
    return shown(service, session, [applyUpdate(service, session, idOf(call, 'taskId'), update)], update);
  },
  getTasks({ service, session, ids, arguments: wishes }) {
    const tasks = (ids.get('taskIds') ?? []).map((id) => taskFor(service.store, session.user, id));
    return shown(service, session, tasks, wishes);
  },
  listTasks({ service, session, page }) {
    const tasks = [...service.store.tasks.values()]
      .filter((task) => task.scope === 'WsTask' && seesTask(service.store, session.user, task))
      .sort((a, b) => (a.priority < b.priority ? -1 : 1));
    const { data, beside } = pageOf(tasks, page);
    return { ...shown(service, session, data, {}), beside };
  },
};
