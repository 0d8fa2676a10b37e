// Sends events to receivers: one at a time and in order to each webhook, a bounded number at once in all; retries on the
// emulator's clock, suspends what fails for good, and keeps a log of every attempt.

import { formatTimestamp } from '../../contract/date.ts';
import {
  classifyDeliveryResponse,
  deliveryHeaders,
  maxDeliveryAttempts as mostAttempts,
} from '../../contract/delivery.ts';
import { sign } from '../../contract/signature.ts';
import type { Settings } from '../service/settings.ts';
import type { EmulatorClock } from '../state/clock.ts';
import type { Delivery } from '../state/delivery.ts';
import type { Store, StoredWebhook } from '../state/store.ts';
import type { HostPauses } from './host-pauses.ts';
import type { Occurrence } from './occurrence.ts';
import type { Post } from './post.ts';
import { Queue } from './queue.ts';

export interface Deliveries {
  add(webhook: StoredWebhook, occurrence: Occurrence, body: string): void;
  /** Gives up what waits for this webhook. */
  drop(webhookId: string): void;
  /** Resolves once nothing is on its way; what waits for a retry does not count. */
  whenIdle(): Promise<void>;
  /** The latest, oldest first. */
  readonly log: readonly Delivery[];
  clear(): void;
  /** Goes on with what a file has kept. */
  resume(): void;
}

interface Lane {
  readonly webhook: StoredWebhook;
  readonly queue: Queue<Delivery>;
  readonly retries: Map<Delivery, () => void>;
  busy: boolean;
  /** Its webhook was suspended or deleted; what is on its way is the last. */
  closed: boolean;
}

const longestLog = 10_000;

interface DeliveryDependencies {
  readonly store: Store;
  readonly scheduleSave: () => void;
  readonly clock: EmulatorClock;
  /** Resolves where the answers of this turn of the event loop leave. */
  readonly endOfTurn: () => Promise<void>;
  readonly post: Post;
  readonly settings: Settings;
  readonly hostPauses: HostPauses;
  /** Called when a delivery has failed for good; `mail`: the author is told. */
  readonly onFailed: (webhook: StoredWebhook, delivery: Delivery, mail: boolean) => void;
}

