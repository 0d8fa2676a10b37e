// A custom status by its name: its id, among all workflows that the account shows.

import type { Workflow } from '../../../contract/resource.ts';
import { withName } from './by-name.ts';
import type { Directory } from './directory.ts';
import { ambiguous, notFound } from './not-found.ts';

const flag = 'custom-status';

/** Throws a usage failure for a name that none has, or several. */
export async function customStatusId(directory: Directory, name: string): Promise<string> {
  const all = statusesOf(await directory.workflows());
  const id = statusNamed(all, name);
  if (id !== undefined) return id;
  const names = all.map((one) => one.name).filter(Boolean);
  throw notFound(flag, name, 'a custom status', [...names, ...all.map((one) => one.id)], names);
}

export interface NamedStatus {
  readonly id: string;
  readonly name: string;
  readonly workflow: string;
  readonly group: string;
}

export function statusesOf(workflows: readonly Workflow[]): readonly NamedStatus[] {
  return workflows.flatMap((workflow) =>
    (workflow.customStatuses ?? []).map((status) => ({
      id: status.id,
      name: status.name ?? '',
      workflow: workflow.name ?? workflow.id,
      group: status.group ?? '',
    })),
  );
}

/** The id of the only one with this name; nothing where there is none. Throws a usage failure where there are several. */
export function statusNamed(all: readonly NamedStatus[], name: string): string | undefined {
  const found = withName(all, name, (one) => one.name);
  if (found.length > 1) {
    const candidates = found.map((one) => `${one.id}  ${one.name} (${one.group}), workflow ${one.workflow}`);
    throw ambiguous(flag, name, 'custom statuses', candidates);
  }
  return found[0]?.id;
}
