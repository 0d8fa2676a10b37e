// Explains an empty list of tasks: what was searched, and how to search more.

import type { ListFlags } from './list-flags.ts';
import type { TaskQuery } from './task-query.ts';

/** `read`: how many tasks the service returned, none of which matches. */
export function describeEmpty(
  { conditions }: Pick<TaskQuery, 'conditions'>,
  { folder, space, recursive }: ListFlags,
  read: number,
): string {
  const result =
    conditions.length === 0 ? 'No tasks that you can see.' : `No tasks ${conditions.join(', ')}.`;
  const searched =
    read === 0 ? [] : [`Searched ${read.toLocaleString('en')} ${read === 1 ? 'task' : 'tasks'}.`];
  const below =
    (folder === undefined && space === undefined) || recursive === true
      ? []
      : ['The folders below were not searched: --recursive includes them.'];
  return [result, ...searched, ...below].join('\n');
}
