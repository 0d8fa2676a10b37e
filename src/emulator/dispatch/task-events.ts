// The events of a task: one occurrence for each event that a change causes, dispatched at once, or some minutes later for a
// changed description; and those of what belongs to a task or a folder (a comment, a timelog, an attachment).

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

/** Dispatched some minutes after its cause, with the task as it is by then. */
const delayedEvent: EventName = 'TaskDescriptionChanged';

export function dispatchTaskChanges(
  context: TaskEventContext,
  authorId: string,
  before: StoredTask,
  after: StoredTask,
): void {
  const { store, clock, settings, registry, scheduler } = context;
  // The event of a changed description may go to webhooks that do not exist yet; all others need one that does.
  if (registry.isEmpty() && before.description === after.description) return;
  for (const { event, payload, placeIds } of listTaskChanges(store, before, after)) {
    const common = {
      id: randomUUID(),
      accountId: after.accountId,
      authorId,
      date: clock.timestamp(),
    };
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
  { id, accountId, authorId, date, taskId }: Extract<ScheduledJob, { type: 'description event' }>,
): void {
  // A deleted task is still in the recycle bin.
  const task = requireEntry(context.store.tasks, taskId);
  const placeIds = task.parentIds;
  const about = { event: delayedEvent, subjectId: taskId, payload: {}, task, placeIds };
  dispatch(context, { id, accountId, authorId, date, ...about });
}

type DispatchNow = DispatchContext & Pick<TaskEventContext, 'clock'>;

/** A task was created or deleted, or something that belongs to it has changed: a comment, a timelog, an attachment. */
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

/** The same for a folder, a project or a space. */
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
