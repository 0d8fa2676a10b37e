// The statuses of --status: the four that every workflow has are sent to the service, custom ones are looked up and compared
// by wm. A custom status that several workflows have means all of them.

import { findByName, nameNotFound } from '#cli/resolve/match-name.ts';
import { isIdentifier } from '#contract/identifier.ts';
import { type TypeOf, unlessInvalid } from '#contract/schema.ts';
import { type Task, taskStatus } from '#contract/task.ts';
import type { Name } from '../input/unresolved-update.ts';
import { listStatuses, type NamedStatus } from '../names/custom-status.ts';
import type { NameLists } from '../names/name-lists.ts';

type Group = TypeOf<typeof taskStatus>;

export interface StatusFilter {
  /** The statuses for the service's filter; undefined if the group of a custom status is unknown. */
  readonly groups: readonly Group[] | undefined;
  /** True if they include a custom status, by which the service does not filter. */
  readonly isFilteredHere: boolean;
  readonly matches: (task: Pick<Task, 'status' | 'customStatusId'>) => boolean;
}

/** Throws a usage failure for a name that no status has. */
export async function resolveStatuses(
  lists: NameLists,
  given: readonly (string | Name)[],
): Promise<StatusFilter> {
  const groups = new Set(given.flatMap((one) => toGroup(one) ?? []));
  const others = given.filter((one) => toGroup(one) === undefined);
  if (others.length === 0)
    return {
      groups: [...groups],
      isFilteredHere: false,
      matches: ({ status }) => status === undefined || groups.has(status),
    };
  const all = listStatuses(await lists.workflows());
  const custom = others.flatMap((one) => findStatuses(all, one));
  const ids = new Set(custom.map(({ id }) => id));
  const customGroups = custom.flatMap(({ group }) => toGroup(group) ?? []);
  return {
    groups: customGroups.length < custom.length ? undefined : [...new Set([...groups, ...customGroups])],
    isFilteredHere: true,
    matches: ({ status, customStatusId }) =>
      (status !== undefined && groups.has(status)) ||
      (customStatusId !== undefined && ids.has(customStatusId)),
  };
}

function toGroup(given: string | Name | undefined): Group | undefined {
  return unlessInvalid(() => taskStatus.validate(given));
}

/** An id that is not listed may still be one: tasks keep a status that was removed from its workflow. */
function findStatuses(
  all: readonly NamedStatus[],
  given: string | Name,
): readonly Pick<NamedStatus, 'id' | 'group'>[] {
  const text = typeof given === 'string' ? given : given.name;
  const found = all.filter(({ id }) => id === text);
  if (found.length > 0) return found;
  const named = findByName(all, text, ({ name }) => name);
  if (named.length > 0) return named;
  if (isIdentifier('CustomStatusId', text)) return [{ id: text, group: undefined }];
  const names = [...new Set([...taskStatus.choices, ...all.flatMap(({ name }) => name || [])])];
  throw nameNotFound('status', text, 'a status', names);
}
