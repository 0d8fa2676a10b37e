// Removes repeated ids that were typed for one update: pipelines through xargs often repeat them.

import { parseLink } from '../input/permalink.ts';

export interface DistinctIds {
  /** As they were typed, the first where a task was named more than once. */
  readonly ids: readonly string[];
  /** The ids of the tasks that were named more than once. */
  readonly repeated: readonly string[];
}

export function distinctIds(typed: readonly string[]): DistinctIds {
  const ids = new Map<string, string>();
  const repeated = new Set<string>();
  for (const one of typed) {
    const parsed = parseLink(one);
    // A link without an id is rejected later, with its reason.
    const id = 'problem' in parsed ? one : parsed.id;
    if (ids.has(id)) repeated.add(id);
    else ids.set(id, one);
  }
  return { ids: [...ids.values()], repeated: [...repeated] };
}
