// Takes each delivery through its states: it waits in its webhook's queue, is attempted, may wait for a retry, and ends or suspends the
// webhook. Until then it is stored, so that the next emulator with the same data file continues it.

import type { EmulatorMode } from '#contract/assumption.ts';
import { classifyDeliveryResponse, deliveryHeaders } from '#contract/delivery.ts';
import { sign } from '#contract/signature.ts';
import { randomUuid } from '#random-values.ts';
import type { World } from '#world/world.ts';
import { requireEntry } from '../state/access.ts';
import type { EmulatorClock } from '../state/clock.ts';
import type { Attempt, Delivery, Store, StoredWebhook } from '../state/store.ts';
import type { SendToReceiver } from './send-to-receiver.ts';
import { type WebhookQueue, WebhookQueues } from './webhook-queues.ts';

export type Deliveries = ReturnType<typeof createDeliveries>;

interface DeliveryDependencies extends Pick<World, 'randomBytes'> {
  readonly store: Store;
  readonly clock: EmulatorClock;
  /** Resolves when the responses of this event-loop turn are sent. */
  readonly endOfTurn: () => Promise<void>;
  readonly sendToReceiver: SendToReceiver;
  readonly settings: {
    readonly deliveryConnections: number;
    /** The intervals before the second attempt, and before the third, which is the last. */
    readonly retrySeconds: readonly [number, number];
    readonly log: (line: string) => void;
    readonly mode: EmulatorMode;
  };
}

const maxLogged = 10_000;

