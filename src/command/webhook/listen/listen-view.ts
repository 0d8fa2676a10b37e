// How `wm webhook listen` shows what happens: as lines, which suit pipes, logs and screen readers, or on a screen that is redrawn.

import type { Activity } from '../../../receiver/activity.ts';
import type { StoredDelivery } from '../../../receiver/stored-delivery.ts';

export interface ListenView {
  /** Returns at once. */
  show(activity: Activity): void;
  /** A line of its own for the delivery, as a target prints it. False if nobody can read it: then it was not printed. */
  printDelivery(delivery: StoredDelivery): Promise<boolean>;
  /** Lines for the person watching; nothing with --quiet. */
  message(text: string): void;
  /** Lines that a key asked for. */
  answer(text: string): void;
  /** The same, also with --quiet. */
  warn(text: string): void;
  /** Everything has been written, and the terminal is as it was. */
  end(): Promise<void>;
}
