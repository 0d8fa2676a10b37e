// Tasks as a picker lists them: by title, with folder and age. Their ids are not shown, since nobody has to know them, unless two
// tasks have the same title; the filter finds a task by its id all the same.

import type { Entry } from '../../../terminal/picker/entry.ts';
import { formatRelativeTime } from '../../../terminal/relative-time.ts';
import type { NameOf } from '../display/columns.ts';
import type { FoundTask } from './find-tasks.ts';

export function toTaskEntries(
  tasks: readonly FoundTask[],
  folderName: NameOf,
  now: number,
): readonly Entry<FoundTask>[] {
  const titles = tasks.map(({ title }) => title);
  const hasTwins = new Set(titles).size < titles.length;
  return tasks.map((task) => ({
    title: task.title ?? task.id,
    details: [
      ...(hasTwins ? [task.id] : []),
      task.folderIds.flatMap((id) => folderName(id) ?? []).join(', '),
      formatAge(task.updatedDate, now),
    ],
    search: [task.id],
    value: task,
  }));
}

function formatAge(updated: string | undefined, now: number): string {
  const at = Date.parse(updated ?? '');
  return Number.isNaN(at) ? '' : `updated ${formatRelativeTime(at, now)}`;
}
