// The labels that a file gives, by the ids of the webhooks that have them now.

import type { Applied } from './applied.ts';
import type { PlanItem } from './hooks-plan.ts';

/** A webhook that may be another entry's gets none: a wrong name is worse than none. */
export function labelsOf(items: readonly PlanItem[], done: readonly Applied[]): ReadonlyMap<string, string> {
  const found = new Map<string, string>();
  const add = (id: string | undefined, label: string | undefined) => {
    if (id !== undefined && label !== undefined) found.set(id, label);
  };
  for (const item of items)
    if (item.change === 'same' && item.isCertain) add(item.facts.id, item.entry.label);
  for (const { item, webhook } of done)
    if (item.change !== 'blocked' && 'entry' in item) add(webhook?.record.id, item.entry.label);
  return found;
}
