// Chooses the next delivery. Each webhook has a queue, sent in order and one at a time; queues take turns within a limit.

import type { Delivery, StoredWebhook } from '../state/store.ts';

/** The deliveries of a webhook until it is suspended or deleted. When it is resumed, it gets a new queue. */
export interface WebhookQueue {
  readonly webhook: StoredWebhook;
  readonly waiting: Queue<Delivery>;
  /** The deliveries that wait for a retry, each with the function that cancels it. */
  readonly retries: Map<Delivery, () => void>;
  /** The queue waits for its turn, or its delivery is in flight. */
  isBusy: boolean;
  /** If closed, the delivery in flight is the last one. */
  isClosed: boolean;
}

export class WebhookQueues {
  readonly #byWebhook = new Map<string, WebhookQueue>();
  readonly #ready = new Queue<WebhookQueue>();
  readonly #maxInFlight: number;
  #inFlight = 0;

  constructor(maxInFlight: number) {
    this.#maxInFlight = maxInFlight;
  }

  enqueue(webhook: StoredWebhook, delivery: Delivery): void {
    const queue = this.queueOf(webhook);
    queue.waiting.push(delivery);
    if (queue.isBusy) return;
    queue.isBusy = true;
    this.#ready.push(queue);
  }

  /** The next delivery, if any may be sent now. It counts as in flight until its queue is released. */
  take(): { readonly queue: WebhookQueue; readonly delivery: Delivery } | undefined {
    while (this.#inFlight < this.#maxInFlight) {
      const queue = this.#ready.shift();
      if (queue === undefined) return undefined;
      const delivery = queue.waiting.shift();
      // The queue was closed while it waited for its turn.
      if (delivery === undefined) continue;
      this.#inFlight++;
      return { queue, delivery };
    }
    return undefined;
  }

  /** Ends the turn of a queue, which goes behind the others if it has more to send. */
  release(queue: WebhookQueue): void {
    this.#inFlight--;
    if (queue.waiting.length > 0) this.#ready.push(queue);
    else queue.isBusy = false;
  }

  /** Closes a webhook's queue, and returns the deliveries that it has not sent. */
  close(webhookId: string): readonly Delivery[] {
    const queue = this.#byWebhook.get(webhookId);
    if (queue === undefined) return [];
    this.#byWebhook.delete(webhookId);
    queue.isClosed = true;
    for (const cancel of queue.retries.values()) cancel();
    const dropped = [...queue.retries.keys()];
    for (let next = queue.waiting.shift(); next !== undefined; next = queue.waiting.shift())
      dropped.push(next);
    return dropped;
  }

  /** Nothing is in flight or ready to send. Deliveries may wait for a retry. */
  get isIdle(): boolean {
    return this.#inFlight === 0 && this.#ready.length === 0;
  }

  queueOf(webhook: StoredWebhook): WebhookQueue {
    const queue = this.#byWebhook.get(webhook.id) ?? {
      webhook,
      waiting: new Queue<Delivery>(),
      retries: new Map<Delivery, () => void>(),
      isBusy: false,
      isClosed: false,
    };
    this.#byWebhook.set(webhook.id, queue);
    return queue;
  }
}

export class Queue<T> {
  #items: (T | undefined)[] = [];
  #head = 0;

  get length(): number {
    return this.#items.length - this.#head;
  }

  push(item: T): void {
    this.#items.push(item);
  }

  shift(): T | undefined {
    const item = this.#items[this.#head];
    if (this.length === 0) return undefined;
    this.#items[this.#head++] = undefined;
    if (this.#head > 1_000 && this.#head * 2 > this.#items.length) {
      this.#items = this.#items.slice(this.#head);
      this.#head = 0;
    }
    return item;
  }
}
