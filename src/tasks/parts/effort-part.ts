// The effort of a task is one part: mode, total, and the allocations of each assignee, which one parameter replaces and
// another updates. Undo sends all of it, since the service keeps allocations that an update leaves out.

import { isDeepStrictEqual } from 'node:util';
import type { Task, TaskUpdate } from '#contract/task.ts';
import { noValueText, type Part, withMembers } from './part.ts';

type Effort = NonNullable<Task['effortAllocation']>;

/** No allocations and an empty list are the same; so are no allocated effort and 0 minutes. */
function readEffort({ effortAllocation }: Task): Effort | undefined {
  if (effortAllocation === undefined) return undefined;
  const { responsibleAllocation = [], allocatedEffort = 0, ...rest } = effortAllocation;
  return { ...rest, responsibleAllocation, allocatedEffort };
}

function invertEffort({ effortAllocation: before }: Task) {
  if (before === undefined)
    return { notRestorable: 'the effort: there was none before, and no request removes it' } as const;
  const { responsibleAllocation = [] } = before;
  return { update: { effortAllocation: { ...before, responsibleAllocation } } };
}

const commonMembers = {
  name: 'effort',
  members: ['effortAllocation'],
  read: readEffort,
  format: ({ effortAllocation }) => (effortAllocation ? JSON.stringify(effortAllocation) : noValueText),
  copy: ({ effortAllocation }, onto) => withMembers(onto, { effortAllocation }),
  inverse: invertEffort,
} as const satisfies Partial<Part>;

export function effortPart(sent: Effort): Part {
  return {
    ...commonMembers,
    apply: (task) => withMembers(task, { effortAllocation: { ...task.effortAllocation, ...sent } }),
    matches: ({ effortAllocation: now }) => now !== undefined && isDeepStrictEqual({ ...now, ...sent }, now),
  };
}

export function allocationPart(sent: NonNullable<TaskUpdate['setResponsibleAllocation']>): Part {
  const assigneeOf = ({ userId, placeholderId }: (typeof sent)[number]) => userId ?? placeholderId;
  const assignees = new Set(sent.map(assigneeOf));
  return {
    ...commonMembers,
    apply(task) {
      const current = task.effortAllocation ?? { mode: 'Flexible' };
      const { responsibleAllocation: all = [] } = current;
      const others = all.filter((allocation) => !assignees.has(assigneeOf(allocation)));
      const responsibleAllocation = [...others, ...sent];
      return withMembers(task, { effortAllocation: { ...current, responsibleAllocation } });
    },
    matches: ({ effortAllocation: now }) =>
      now !== undefined &&
      sent.every((allocation) => {
        const isOfAssignee = (other: typeof allocation) => assigneeOf(other) === assigneeOf(allocation);
        return isDeepStrictEqual(now.responsibleAllocation?.find(isOfAssignee), allocation);
      }),
  };
}
