// Decides after an attempt whether the delivery ends or is attempted again after an interval, and holds the deliveries that wait for
// a retry on the emulator's clock.

import { maxDeliveryAttempts } from '#contract/delivery.ts';
import type { EmulatorClock } from '../state/clock.ts';
import type { Attempt, Delivery } from '../state/delivery.ts';
import type { StoredWebhook } from '../state/store.ts';

/** `exhausted`: the last attempt asked for a retry, but no attempt remains. */
type NextStep =
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
      const ofWebhook = timers.get(webhook.id) ?? new Map<Delivery, () => void>();
      timers.set(webhook.id, ofWebhook);
      const cancel = clock.after(milliseconds, () => {
        ofWebhook.delete(delivery);
        onDue(webhook, delivery);
      });
      ofWebhook.set(delivery, cancel);
    },
    /** Cancels the retries of a webhook, and returns their deliveries. */
    cancel(webhookId: string) {
      const ofWebhook = timers.get(webhookId) ?? new Map<Delivery, () => void>();
      timers.delete(webhookId);
      for (const cancel of ofWebhook.values()) cancel();
      return [...ofWebhook.keys()];
    },
  };
}
