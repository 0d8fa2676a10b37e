// Which delivery is sent next: each webhook has a lane, whose deliveries are sent one at a time and in order; lanes take
// turns, and a bounded number of deliveries is in flight in all.

import type { Delivery } from '../state/delivery.ts';
import type { StoredWebhook } from '../state/store.ts';
import { Queue } from './queue.ts';

/** The deliveries of a webhook until it is suspended or deleted; made active again, it gets a new lane. */
export interface Lane {
  readonly webhook: StoredWebhook;
  readonly waiting: Queue<Delivery>;
  /** It waits for its turn, or its delivery is in flight. */
  isBusy: boolean;
  /** Nothing more is sent; a delivery in flight is the last. */
  isClosed: boolean;
}

export class Lanes {
  readonly #byWebhook = new Map<string, Lane>();
  /** Those that wait for their turn, in order. */
  readonly #ready = new Queue<Lane>();
  readonly #maxInFlight: number;
  #inFlight = 0;

  constructor(maxInFlight: number) {
    this.#maxInFlight = maxInFlight;
  }

  /** Puts a delivery at the end of its webhook's lane. */
  enqueue(webhook: StoredWebhook, delivery: Delivery): void {
    const lane = this.#laneOf(webhook);
    lane.waiting.push(delivery);
    if (lane.isBusy) return;
    lane.isBusy = true;
    this.#ready.push(lane);
  }

  /** The next delivery, if one may be sent now: it counts as in flight until its lane is released. */
  take(): { readonly lane: Lane; readonly delivery: Delivery } | undefined {
    while (this.#inFlight < this.#maxInFlight) {
      const lane = this.#ready.shift();
      if (lane === undefined) return undefined;
      const delivery = lane.waiting.shift();
      // A lane that was closed while it waited for its turn has none.
      if (delivery === undefined) continue;
      this.#inFlight++;
      return { lane, delivery };
    }
    return undefined;
  }

  /** Ends the turn of a lane: with more to send it goes behind the others. */
  release(lane: Lane): void {
    this.#inFlight--;
    if (lane.waiting.length > 0) this.#ready.push(lane);
    else lane.isBusy = false;
  }

  /** Closes a webhook's lane, and returns what waited in it. */
  close(webhookId: string): readonly Delivery[] {
    const lane = this.#byWebhook.get(webhookId);
    if (lane === undefined) return [];
    this.#byWebhook.delete(webhookId);
    lane.isClosed = true;
    const dropped: Delivery[] = [];
    for (let next = lane.waiting.shift(); next !== undefined; next = lane.waiting.shift()) dropped.push(next);
    return dropped;
  }

  /** Nothing is in flight or could be; what waits for a retry is in no lane. */
  get isIdle(): boolean {
    return this.#inFlight === 0 && this.#ready.length === 0;
  }

  #laneOf(webhook: StoredWebhook): Lane {
    const lane = this.#byWebhook.get(webhook.id) ?? {
      webhook,
      waiting: new Queue<Delivery>(),
      isBusy: false,
      isClosed: false,
    };
    this.#byWebhook.set(webhook.id, lane);
    return lane;
  }
}
