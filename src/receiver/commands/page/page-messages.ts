// Declares the messages between the page of `wm webhook listen --ui` or `forward --ui` and its server, in JSON below the page's path:
//
//   GET  .../events                   server-sent events: a PageUpdate each, the first with everything
//   GET  .../deliveries?before=1042   a DeliveryList: the 100 deliveries before that number
//   GET  .../deliveries/1042          a DeliveryDetails
//   GET  .../deliveries/1042/body     the bytes of the body, as they came
//   POST .../deliveries/1042/replay   sends the delivery again: a ReplayReport
//   POST .../retry                    retries now what waits: a sentence about it, as { text }
//
// An error is a PageError. Every text of a delivery is hostile: the page shows it as text.

import type { Attempt } from '#receiver/intake/delivery-journal.ts';
import type { StoredDelivery } from '#receiver/intake/stored-delivery.ts';

/** How many deliveries the page shows at first, and how many it loads at a time. */
export const shownDeliveries = 500;
export const olderDeliveries = 100;
/** How much of a body the page shows: a browser would choke on 32 MiB of JSON. */
export const mostShownBytes = 256 * 1024;

/** The states of deliveries/logged-delivery.ts, which a browser cannot load. */
export type ShownState = 'waiting' | 'retrying' | 'forwarded' | 'dead' | 'replayed' | 'no-target' | 'unknown';

export interface DeliveryRow extends Pick<StoredDelivery, 'sequence' | 'receivedAt' | 'signature'> {
  readonly bytes: number;
  /** The event types, each once, at most ten. */
  readonly events: readonly string[];
  /** The number of events beyond the first 100; absent if 0. */
  readonly moreEvents?: number;
  /** The tasks, folders and work items of the events, each once, at most ten. */
  readonly subjects: readonly string[];
  /** The title of the first subject, if this machine knows it; otherwise empty. */
  readonly title: string;
  readonly duplicates: number;
  readonly state: ShownState;
  readonly outcome: string;
  readonly milliseconds: number;
}

export interface PageUpdate {
  /** A sentence about what the page shows; empty for a receiver's own journal. */
  readonly scope: string;
  /** True for the first update of a connection: its rows replace all others. */
  readonly isWhole: boolean;
  /** New and changed rows, newest last. */
  readonly rows: readonly DeliveryRow[];
  /** The last hour, oldest first, without empty minutes. */
  readonly minutes: readonly TrafficMinute[];
  readonly counters: Counters;
  readonly problems: Problems;
  readonly stuck: readonly StuckTarget[];
  /** The time now and at the start of the page's server, by its clock, in milliseconds since 1970. */
  readonly now: number;
  readonly startedAt: number;
}

export interface TrafficMinute {
  /** Minutes since 1970. */
  readonly minute: number;
  readonly received: number;
  readonly failed: number;
}

/** Counts since the page's server started; `unfinished` comes from the journal or the sink. */
export interface Counters {
  readonly received: number;
  readonly duplicates: number;
  readonly forwarded: number;
  readonly failedAttempts: number;
  readonly dead: number;
  readonly rejected: number;
  /** The reasons with their numbers; empty without rejections. */
  readonly rejectedFor: string;
  /** How many of the rejected requests may have been deliveries. */
  readonly lostTrust: number;
  readonly unfinished: number;
}

export interface StuckTarget {
  readonly target: string;
  /** Waiting deliveries, `retrying` of them after a failure. */
  readonly waiting: number;
  readonly retrying: number;
  /** More deliveries wait that have not been read. */
  readonly isBehind: boolean;
  /** When the oldest waiting delivery was received, in milliseconds since 1970. */
  readonly oldest: number;
  /** The outcome of the last failed attempt; empty before the first. */
  readonly failure: string;
}

export interface Problems {
  /** Why deliveries cannot be stored; `null` if they can. */
  readonly storage: string | null;
  /** Why and since when the page is out of date; `null` if it is current. */
  readonly stale: { readonly since: number; readonly why: string } | null;
  readonly targets: readonly { readonly target: string; readonly fault: string }[];
}

export interface DeliveryList {
  readonly rows: readonly DeliveryRow[];
  readonly isEnd: boolean;
}

export interface DeliveryDetails extends Pick<StoredDelivery, 'path' | 'headers'> {
  readonly row: DeliveryRow;
  readonly body: ShownBody;
  /** Oldest first. */
  readonly attempts: readonly ShownAttempt[];
}

export interface ShownBody {
  /** The text, or the beginning of a long one. */
  readonly text: string;
  readonly isWhole: boolean;
  /** False if some bytes are not UTF-8; the text then has U+FFFD in their place. */
  readonly isText: boolean;
}

/** `attempt` is 0 for a replay. */
export interface ShownAttempt
  extends Pick<Attempt, 'time' | 'target' | 'attempt' | 'milliseconds' | 'outcome'> {
  readonly verdict: Attempt['verdict'] | 'failed';
  /** The target's response, if it came in this run of the receiver. */
  readonly detail: string;
}

export interface ReplayReport {
  readonly attempts: readonly ShownAttempt[];
  /** Why the delivery was not sent to every target; empty if it was. */
  readonly problem: string;
}

export interface PageError {
  readonly error: string;
}
