// Declares how `wm webhook listen` shows activity: as lines, for pipes, logs and screen readers, or on a redrawn screen.

import type { Activity } from '#receiver/intake/activity.ts';
import type { StoredDelivery } from '#receiver/intake/stored-delivery.ts';
import type { TitleCache } from './delivery-summary.ts';

export const printTargetName = 'print';

export interface ViewOptions {
  readonly titles: TitleCache;
  /** True with targets besides standard output. */
  readonly forwards: boolean;
  readonly hasSeveralTargets: boolean;
  /** Other processes forward the same deliveries, so this one may not learn the outcome. */
  readonly isShared: boolean;
  /** Called when the reader of the lines has gone, maybe more than once. */
  readonly onReaderGone: () => void;
}

export interface ListenView {
  /** Returns at once. */
  show(activity: Activity): void;
  /** Resolves once the system has the bytes. Rejects if it cannot take them, with FilterFailed if the --jq filter fails. */
  printDelivery(delivery: StoredDelivery): Promise<void>;
  /** Shows lines to the user, except with --quiet. */
  message(text: string): void;
  /** Shows lines that a key asked for. */
  reply(text: string): void;
  /** Shows lines to the user, even with --quiet. */
  warn(text: string): void;
  /** Resolves once everything is written and the terminal is restored. */
  end(): Promise<void>;
}
