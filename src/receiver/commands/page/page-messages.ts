// The messages between the page of `wm webhook listen --ui`, or `forward --ui`, and its server, all of them JSON and below the page's path:
//
//   GET  .../events                   server-sent events: a PageUpdate each, the first with everything
//   GET  .../deliveries?before=1042   a DeliveryList: the 100 deliveries before that number
//   GET  .../deliveries/1042          a DeliveryDetails
//   GET  .../deliveries/1042/body     the bytes of the body, as they came
//   POST .../deliveries/1042/replay   sends the delivery again: a ReplayReport
//
// An error is a PageError. Every text of a delivery is hostile: the page shows it as text.

/** How many deliveries the page shows at first, and how many more it gets at a time. */
export const shownDeliveries = 500;
export const olderDeliveries = 100;
/** How much of a body is shown: a browser would choke on 32 MiB of JSON. */
export const mostShownBytes = 256 * 1024;

/** Those of deliveries/known-delivery.ts, which a browser cannot load. */
export type ShownState = 'waiting' | 'retrying' | 'forwarded' | 'dead' | 'replayed' | 'no-target' | 'unknown';

export interface DeliveryRow {
  readonly sequence: number;
  /** Milliseconds since 1970. */
  readonly receivedAt: number;
  readonly bytes: number;
  /** The names of its events, each once, at most ten. */
  readonly events: readonly string[];
  /** How many events follow after the first 100; absent if there are none. */
  readonly moreEvents?: number;
  /** The tasks, folders and work items that they are about, each once, at most ten. */
  readonly subjects: readonly string[];
  /** The title of the first of them, if this machine knows it; otherwise empty. */
  readonly title: string;
  readonly signature: 'valid' | 'unsigned';
  readonly duplicates: number;
  readonly state: ShownState;
  /** The outcome of the last attempt; empty before the first. */
  readonly outcome: string;
  readonly milliseconds: number;
}

export interface PageUpdate {
  /** What the page shows, in a sentence; empty for a receiver's own journal. */
  readonly scope: string;
  /** It replaces everything before it: the first update of a connection. */
  readonly isWhole: boolean;
  /** New ones, and those that have changed; the newest last. */
  readonly rows: readonly DeliveryRow[];
  /** Those that have changed. */
  readonly minutes: readonly TrafficMinute[];
  readonly counters: Counters;
  readonly problems: Problems;
  readonly stuck: readonly StuckTarget[];
  /** The clock of the server, and what it was when the page's server started, in milliseconds since 1970. */
  readonly now: number;
  readonly startedAt: number;
}

/** What happened within a minute. */
export interface TrafficMinute {
  /** Minutes since 1970. */
  readonly minute: number;
  readonly received: number;
  /** Attempts that failed, and requests that were rejected. */
  readonly failed: number;
}

/** Since the page's server started; `unfinished` is what the journal, or the sink, says. */
export interface Counters {
  readonly received: number;
  readonly duplicates: number;
  readonly forwarded: number;
  readonly failedAttempts: number;
  readonly dead: number;
  readonly rejected: number;
  /** Why, with numbers; empty if there are none. */
  readonly rejectedFor: string;
  /** How many of them may have been deliveries. */
  readonly lostTrust: number;
  readonly unfinished: number;
}

/** A target that does not accept deliveries, or that nothing reaches. */
export interface StuckTarget {
  readonly target: string;
  /** `retrying` of them have failed. */
  readonly waiting: number;
  readonly retrying: number;
  /** There are more, which have not been read. */
  readonly isBehind: boolean;
  /** When the oldest of them was received, in milliseconds since 1970. */
  readonly oldest: number;
  /** What came of the last attempt that failed; empty before the first. */
  readonly failure: string;
}

export interface Problems {
  /** Why nothing can be stored; `null` if it can. */
  readonly storage: string | null;
  /** Why what the page shows is no longer current, and since when; `null` if it is. */
  readonly stale: { readonly since: number; readonly why: string } | null;
  /** The targets that cannot be reached. */
  readonly targets: readonly { readonly target: string; readonly fault: string }[];
}

export interface DeliveryList {
  readonly rows: readonly DeliveryRow[];
  /** There are none before them. */
  readonly isEnd: boolean;
}

export interface DeliveryDetails {
  readonly row: DeliveryRow;
  readonly path: string;
  readonly headers: readonly (readonly [name: string, value: string])[];
  readonly body: ShownBody;
  /** The oldest first. */
  readonly attempts: readonly ShownAttempt[];
}

export interface ShownBody {
  /** The beginning, if the body is long. */
  readonly text: string;
  readonly isWhole: boolean;
  /** False if some of its bytes are not UTF-8: the text has U+FFFD in their place. */
  readonly isText: boolean;
}

export interface ShownAttempt {
  readonly time: number;
  readonly target: string;
  /** 0 for a replay. */
  readonly attempt: number;
  readonly milliseconds: number;
  readonly outcome: string;
  readonly verdict: 'forwarded' | 'retry' | 'dead' | 'failed';
  /** What the target responded, if this run of the receiver knows it. */
  readonly detail: string;
}

export interface ReplayReport {
  readonly attempts: readonly ShownAttempt[];
  /** Why it was not sent, or not to each target; empty if it was. */
  readonly problem: string;
}

export interface PageError {
  readonly error: string;
}
