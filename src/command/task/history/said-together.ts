// What several updates of one task have said, as if one had said it: whoever puts them back has to know every field and
// every entry that one of them touched, and no more of the values than that.

import type { TaskUpdate } from '../../../contract/task.ts';
import { merged } from '../many/merged.ts';

export function saidTogether(first: TaskUpdate, next: TaskUpdate): TaskUpdate {
  const both = merged(first, next);
  return first.dates && next.dates ? { ...both, dates: { ...first.dates, ...next.dates } } : both;
}
