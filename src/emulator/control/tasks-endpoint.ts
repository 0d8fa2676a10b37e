// Creates many tasks, for trying bulk updates, and deletes a task as if by hand: no token is needed.

import { formatValue, object, optional, text, ValidationError } from '../../contract/schema.ts';
import { title as titleValue } from '../../contract/task.ts';
import { deleteStoredTask } from '../endpoints/tasks.ts';
import { notFound } from '../http/error-response.ts';
import { wholeNumber } from '../http/whole-number.ts';
import { findAuthor, findTaskFolder } from '../state/example-records.ts';
import { createTaskIn, lastPriority } from '../task/new-task.ts';
import type { ControlRequest } from './control-request.ts';

const createTasksSchema = object('tasks', {
  count: wholeNumber('count', { from: 1, below: 100_001 }),
  title: optional(text('title', { notEmpty: true })),
  folderId: optional(text('FolderId')),
});

export function createTasks({ service: { store, clock, scheduleSave }, body }: ControlRequest) {
  const {
    count,
    title = 'Task',
    folderId = findTaskFolder(store)?.id ?? '',
  } = createTasksSchema.validate(body);
  const folder = store.folders.get(folderId);
  if (folder === undefined) throw notFound('Folder', folderId);
  if (folder.kind === 'bin') throw new ValidationError(formatValue(folderId), 'is the recycle bin');
  // The last task has the longest title.
  titleValue.validate(`${title} ${count}`);
  const taskIds: string[] = [];
  let last = lastPriority(store, folder.accountId);
  for (let i = 1; i <= count; i++) {
    const task = createTaskIn(store, folder, folder.sharedIds[0], clock.now(), `${title} ${i}`, last);
    last = task.priority;
    store.tasks.set(task.id, task);
    taskIds.push(task.id);
  }
  scheduleSave();
  return { taskIds };
}

export function deleteTask({ service, id }: ControlRequest) {
  const task = service.store.tasks.get(id);
  if (task === undefined) throw notFound('Task', id, 'emulator');
  if (task.scope !== 'RbTask')
    deleteStoredTask(service, findAuthor(service.store, task.accountId)?.id ?? task.authorIds[0] ?? '', task);
  return { deleted: id };
}
