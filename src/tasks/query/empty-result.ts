// Why a list of tasks is empty: what was searched, and what would search more.

import type { ListFlags } from './list-flags.ts';
import type { TaskQuery } from './task-query.ts';

/** `read`: how many tasks the service returned, none of which matches. */
export function describeEmpty(
  { conditions }: Pick<TaskQuery, 'conditions'>,
  { folder, space, recursive }: ListFlags,
  read: number,
): string {
  const found = conditions.length === 0 ? 'No tasks that you can see.' : `No tasks ${conditions.join(', ')}.`;
  const searched =
    read === 0 ? [] : [`Searched ${read.toLocaleString('en')} ${read === 1 ? 'task' : 'tasks'}.`];
  const below =
    (folder === undefined && space === undefined) || recursive === true
      ? []
      : ['The folders below were not searched: --recursive includes them.'];
  return [found, ...searched, ...below].join('\n');
}