export function createDeliveries(needs: DeliveryDependencies): Deliveries {
  const { store, scheduleSave, clock, endOfTurn, post, settings, hostPauses, onFailed } = needs;
  const lanes = new Map<string, Lane>();
  const ready = new Queue<Lane>();
  const log: Delivery[] = [];
  let underway = 0;
  let waiters: (() => void)[] = [];

  function laneOf(webhook: StoredWebhook): Lane {
    const lane = lanes.get(webhook.id) ?? {
      webhook,
      queue: new Queue(),
      retries: new Map(),
      busy: false,
      closed: false,
    };
    lanes.set(webhook.id, lane);
    return lane;
  }

  function keep(delivery: Delivery, due: number): void {
    const id = idOf(delivery);
    store.pendingDeliveries.set(id, { id, due, delivery });
    scheduleSave();
  }

  function end(delivery: Delivery, state: Delivery['state']): void {
    delivery.state = state;
    store.pendingDeliveries.delete(idOf(delivery));
    scheduleSave();
  }

  function wait(lane: Lane, delivery: Delivery, milliseconds: number): void {
    const cancel = clock.after(milliseconds, () => {
      lane.retries.delete(delivery);
      enqueue(lane, delivery);
    });
    lane.retries.set(delivery, cancel);
  }

  function enter(delivery: Delivery): void {
    log.push(delivery);
    if (log.length > longestLog * 2) log.splice(0, log.length - longestLog);
  }

  function enqueue(lane: Lane, delivery: Delivery): void {
    lane.queue.push(delivery);
    if (!lane.busy) {
      lane.busy = true;
      ready.push(lane);
    }
    pump();
  }

  function pump(): void {
    while (underway < settings.deliveryConnections) {
      const lane = ready.shift();
      if (lane === undefined) break;
      const delivery = lane.queue.shift();
      if (delivery === undefined || delivery.state !== 'waiting') {
        goOn(lane);
        continue;
      }
      underway++;
      void attempt(lane, delivery)
        .catch((error: unknown) => settings.log(`delivery to ${lane.webhook.hookUrl}: ${String(error)}`))
        .then(() => {
          underway--;
          goOn(lane);
          pump();
        });
    }
    if (underway === 0 && ready.length === 0) {
      const now = waiters;
      waiters = [];
      for (const wake of now) wake();
    }
  }

  /** A lane with more to send goes behind the others. */
  function goOn(lane: Lane): void {
    if (lane.queue.length > 0) ready.push(lane);
    else lane.busy = false;
  }

  async function attempt(lane: Lane, delivery: Delivery): Promise<void> {
    const { webhook } = lane;
    // Whoever made the change hears of it from the answer to the call first, as from a service further away.
    await endOfTurn();
    if (lane.closed) return end(delivery, 'dropped');
    const headers: Record<string, string> = { [deliveryHeaders.idempotencyKey]: delivery.idempotencyKey };
    if (webhook.secret !== undefined)
      headers[deliveryHeaders.signature] = sign(webhook.secret, delivery.body);
    const date = formatTimestamp(clock.now());
    const answer = await post(webhook.hookUrl, headers, delivery.body);
    // The emulator itself stops: nobody was asked, and it is sent again when there is one.
    if ('fault' in answer && answer.fault === 'aborted') return;
    const verdict = 'fault' in answer ? 'retry' : classifyDeliveryResponse(answer.status);
    delivery.attempts.push({ date, result: 'fault' in answer ? answer.fault : answer.status, verdict });
    hostPauses.record(webhook.hookUrl, verdict === 'delivered');
    if (delivery.state !== 'waiting') return;
    if (verdict === 'delivered') {
      end(delivery, 'delivered');
    } else if (lane.closed) {
      end(delivery, 'dropped');
    } else if (verdict === 'retry' && delivery.attempts.length < mostAttempts) {
      const seconds = settings.retrySeconds[delivery.attempts.length - 1] ?? 0;
      const pause = seconds * 1000 + hostPauses.remainingMs(webhook.hookUrl);
      keep(delivery, clock.now() + pause);
      wait(lane, delivery, pause);
    } else {
      end(delivery, 'failed');
      onFailed(webhook, delivery, verdict === 'retry');
    }
  }

  return {
    log,
    add(webhook, { id, event }, body) {
      const { hookUrl } = webhook;
      const delivery: Delivery = {
        webhookId: webhook.id,
        hookUrl,
        eventType: event,
        idempotencyKey: id,
        body,
        attempts: [],
        state: 'waiting',
      };
      enter(delivery);
      keep(delivery, clock.now());
      enqueue(laneOf(webhook), delivery);
    },
    drop(webhookId) {
      const lane = lanes.get(webhookId);
      if (lane === undefined) return;
      lanes.delete(webhookId);
      lane.closed = true;
      for (const [delivery, cancel] of lane.retries) {
        cancel();
        end(delivery, 'dropped');
      }
      for (let next = lane.queue.shift(); next !== undefined; next = lane.queue.shift()) end(next, 'dropped');
    },
    whenIdle() {
      if (underway === 0 && ready.length === 0) return Promise.resolve();
      return new Promise((resolve) => waiters.push(resolve));
    },
    clear() {
      for (const id of [...lanes.keys()]) this.drop(id);
      log.length = 0;
      hostPauses.clear();
    },
    resume() {
      for (const { due, delivery } of store.pendingDeliveries.values()) {
        const webhook = store.webhooks.get(delivery.webhookId);
        if (webhook?.status !== 'Active') {
          end(delivery, 'dropped');
          continue;
        }
        enter(delivery);
        if (due > clock.now()) wait(laneOf(webhook), delivery, due - clock.now());
        else enqueue(laneOf(webhook), delivery);
      }
    },
  };
}

/** An event goes to a webhook once. */
function idOf({ webhookId, idempotencyKey }: Delivery): string {
  return `${webhookId} ${idempotencyKey}`;
}
