// A mutable copy of a record, which replaces it once all parameters of an update are applied, and the context of their effects.

import type { AssumptionId } from '#contract/assumption.ts';
import type { Store, StoredAccount, User } from '../state/store.ts';

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
