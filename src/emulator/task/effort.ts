// How much work a task is to its assignees: replacing the allocation of the whole, and updating that of some.

import type { TaskUpdate } from '../../contract/task.ts';
import { invalidParameter } from '../refusal.ts';
import type { StoredTask } from '../store.ts';
import type { Around } from './draft.ts';
import { owned, people } from './look-up.ts';

type Effort = NonNullable<StoredTask['effortAllocation']>;
type Allocations = NonNullable<TaskUpdate['setResponsibleAllocation']>;

/** Each allocation is one user's or one placeholder's. */
function whose({ userId, placeholderId }: Allocations[number], around: Around, parameter: string): string {
  if ((userId === undefined) === (placeholderId === undefined)) {
    throw invalidParameter(parameter, 'an allocation names either a userId or a placeholderId');
  }
  if (userId !== undefined) people(around, parameter, [userId]);
  if (placeholderId !== undefined) {
    owned(around, parameter, 'a placeholder', around.store.placeholders, placeholderId);
  }
  return userId ?? placeholderId ?? '';
}

const allocated = (all: Allocations) =>
  all
    .flatMap(({ dailyAllocation }) => dailyAllocation)
    .reduce((sum, { effortMinutes }) => sum + effortMinutes, 0);

export function replaceEffort(
  current: Effort | undefined,
  sent: Effort,
  around: Around,
  parameter: string,
): Effort {
  for (const one of sent.responsibleAllocation ?? []) whose(one, around, parameter);
  const kept = sent.responsibleAllocation ?? current?.responsibleAllocation;
  return kept === undefined
    ? sent
    : { allocatedEffort: allocated(kept), ...sent, responsibleAllocation: kept };
}

export function reallocate(current: Effort | undefined, sent: Allocations, around: Around): Effort {
  const all = new Map(
    (current?.responsibleAllocation ?? []).map((one) => [one.userId ?? one.placeholderId ?? '', one]),
  );
  for (const one of sent) all.set(whose(one, around, 'setResponsibleAllocation'), one);
  const responsibleAllocation = [...all.values()];
  // A task without an allocation gets the mode in which days can be chosen freely.
  return {
    mode: 'Flexible',
    ...current,
    responsibleAllocation,
    allocatedEffort: allocated(responsibleAllocation),
  };
}
