// Resolves a custom status by its name, among all workflows of the account.

import { ambiguousName, findByName, nameNotFound } from '#cli/resolve/match-name.ts';
import type { Workflow } from '#contract/read-only-records.ts';
import type { NameLists } from './name-lists.ts';

const flag = 'custom-status';

/** Throws a usage failure for a name that is not found or not unique. */
export async function resolveCustomStatus(lists: NameLists, name: string): Promise<string> {
  const hasName = (workflows: readonly Workflow[]) =>
    findStatusByName(listStatuses(workflows), name) !== undefined;
  const statuses = listStatuses(await lists.workflows(hasName));
  const id = findStatusByName(statuses, name);
  if (id !== undefined) return id;
  const names = statuses.map((status) => status.name).filter(Boolean);
  throw nameNotFound(flag, name, 'a custom status', [...names, ...statuses.map((status) => status.id)], {
    listed: names,
    listCommand: lists.listCommand?.('workflow list', 'status'),
  });
}

export type NamedStatus = ReturnType<typeof listStatuses>[number];

export function listStatuses(workflows: readonly Workflow[]) {
  return workflows.flatMap((workflow) =>
    (workflow.customStatuses ?? []).map((status) => ({
      id: status.id,
      name: status.name ?? '',
      workflow: workflow.name ?? workflow.id,
      group: status.group,
    })),
  );
}

/** The id of the only status with this name; undefined for none. Throws a usage failure for several. */
export function findStatusByName(statuses: readonly NamedStatus[], name: string): string | undefined {
  const matches = findByName(statuses, name, (status) => status.name);
  if (matches.length > 1) throw ambiguousName(flag, name, 'custom statuses', matches.map(describeStatus));
  return matches[0]?.id;
}

function describeStatus({ id, name, workflow, group }: NamedStatus): string {
  return `${id}  ${name}${group === undefined ? '' : ` (${group})`}, workflow ${workflow}`;
}
