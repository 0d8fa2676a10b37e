// Dispatches the events of a task update, that of a changed description some minutes later, and other events of tasks and folders.

import { randomUUID } from 'node:crypto';
import type { EventName } from '#contract/event.ts';
import type { EmulatorClock } from '../state/clock.ts';
import { requireEntry } from '../state/require-entry.ts';
import type { Scheduler } from '../state/scheduler.ts';
import type { Folder, ScheduledJob, StoredTask } from '../state/store.ts';
import { listTaskChanges } from '../task/changes.ts';
import { type DispatchContext, dispatch } from './dispatch.ts';
import type { Occurrence } from './occurrence.ts';

interface TaskEventContext extends DispatchContext {
  readonly clock: Pick<EmulatorClock, 'now' | 'timestamp'>;
  readonly scheduler: Pick<Scheduler, 'add'>;
  readonly settings: DispatchContext['settings'] & { readonly descriptionEventSeconds: number };
}

/** Dispatched some minutes later, with the task as it is then. */
const delayedEvent: EventName = 'TaskDescriptionChanged';

export function dispatchTaskChanges(
  context: TaskEventContext,
  authorId: string,
  before: StoredTask,
  after: StoredTask,
): void {
  const { store, clock, settings, scheduler } = context;
  // Only the event of a changed description can go to a webhook that does not exist yet.
  if (store.webhooks.size === 0 && before.description === after.description) return;
  for (const { event, payload, placeIds } of listTaskChanges(store, before, after)) {
    const common = { id: randomUUID(), accountId: after.accountId, authorId, date: clock.timestamp() };
    if (event === delayedEvent) {
      const due = clock.now() + settings.descriptionEventSeconds * 1000;
      scheduler.add({ ...common, type: 'description event', due, taskId: after.id });
    } else {
      dispatch(context, { ...common, event, subjectId: after.id, payload, task: after, placeIds });
    }
  }
}

export function dispatchDescriptionEvent(
  context: DispatchContext,
  { id, accountId, authorId, date, taskId: subjectId }: Extract<ScheduledJob, { type: 'description event' }>,
): void {
  // A deleted task is still in the recycle bin.
  const task = requireEntry(context.store.tasks, subjectId);
  const common = { id, accountId, authorId, date, event: delayedEvent, subjectId };
  dispatch(context, { ...common, payload: {}, task, placeIds: task.parentIds });
}

type DispatchNow = DispatchContext & Pick<TaskEventContext, 'clock'>;

/** For a task that was created or deleted, or whose comments, timelogs or attachments have changed. */
export function dispatchTaskEvent(
  context: DispatchNow,
  authorId: string,
  event: EventName,
  task: StoredTask,
  payload: Occurrence['payload'] = {},
): void {
  const { id, accountId, parentIds } = task;
  dispatchNow(context, { event, accountId, authorId, subjectId: id, payload, task, placeIds: parentIds });
}

export function dispatchFolderEvent(
  context: DispatchNow,
  authorId: string,
  event: EventName,
  folder: Folder,
  payload: Occurrence['payload'] = {},
  placeIds: readonly string[] = folder.parentIds,
): void {
  const { id, accountId } = folder;
  dispatchNow(context, { event, accountId, authorId, subjectId: id, payload, folder, placeIds });
}

function dispatchNow(context: DispatchNow, occurrence: Omit<Occurrence, 'id' | 'date'>): void {
  dispatch(context, { id: randomUUID(), date: context.clock.timestamp(), ...occurrence });
}
