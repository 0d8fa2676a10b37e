// A task while an update is being applied to it: a copy that can be changed and thrown away, and what the effects of
// the parameters may look up. The finished draft takes the task's place in the store whole.

import type { Store, StoredAccount, StoredTask, User } from '../state/store.ts';

export type Draft = { -readonly [K in keyof StoredTask]: StoredTask[K] };

export interface UpdateContext {
  readonly store: Store;
  readonly account: StoredAccount;
  /** Who sends the update. */
  readonly user: User;
  /** Milliseconds since 1970. */
  readonly now: number;
  /** Links that begin so stay in the workspace. */
  readonly workspace: string;
}

/** Adds what is not there yet, in its order. */
export function added<T>(present: readonly T[], more: readonly T[]): readonly T[] {
  return [...new Set([...present, ...more])];
}

export function removed<T>(present: readonly T[], less: readonly T[]): readonly T[] {
  return present.filter((one) => !less.includes(one));
}
