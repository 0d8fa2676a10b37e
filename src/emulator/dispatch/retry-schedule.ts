// What follows from an attempt (the end of the delivery, or another attempt after an interval), and the deliveries that wait
// for theirs on the emulator's clock.

import { maxDeliveryAttempts } from '#contract/delivery.ts';
import type { EmulatorClock } from '../state/clock.ts';
import type { Attempt, Delivery } from '../state/delivery.ts';
import type { StoredWebhook } from '../state/store.ts';

/** `exhausted`: the last attempt could have been retried, but there is none left. */
export type NextStep =
  | { readonly step: 'delivered' | 'rejected' | 'exhausted' }
  | { readonly step: 'retry'; readonly afterMs: number };

/** `retrySeconds`: the interval before the second attempt, and before the third. */
export function nextStep(attempts: readonly Attempt[], retrySeconds: readonly number[]): NextStep {
  const verdict = attempts.at(-1)?.verdict;
  if (verdict === 'delivered') return { step: 'delivered' };
  if (verdict !== 'retry') return { step: 'rejected' };
  const seconds = retrySeconds[attempts.length - 1];
  if (seconds === undefined || attempts.length >= maxDeliveryAttempts) return { step: 'exhausted' };
  return { step: 'retry', afterMs: seconds * 1000 };
}

export function createRetrySchedule(
  clock: Pick<EmulatorClock, 'after'>,
  onDue: (webhook: StoredWebhook, delivery: Delivery) => void,
) {
  const timers = new Map<string, Map<Delivery, () => void>>();
  return {
    add(webhook: StoredWebhook, delivery: Delivery, milliseconds: number) {
      const own = timers.get(webhook.id) ?? new Map<Delivery, () => void>();
      timers.set(webhook.id, own);
      const cancel = clock.after(milliseconds, () => {
        own.delete(delivery);
        onDue(webhook, delivery);
      });
      own.set(delivery, cancel);
    },
    /** Cancels the retries of a webhook, and returns what waited for one. */
    cancel(webhookId: string) {
      const own = timers.get(webhookId) ?? new Map<Delivery, () => void>();
      timers.delete(webhookId);
      for (const cancel of own.values()) cancel();
      return [...own.keys()];
    },
  };
}
