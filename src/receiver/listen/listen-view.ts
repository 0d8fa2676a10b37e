// Declares how `wm webhook listen` shows activity: as lines, for pipes, logs and screen readers, or on a redrawn screen.

import type { Titles } from '../archive/deliveries/delivery-summary.ts';
import type { Activity, StoredDelivery } from '../core/intake/delivery-journal.ts';

export const printTargetName = 'print';

export interface ViewOptions {
  readonly titles: Titles;
  /** `forwards`: there are targets besides standard output. */
  readonly targets: { readonly forwards: boolean; readonly all: readonly unknown[] };
  /** `isShared`: other processes forward the same deliveries, so this one may not learn the outcome. */
  readonly storage: { readonly isShared: boolean };
  /** Called for q, when the terminal closes, and when the reader of the lines has gone; maybe more than once. */
  readonly quit: () => void;
}

export interface ListenView {
  /** Returns at once. */
  show(activity: Activity): void;
  /** Resolves once the system has the bytes. Rejects if it cannot take them, with FilterFailed if the --jq filter fails. */
  printDelivery(delivery: StoredDelivery): Promise<void>;
  /** Shows lines to the user, except with --quiet. */
  message(text: string): void;
  reply(text: string): void;
  /** Shows lines to the user, even with --quiet. */
  warn(text: string): void;
  /** Resolves once everything is written and the terminal is restored. */
  end(): Promise<void>;
}
