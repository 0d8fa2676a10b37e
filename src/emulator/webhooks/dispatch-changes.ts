// From a changed task to the webhooks: one occurrence for each event it causes, the change of a description later than
// the others.

import { randomUUID } from 'node:crypto';
import { formatTimestamp } from '../../contract/date.ts';
import type { EventName } from '../../contract/event.ts';
import type { Service, Session } from '../service/service.ts';
import type { ScheduledJob, StoredTask } from '../state/store.ts';
import { listTaskChanges } from '../task/changes.ts';
import { dispatch } from './dispatch.ts';
import type { Occurrence } from './occurrence.ts';

/** Told some minutes after its cause, with what the task is by then. */
const delayedEvent: EventName = 'TaskDescriptionChanged';

export function dispatchOccurrence(service: Service, occurrence: Occurrence): number {
  return dispatch(service.store, service.registry, service.deliveries, occurrence);
}

export function dispatchTaskChanges(
  service: Service,
  authorId: string,
  before: StoredTask,
  after: StoredTask,
): void {
  const { store, clock, settings, registry, scheduler } = service;
  // Only the change of a description may find webhooks later that are not there yet.
  if (registry.isEmpty() && before.description === after.description) return;
  for (const { event, payload, placeIds } of listTaskChanges(store, before, after)) {
    const common = {
      id: randomUUID(),
      accountId: after.accountId,
      authorId,
      date: formatTimestamp(clock.now()),
    };
    if (event === delayedEvent) {
      const due = clock.now() + settings.descriptionEventSeconds * 1000;
      scheduler.add({ ...common, type: 'description event', due, taskId: after.id });
    } else {
      dispatchOccurrence(service, { ...common, event, subjectId: after.id, payload, task: after, placeIds });
    }
  }
}

export function dispatchDescriptionEvent(
  service: Service,
  { id, accountId, authorId, date, taskId }: Extract<ScheduledJob, { type: 'description event' }>,
): void {
  // By then it may have been moved or deleted.
  const task = service.store.tasks.get(taskId);
  if (task === undefined) return;
  const placeIds = task.parentIds;
  const about = { event: delayedEvent, subjectId: taskId, payload: {}, task, placeIds };
  dispatchOccurrence(service, { id, accountId, authorId, date, ...about });
}

/** What happened to a task beside a change of its record: a comment, a timelog, an attachment. */
export function dispatchTaskEvent(
  service: Service,
  { user }: Pick<Session, 'user'>,
  event: EventName,
  task: StoredTask,
  payload: Occurrence['payload'],
): void {
  dispatchOccurrence(service, {
    id: randomUUID(),
    event,
    accountId: task.accountId,
    authorId: user.id,
    date: formatTimestamp(service.clock.now()),
    subjectId: task.id,
    payload,
    task,
    placeIds: task.parentIds,
  });
}
