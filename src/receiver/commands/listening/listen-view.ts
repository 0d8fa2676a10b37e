// How `wm webhook listen` shows what happens: as lines, which suit pipes, logs and screen readers, or on a screen that is redrawn.

import type { Activity } from '#receiver/intake/activity.ts';
import type { StoredDelivery } from '#receiver/intake/stored-delivery.ts';

export interface ListenView {
  /** Returns at once. */
  show(activity: Activity): void;
  /** Resolves once the system has it; rejects if it cannot be written, with FilterFailed if the filter of --jq fails on it. */
  printDelivery(delivery: StoredDelivery): Promise<void>;
  /** Lines for the user watching; nothing with --quiet. */
  message(text: string): void;
  /** Lines that a key asked for. */
  answer(text: string): void;
  /** The same, also with --quiet. */
  warn(text: string): void;
  /** Everything has been written, and the terminal is as it was. */
  end(): Promise<void>;
}
