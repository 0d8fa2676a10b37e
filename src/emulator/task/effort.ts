// Effort allocation: replaces the allocation of the whole task, or updates that of some assignees.

import type { TaskUpdate } from '#contract/task.ts';
import { invalidParameter } from '../http/error-response.ts';
import type { StoredTask } from '../state/store.ts';
import type { UpdateContext } from './draft.ts';
import { requireOwned, requireUsers } from './references.ts';

type Effort = NonNullable<StoredTask['effortAllocation']>;
type Allocations = NonNullable<TaskUpdate['setResponsibleAllocation']>;

/** A key that allocations to the same user or placeholder share. */
const assigneeOf = ({ userId, placeholderId }: Allocations[number]) => `${userId} ${placeholderId}`;

function validateAssignee(
  { userId, placeholderId }: Allocations[number],
  context: UpdateContext,
  parameter: string,
): void {
  if ((userId === undefined) === (placeholderId === undefined)) {
    throw invalidParameter(
      parameter,
      'an allocation needs either a userId or a placeholderId',
      'allocation-assignee',
    );
  }
  if (userId !== undefined) requireUsers(context, parameter, [userId]);
  if (placeholderId !== undefined) {
    requireOwned(context, parameter, 'a placeholder', context.store.placeholders, placeholderId);
  }
}

const sumMinutes = (all: Allocations) =>
  all
    .flatMap(({ dailyAllocation }) => dailyAllocation)
    .reduce((sum, { effortMinutes }) => sum + effortMinutes, 0);

export function replaceEffort(
  current: Effort | undefined,
  sent: Effort,
  context: UpdateContext,
  parameter: string,
): Effort {
  for (const one of sent.responsibleAllocation ?? []) validateAssignee(one, context, parameter);
  // Its members are all optional but the mode: what is not sent is gone, but for the allocations of assignees.
  const dropped = Object.keys(current ?? {}).some((name) => !Object.hasOwn(sent, name));
  if (dropped) context.assume('effort-replaced');
  const responsibleAllocation = sent.responsibleAllocation ?? current?.responsibleAllocation;
  return responsibleAllocation === undefined
    ? sent
    : { allocatedEffort: sumMinutes(responsibleAllocation), ...sent, responsibleAllocation };
}

export function reallocate(current: Effort | undefined, sent: Allocations, context: UpdateContext): Effort {
  for (const one of sent) validateAssignee(one, context, 'setResponsibleAllocation');
  const all = new Map(
    [...(current?.responsibleAllocation ?? []), ...sent].map((one) => [assigneeOf(one), one]),
  );
  const responsibleAllocation = [...all.values()];
  // A task without an allocation gets the mode in which each day is set freely.
  return {
    mode: 'Flexible',
    ...current,
    responsibleAllocation,
    allocatedEffort: sumMinutes(responsibleAllocation),
  };
}
