// A custom status by its name: its id, among all workflows that the account shows.

import type { Directory } from './directory.ts';
import { ambiguous, notFound } from './not-found.ts';

/** Throws a usage failure for a name that none has, or several. */
export async function customStatusId(directory: Directory, name: string): Promise<string> {
  const workflows = await directory.workflows();
  const all = workflows.flatMap((workflow) =>
    (workflow.customStatuses ?? []).map((status) => ({
      id: status.id,
      name: status.name ?? '',
      workflow: workflow.name ?? workflow.id,
      group: status.group ?? '',
    })),
  );
  const exact = all.filter((one) => one.name === name);
  const found =
    exact.length > 0 ? exact : all.filter((one) => one.name.toLowerCase() === name.trim().toLowerCase());
  if (found.length > 1) {
    const candidates = found.map((one) => `${one.id}  ${one.name} (${one.group}), workflow ${one.workflow}`);
    throw ambiguous('custom-status', name, 'custom statuses', candidates);
  }
  const [status] = found;
  if (status) return status.id;
  throw notFound('custom-status', name, 'a custom status', all.map((one) => one.name).filter(Boolean));
}
