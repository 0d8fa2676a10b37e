// From a changed task to the webhooks: one happening for each event it causes, the change of a description later than
// the others.

import { randomUUID } from 'node:crypto';
import { timestamp } from '../../contract/date.ts';
import type { EventName } from '../../contract/event.ts';
import type { Service, Session } from '../service.ts';
import type { Later, StoredTask } from '../store.ts';
import { changesOf } from '../task/changes.ts';
import type { Happening } from './happening.ts';
import { publish } from './publish.ts';

/** Told some minutes after its cause, with what the task is by then. */
const late: EventName = 'TaskDescriptionChanged';

export function tell(service: Service, happening: Happening): number {
  return publish(service.store, service.registry, service.deliveries, happening);
}

export function tellOfTask(service: Service, authorId: string, before: StoredTask, after: StoredTask): void {
  const { store, clock, settings, registry, agenda } = service;
  // Only the change of a description may find webhooks later that are not there yet.
  if (registry.isEmpty() && before.description === after.description) return;
  for (const { event, payload, placeIds } of changesOf(store, before, after)) {
    const common = {
      id: randomUUID(),
      accountId: after.accountId,
      authorId,
      date: timestamp(clock.now()),
    };
    if (event === late) {
      const due = clock.now() + settings.descriptionEventSeconds * 1000;
      agenda.add({ ...common, does: 'tell of a description', due, taskId: after.id });
    } else {
      tell(service, { ...common, event, subjectId: after.id, payload, task: after, placeIds });
    }
  }
}

export function tellOfDescription(
  service: Service,
  { id, accountId, authorId, date, taskId }: Extract<Later, { does: 'tell of a description' }>,
): void {
  // By then it may have been moved or deleted.
  const task = service.store.tasks.get(taskId);
  if (task === undefined) return;
  const placeIds = task.parentIds;
  const about = { event: late, subjectId: taskId, payload: {}, task, placeIds };
  tell(service, { id, accountId, authorId, date, ...about });
}

/** What happened to a task beside a change of its record: a comment, a timelog, an attachment. */
export function tellOfItem(
  service: Service,
  { user }: Pick<Session, 'user'>,
  event: EventName,
  task: StoredTask,
  payload: Happening['payload'],
): void {
  tell(service, {
    id: randomUUID(),
    event,
    accountId: task.accountId,
    authorId: user.id,
    date: timestamp(service.clock.now()),
    subjectId: task.id,
    payload,
    task,
    placeIds: task.parentIds,
  });
}
