// Takes each delivery through its states: it waits in its webhook's queue, is attempted, may wait for a retry, and ends. Until then
// it is stored, so that the next emulator with the same data file continues it.

import type { EmulatorMode } from '#contract/assumption.ts';
import { formatTimestamp } from '#contract/date.ts';
import { classifyDeliveryResponse, deliveryHeaders } from '#contract/delivery.ts';
import { sign } from '#contract/signature.ts';
import type { EmulatorClock } from '../state/clock.ts';
import type { Attempt, Delivery } from '../state/delivery.ts';
import type { Store, StoredWebhook } from '../state/store.ts';
import type { HostPauses } from './host-pauses.ts';
import type { Occurrence } from './occurrence.ts';
import { createRetrySchedule, nextStep } from './retry-schedule.ts';
import type { SendToReceiver } from './send-to-receiver.ts';
import { type WebhookQueue, WebhookQueues } from './webhook-queues.ts';

export type Deliveries = ReturnType<typeof createDeliveries>;

interface DeliveryDependencies {
  readonly store: Store;
  readonly scheduleSave: () => void;
  readonly clock: EmulatorClock;
  /** Resolves when the responses of this event-loop turn are sent. */
  readonly endOfTurn: () => Promise<void>;
  readonly sendToReceiver: SendToReceiver;
  readonly settings: {
    readonly deliveryConnections: number;
    readonly retrySeconds: readonly number[];
    readonly log: (line: string) => void;
    readonly mode: EmulatorMode;
  };
  readonly hostPauses: HostPauses;
  /** Called when a delivery has failed for good. `exhausted`: after the last retry, not because of a rejection. */
  readonly onFailed: (webhook: StoredWebhook, delivery: Delivery, exhausted: boolean) => void;
}

export function createDeliveries(dependencies: DeliveryDependencies) {
  const { store, clock, endOfTurn, sendToReceiver, settings, hostPauses, onFailed } = dependencies;
  const pending = createPendingDeliveries(dependencies);
  const queues = new WebhookQueues(settings.deliveryConnections);
  const retries = createRetrySchedule(clock, enqueue);
  const log = createDeliveryLog();
  let idleWaiters: (() => void)[] = [];

  function enqueue(webhook: StoredWebhook, delivery: Delivery): void {
    queues.enqueue(webhook, delivery);
    sendNext();
  }

  function sendNext(): void {
    for (let next = queues.take(); next !== undefined; next = queues.take())
      void send(next.queue, next.delivery);
    if (!queues.isIdle) return;
    const waiters = idleWaiters;
    idleWaiters = [];
    for (const resolve of waiters) resolve();
  }

  async function send(queue: WebhookQueue, delivery: Delivery): Promise<void> {
    try {
      await attempt(queue, delivery);
    } catch (error) {
      settings.log(`delivery to ${queue.webhook.hookUrl}: ${String(error)}`);
    }
    queues.release(queue);
    sendNext();
  }

  async function attempt(queue: WebhookQueue, delivery: Delivery): Promise<void> {
    // The client that made the change gets its response first, as from the service, which is further away.
    await endOfTurn();
    if (queue.isClosed) {
      pending.end(delivery, 'dropped');
      return;
    }
    const { webhook } = queue;
    const result = await attemptDelivery(sendToReceiver, webhook, delivery, clock.now(), settings.mode);
    if (result === undefined) return;
    delivery.attempts.push(result);
    hostPauses.record(webhook.hookUrl, result.verdict === 'delivered');
    scheduleNext(queue, delivery);
  }

  function scheduleNext({ webhook, isClosed }: WebhookQueue, delivery: Delivery): void {
    const next = nextStep(delivery.attempts, settings.retrySeconds);
    if (next.step === 'delivered') {
      pending.end(delivery, 'delivered');
    } else if (isClosed) {
      pending.end(delivery, 'dropped');
    } else if (next.step === 'retry') {
      const milliseconds = next.afterMs + hostPauses.remainingMs(webhook.hookUrl);
      pending.save(delivery, clock.now() + milliseconds);
      retries.add(webhook, delivery, milliseconds);
    } else {
      pending.end(delivery, 'failed');
      onFailed(webhook, delivery, next.step === 'exhausted');
    }
  }

  function drop(webhookId: string): void {
    for (const delivery of [...retries.cancel(webhookId), ...queues.close(webhookId)])
      pending.end(delivery, 'dropped');
  }

  return {
    /** The latest deliveries, oldest first. */
    get log(): readonly Delivery[] {
      return log.entries;
    },
    add(webhook: StoredWebhook, { id: idempotencyKey, event: eventType }: Occurrence, body: string) {
      const { id: webhookId, hookUrl } = webhook;
      const delivery: Delivery = {
        webhookId,
        hookUrl,
        eventType,
        idempotencyKey,
        body,
        attempts: [],
        state: 'waiting',
      };
      log.add(delivery);
      pending.save(delivery, clock.now());
      enqueue(webhook, delivery);
    },
    drop,
    /** Resolves when nothing is in flight, even if deliveries wait for a retry. */
    whenIdle: () =>
      queues.isIdle ? Promise.resolve() : new Promise<void>((resolve) => idleWaiters.push(resolve)),
    clear() {
      for (const id of store.webhooks.keys()) drop(id);
      log.clear();
      hostPauses.clear();
    },
    /** Continues the deliveries of the data file. */
    resume() {
      for (const { due, delivery } of store.pendingDeliveries.values()) {
        const webhook = store.webhooks.get(delivery.webhookId);
        // The delivery was dropped while it was in flight, and the emulator ended before the receiver responded.
        if (webhook?.status !== 'Active') {
          pending.end(delivery, 'dropped');
          continue;
        }
        log.add(delivery);
        if (due > clock.now()) retries.add(webhook, delivery, due - clock.now());
        else enqueue(webhook, delivery);
      }
    },
  };
}

