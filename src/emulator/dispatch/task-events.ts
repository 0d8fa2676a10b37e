// Dispatches the events of an update, that of a changed description of a task some minutes later, and other events of tasks and folders.

import { randomUUID } from 'node:crypto';
import type { EventName } from '#contract/event.ts';
import type { Subject } from '../state/access.ts';
import type { EmulatorClock } from '../state/clock.ts';
import { requireEntry } from '../state/require-entry.ts';
import type { Scheduler } from '../state/scheduler.ts';
import type { ScheduledJob } from '../state/store.ts';
import { emitChanges } from '../update/changes.ts';
import { type DispatchContext, dispatch } from './dispatch.ts';
import type { Occurrence } from './occurrence.ts';

interface TaskEventContext extends DispatchContext {
  readonly clock: Pick<EmulatorClock, 'now' | 'timestamp'>;
  readonly scheduler: Pick<Scheduler, 'add'>;
  readonly settings: DispatchContext['settings'] & { readonly descriptionEventSeconds: number };
}

/** Dispatched some minutes later, with the task as it is then. */
const delayedEvent: EventName = 'TaskDescriptionChanged';

export function dispatchChanges(
  context: TaskEventContext,
  authorId: string,
  before: Subject,
  after: Subject,
): void {
  const { store, clock, settings, scheduler } = context;
  // Only the event of a changed description can go to a webhook that does not exist yet.
  if (store.webhooks.size === 0 && before.description === after.description) return;
  emitChanges(store, before, after, (event, payload, placeIds) => {
    if (event !== delayedEvent) return dispatchEvent(context, authorId, event, after, payload, placeIds);
    const due = clock.now() + settings.descriptionEventSeconds * 1000;
    const job = { type: 'description event', id: randomUUID(), date: clock.timestamp(), due } as const;
    scheduler.add({ ...job, authorId, taskId: after.id });
  });
}

export function dispatchDescriptionEvent(
  context: DispatchContext,
  { id, authorId, date, taskId }: Extract<ScheduledJob, { type: 'description event' }>,
): void {
  // A deleted task is still in the recycle bin.
  const subject = requireEntry(context.store.tasks, taskId);
  const event = delayedEvent;
  dispatch(context, { id, event, authorId, date, subject, payload: {}, placeIds: subject.parentIds });
}

/** Of a task or folder as it is now. `placeIds`: the folders that contain it. */
export function dispatchEvent(
  context: DispatchContext & Pick<TaskEventContext, 'clock'>,
  authorId: string,
  event: EventName,
  subject: Subject,
  payload: Occurrence['payload'] = {},
  placeIds: readonly string[] = subject.parentIds,
): void {
  const [id, date] = [randomUUID(), context.clock.timestamp()];
  dispatch(context, { id, event, authorId, date, subject, payload, placeIds });
}
