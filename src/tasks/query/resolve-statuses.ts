// The statuses of --status: the four statuses that every workflow has are sent to the service; custom statuses are looked up and
// compared by wm. A name that several workflows have stands for all of their statuses.

import { findByName, nameNotFound } from '#cli/resolve/match-name.ts';
import { isIdentifier } from '#contract/identifier.ts';
import { type TypeOf, unlessInvalid } from '#contract/schema.ts';
import { type Task, taskStatus } from '#contract/task.ts';
import { listStatuses, type NamedStatus } from '../names/custom-status.ts';
import type { NameLists } from '../names/name-lists.ts';

type Group = TypeOf<typeof taskStatus>;

export interface StatusFilter {
  /** The statuses for the service's filter; undefined if the group of a custom status is unknown. */
  readonly groups: readonly Group[] | undefined;
  /** True if a custom status is among them, by which the service does not filter. */
  readonly isFilteredHere: boolean;
  readonly matches: (task: Pick<Task, 'status' | 'customStatusId'>) => boolean;
}

/** Throws a usage failure for a name that no status has. */
export async function resolveStatuses(lists: NameLists, statuses: readonly string[]): Promise<StatusFilter> {
  const groups = new Set(statuses.flatMap((status) => toGroup(status) ?? []));
  const customStatuses = statuses.filter((status) => toGroup(status) === undefined);
  if (customStatuses.length === 0)
    return {
      groups: [...groups],
      isFilteredHere: false,
      matches: ({ status }) => status === undefined || groups.has(status),
    };
  const listed = listStatuses(await lists.workflows());
  const matches = customStatuses.flatMap((status) => findStatuses(listed, status));
  const ids = new Set(matches.map(({ id }) => id));
  const customGroups = matches.flatMap(({ group }) => toGroup(group) ?? []);
  return {
    groups: customGroups.length < matches.length ? undefined : [...new Set([...groups, ...customGroups])],
    isFilteredHere: true,
    matches: ({ status, customStatusId }) =>
      (status !== undefined && groups.has(status)) ||
      (customStatusId !== undefined && ids.has(customStatusId)),
  };
}

function toGroup(status: string | undefined): Group | undefined {
  return unlessInvalid(() => taskStatus.validate(status));
}

/** An unlisted id is valid too: tasks keep a status that was removed from its workflow. */
function findStatuses(
  listed: readonly NamedStatus[],
  idOrName: string,
): readonly Pick<NamedStatus, 'id' | 'group'>[] {
  const byId = listed.filter(({ id }) => id === idOrName);
  if (byId.length > 0) return byId;
  const byName = findByName(listed, idOrName, ({ name }) => name);
  if (byName.length > 0) return byName;
  if (isIdentifier('CustomStatusId', idOrName)) return [{ id: idOrName, group: undefined }];
  const names = [...new Set([...taskStatus.choices, ...listed.flatMap(({ name }) => name || [])])];
  throw nameNotFound('status', idOrName, 'a status', names);
}