export function createDeliveries(dependencies: DeliveryDependencies) {
  const { store, clock, endOfTurn, sendToReceiver, settings } = dependencies;
  const hostPauses = createHostPauses(clock);
  const queues = new WebhookQueues(settings.deliveryConnections);
  /** Oldest first. */
  const log: Delivery[] = [];
  let idleWaiters: (() => void)[] = [];

  /** Stores a delivery in the data file. `due`: the time of the next attempt. */
  function save(delivery: Delivery, due: number): void {
    store.pendingDeliveries.set(idOf(delivery), { id: idOf(delivery), due, delivery });
  }

  function addToLog(delivery: Delivery): void {
    log.push(delivery);
    // Removing one at a time would move all others each time.
    if (log.length > maxLogged * 2) log.splice(0, log.length - maxLogged);
  }

  function end(delivery: Delivery, state: Exclude<Delivery['state'], 'waiting'>): void {
    delivery.state = state;
    store.pendingDeliveries.delete(idOf(delivery));
  }

  function enqueue(webhook: StoredWebhook, delivery: Delivery): void {
    queues.enqueue(webhook, delivery);
    sendNext();
  }

  function retryLater(webhook: StoredWebhook, delivery: Delivery, milliseconds: number): void {
    save(delivery, clock.now() + milliseconds);
    const { retries } = queues.queueOf(webhook);
    const enqueueNow = () => {
      retries.delete(delivery);
      enqueue(webhook, delivery);
    };
    retries.set(delivery, clock.after(milliseconds, enqueueNow));
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
    if (queue.isClosed) return end(delivery, 'dropped');
    const { webhook } = queue;
    const pauseMs = delivery.attempts.length === 0 ? 0 : hostPauses.remainingMs(webhook.hookUrl);
    if (pauseMs > 0) return retryLater(webhook, delivery, pauseMs);
    const result = await sendOnce(webhook, delivery);
    if (result === undefined) return;
    delivery.attempts.push(result);
    const { verdict } = result;
    hostPauses.record(webhook.hookUrl, verdict === 'delivered');
    const seconds = settings.retrySeconds[delivery.attempts.length - 1];
    if (verdict === 'delivered') {
      end(delivery, 'delivered');
    } else if (queue.isClosed) {
      end(delivery, 'dropped');
    } else if (verdict === 'retry' && seconds !== undefined) {
      retryLater(webhook, delivery, Math.max(seconds * 1_000, hostPauses.remainingMs(webhook.hookUrl)));
    } else {
      end(delivery, 'failed');
      suspend(webhook, delivery, verdict === 'retry');
    }
  }

  /** Undefined if the emulator stopped meanwhile: the attempt does not count, and is repeated after a restart. */
  async function sendOnce(
    { hookUrl, secret }: StoredWebhook,
    { idempotencyKey, body }: Delivery,
  ): Promise<Attempt | undefined> {
    const date = clock.timestamp();
    const headers: Record<string, string> = { [deliveryHeaders.idempotencyKey]: idempotencyKey };
    if (secret !== undefined) {
      const signature = sign(secret, body);
      headers[deliveryHeaders.signature] = signature;
      // Receivers in production require it. A receiver must not take such a delivery for a handshake.
      if (settings.mode === 'default') headers[deliveryHeaders.secret] = signature;
    }
    const response = await sendToReceiver(hookUrl, headers, body);
    if (!('fault' in response))
      return { date, result: response.status, verdict: classifyDeliveryResponse(response.status) };
    return response.fault === 'aborted' ? undefined : { date, result: response.fault, verdict: 'retry' };
  }

  /** Suspends a webhook after its delivery has failed for good, and e-mails its author if all attempts were used. */
  function suspend(webhook: StoredWebhook, delivery: Delivery, sendsMail: boolean): void {
    store.webhooks.set(webhook.id, { ...webhook, status: 'Suspended' });
    drop(webhook.id);
    if (!sendsMail) return;
    const results = delivery.attempts.map(({ result }) => String(result).replaceAll('-', ' ')).join(', ');
    const id = randomUuid(dependencies);
    store.mails.set(id, {
      id,
      to: requireEntry(store.users, webhook.authorId).email,
      subject: `The webhook ${webhook.id} was suspended`,
      text: `${webhook.hookUrl} did not accept ${delivery.eventType}: ${results}. It receives nothing until it is active again.`,
      date: clock.timestamp(),
    });
  }

  function drop(webhookId: string): void {
    for (const delivery of queues.close(webhookId)) end(delivery, 'dropped');
  }

  return {
    /** The latest deliveries, oldest first. */
    log: log as readonly Delivery[],
    add(webhook: StoredWebhook, occurrence: { readonly id: string; readonly event: string }, body: string) {
      const delivery: Delivery = {
        webhookId: webhook.id,
        hookUrl: webhook.hookUrl,
        eventType: occurrence.event,
        idempotencyKey: occurrence.id,
        body,
        attempts: [],
        state: 'waiting',
      };
      addToLog(delivery);
      save(delivery, clock.now());
      enqueue(webhook, delivery);
    },
    drop,
    /** Resolves when nothing is in flight, even if deliveries wait for a retry. */
    whenIdle: () =>
      queues.isIdle ? Promise.resolve() : new Promise<void>((resolve) => idleWaiters.push(resolve)),
    clear() {
      for (const id of store.webhooks.keys()) drop(id);
      log.length = 0;
      hostPauses.clear();
    },
    /** Continues the deliveries of the data file. */
    resume() {
      for (const { due, delivery } of store.pendingDeliveries.values()) {
        const webhook = store.webhooks.get(delivery.webhookId);
        // The delivery was dropped while it was in flight, and the emulator ended before the receiver responded.
        if (webhook?.status !== 'Active') {
          end(delivery, 'dropped');
          continue;
        }
        addToLog(delivery);
        if (due > clock.now()) retryLater(webhook, delivery, due - clock.now());
        else enqueue(webhook, delivery);
      }
    },
  };
}

/** Pauses all retries to a host for five minutes after each tenth failure in a row. */
function createHostPauses(clock: EmulatorClock) {
  const hosts = new Map<string, { failures: number; pausedUntil: number }>();
  return {
    record(hookUrl: string, isDelivered: boolean) {
      const { host } = new URL(hookUrl);
      if (isDelivered) return void hosts.delete(host);
      const state = hosts.get(host) ?? { failures: 0, pausedUntil: 0 };
      hosts.set(host, state);
      if (++state.failures % 10 === 0) state.pausedUntil = clock.now() + 300_000;
    },
    clear: () => hosts.clear(),
    remainingMs: (hookUrl: string) =>
      Math.max(0, (hosts.get(new URL(hookUrl).host)?.pausedUntil ?? 0) - clock.now()),
  };
}

/** An event is delivered to a webhook once. */
const idOf = ({ webhookId, idempotencyKey }: Delivery) => `${webhookId} ${idempotencyKey}`;
