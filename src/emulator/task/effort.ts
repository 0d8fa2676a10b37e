// Effort allocation: replaces that of a task, or updates that of some assignees.

import type { TaskUpdate } from '#contract/task.ts';
import { invalidParameter } from '../http/error-response.ts';
import type { StoredTask } from '../state/store.ts';
import type { UpdateContext } from '../update/draft.ts';
import { requireOwned, requireUsers } from '../update/references.ts';

type Effort = NonNullable<StoredTask['effortAllocation']>;
type Allocations = NonNullable<TaskUpdate['setResponsibleAllocation']>;

/** The same for all allocations to a user or placeholder. */
const assigneeKey = ({ userId, placeholderId }: Allocations[number]) => `${userId} ${placeholderId}`;

function validateAssignees(allocations: Allocations, context: UpdateContext, parameter: string): void {
  const why = 'an allocation needs either a userId or a placeholderId';
  for (const { userId, placeholderId } of allocations) {
    if ((userId === undefined) === (placeholderId === undefined))
      throw invalidParameter(parameter, why, 'allocation-assignee');
    if (userId !== undefined) requireUsers(context, parameter, [userId]);
    if (placeholderId !== undefined)
      requireOwned(context, parameter, 'a placeholder', context.store.placeholders, placeholderId);
  }
}

const sumMinutes = (allocations: Allocations) =>
  allocations
    .flatMap(({ dailyAllocation }) => dailyAllocation)
    .reduce((sum, { effortMinutes }) => sum + effortMinutes, 0);

export function replaceEffort(current: Effort | undefined, effort: Effort, context: UpdateContext): Effort {
  validateAssignees(effort.responsibleAllocation ?? [], context, 'effortAllocation');
  // Omitted members are removed, except the allocations of assignees.
  const dropsMember = Object.keys(current ?? {}).some((name) => !Object.hasOwn(effort, name));
  if (dropsMember) context.assume('effort-replaced');
  const responsibleAllocation = effort.responsibleAllocation ?? current?.responsibleAllocation;
  return responsibleAllocation === undefined
    ? effort
    : { allocatedEffort: sumMinutes(responsibleAllocation), ...effort, responsibleAllocation };
}

export function reallocate(current: Effort | undefined, allocations: Allocations, context: UpdateContext) {
  validateAssignees(allocations, context, 'setResponsibleAllocation');
  const byAssignee = new Map(
    [...(current?.responsibleAllocation ?? []), ...allocations].map((row) => [assigneeKey(row), row]),
  );
  const responsibleAllocation = [...byAssignee.values()];
  // In this mode, each day is set freely.
  const allocatedEffort = sumMinutes(responsibleAllocation);
  return { mode: 'Flexible' as const, ...current, responsibleAllocation, allocatedEffort };
}