/** The deliveries that the data file stores. */
function createPendingDeliveries({
  store,
  scheduleSave,
}: Pick<DeliveryDependencies, 'store' | 'scheduleSave'>) {
  // An event is delivered to a webhook once.
  const idOf = ({ webhookId, idempotencyKey }: Delivery) => `${webhookId} ${idempotencyKey}`;
  return {
    /** `due`: the time of the next attempt. */
    save(delivery: Delivery, due: number) {
      const id = idOf(delivery);
      store.pendingDeliveries.set(id, { id, due, delivery });
      scheduleSave();
    },
    end(delivery: Delivery, state: Exclude<Delivery['state'], 'waiting'>) {
      delivery.state = state;
      store.pendingDeliveries.delete(idOf(delivery));
      scheduleSave();
    },
  };
}

/** Undefined if the emulator stopped meanwhile: the attempt does not count, and is repeated after a restart. */
export async function attemptDelivery(
  sendToReceiver: SendToReceiver,
  { hookUrl, secret }: StoredWebhook,
  { idempotencyKey, body }: Delivery,
  now: number,
  mode: EmulatorMode,
): Promise<Attempt | undefined> {
  const headers: Record<string, string> = { [deliveryHeaders.idempotencyKey]: idempotencyKey };
  if (secret !== undefined) {
    const signature = sign(secret, body);
    headers[deliveryHeaders.signature] = signature;
    // Receivers in production require it. A receiver must not take such a delivery for a handshake.
    if (mode === 'default') headers[deliveryHeaders.secret] = signature;
  }
  const date = formatTimestamp(now);
  const response = await sendToReceiver(hookUrl, headers, body);
  if (!('fault' in response))
    return { date, result: response.status, verdict: classifyDeliveryResponse(response.status) };
  return response.fault === 'aborted' ? undefined : { date, result: response.fault, verdict: 'retry' };
}

const maxEntries = 10_000;

export function createDeliveryLog() {
  const entries: Delivery[] = [];
  return {
    entries,
    add(delivery: Delivery) {
      entries.push(delivery);
      // Removing one at a time would move all others each time.
      if (entries.length > maxEntries * 2) entries.splice(0, entries.length - maxEntries);
    },
    clear() {
      entries.length = 0;
    },
  };
}
