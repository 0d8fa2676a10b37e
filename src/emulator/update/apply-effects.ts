// The one way from the parameters of a request to the stored record of a task or a folder: each parameter has an effect on a draft of
// it, which then replaces it. task/effects.ts and folder/folder-effects.ts have the tables, changes.ts finds the events that follow.

import type { AssumptionId } from '#contract/assumption.ts';
import { requireEntry } from '../state/access.ts';
import type { Folder, Store, StoredAccount, StoredTask, User } from '../state/store.ts';

export type Draft<R> = { -readonly [K in keyof R]: R[K] };

export interface UpdateContext {
  readonly store: Store;
  readonly account: StoredAccount;
  readonly user: User;
  /** The time of the update, in the format of records. */
  readonly timestamp: string;
  /** The origin of the web workspace, to tell its links from external ones. */
  readonly workspace: string;
  /** Notes that the response depends on an assumption. */
  readonly assume: (id: AssumptionId) => void;
  /** Notes a parameter that has no effect. */
  readonly ignore: (parameter: string) => void;
}

/** Appends the values that the list does not have yet. */
export function added<T>(list: readonly T[], values: readonly T[]): readonly T[] {
  return [...new Set([...list, ...values])];
}

export function removed<T>(list: readonly T[], values: readonly T[]): readonly T[] {
  return list.filter((value) => !values.includes(value));
}

export const isSame = (a: unknown, b: unknown) => a === b || JSON.stringify(a) === JSON.stringify(b);

/** The effect of each parameter on a draft `D`. They are applied in the order of the table. */
export type Effects<D, Values> = { readonly [P in keyof Values]: Effect<D, Values, P> };

type Effect<D, Values, P extends keyof Values> = (
  draft: D,
  value: Values[P],
  context: UpdateContext,
  update: Partial<Values>,
  /** Its name in the request. */
  parameter: string,
) => void;

/** Returns the changed record, or `record` itself if nothing differs. `nameOf`: in the request. Throws {@link ErrorResponse}. */
export function applyEffects<D extends { updatedDate?: string }, Values>(
  effects: Partial<Effects<D, Values>>,
  record: D,
  update: Partial<Values>,
  context: UpdateContext,
  nameOf = (parameter: string) => parameter,
): D {
  const draft = { ...record };
  let parameter: keyof Values;
  for (parameter in effects) {
    const value = update[parameter];
    if (value !== undefined) effects[parameter]?.(draft, value, context, update, nameOf(String(parameter)));
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

/** Links the task to its parent tasks: updates their lists of subtasks. */
export function storeTask(store: Store, before: StoredTask, after: StoredTask): void {
  store.tasks.set(after.id, after);
  if (before.superTaskIds === after.superTaskIds) return;
  for (const superId of new Set([...before.superTaskIds, ...after.superTaskIds])) {
    const superTask = requireEntry(store.tasks, superId);
    const isLinked = after.superTaskIds.includes(superId);
    const subTaskIds = (isLinked ? added : removed)(superTask.subTaskIds, [after.id]);
    store.tasks.set(superId, { ...superTask, subTaskIds });
  }
}

export function storeFolder(store: Store, folder: Folder): void {
  store.folders.set(folder.id, folder);
  store.tasks.noteAllChanged();
}
