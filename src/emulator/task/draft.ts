// A task while an update is applied to it: a mutable copy that replaces the task in the store once all parameters are
// applied, and the context that the effects of the parameters need.

import type { AssumptionId } from '#contract/assumption.ts';
import type { Store, StoredAccount, StoredTask, User } from '../state/store.ts';

export type Draft = { -readonly [K in keyof StoredTask]: StoredTask[K] };

export interface UpdateContext {
  readonly store: Store;
  readonly account: StoredAccount;
  /** Who sends the update. */
  readonly user: User;
  /** The time of the update, in the form of records. */
  readonly timestamp: string;
  /** The origin of the web workspace: links to it do not leave it. */
  readonly workspace: string;
  /** Notes that the response depends on a row of the assumptions. */
  readonly assume: (id: AssumptionId) => void;
}

/** Appends values that are not present yet. */
export function added<T>(present: readonly T[], more: readonly T[]): readonly T[] {
  return [...new Set([...present, ...more])];
}

export function removed<T>(present: readonly T[], less: readonly T[]): readonly T[] {
  return present.filter((one) => !less.includes(one));
}
