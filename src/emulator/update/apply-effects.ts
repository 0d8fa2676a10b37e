// The one way from the parameters of a request to the stored record of a task or a folder: each parameter has an effect on a draft of
// it. task/effects.ts and folder/folder-effects.ts have the tables, changes.ts finds the events that follow.

import { isSame } from './changes.ts';
import type { UpdateContext } from './draft.ts';

/** The effect of each parameter on a draft `D`. They are applied in the order of the table. */
export type Effects<D, Values> = { readonly [P in keyof Values]: Effect<D, Values, P> };

type Effect<D, Values, P extends keyof Values> = (
  draft: D,
  value: Values[P],
  context: UpdateContext,
  update: Partial<Values>,
  parameter: P,
) => void;

/** Returns the changed record, or `record` itself if nothing differs. Throws {@link ErrorResponse}. */
export function applyEffects<D extends { updatedDate?: string }, Values>(
  effects: Partial<Effects<D, Values>>,
  record: D,
  update: Partial<Values>,
  context: UpdateContext,
): D {
  const draft = { ...record };
  let parameter: keyof Values;
  for (parameter in effects) {
    const value = update[parameter];
    if (value !== undefined) effects[parameter]?.(draft, value, context, update, parameter);
  }
  if (isUnchanged(draft, record)) return record;
  draft.updatedDate = context.timestamp;
  return draft;
}

/** An effect deletes a member only where another one changes too. */
function isUnchanged<D>(draft: D, record: D): boolean {
  for (const name in draft) if (!isSame(draft[name], record[name])) return false;
  return true;
}
