// Where the page gets what it shows: from the journal of its receiver (journal-source.ts), or from a sink that several receivers and
// forwarders share (../sink/sink-source.ts).

import type { Forwarder } from '#receiver/forwarding/forwarder.ts';
import type { Activity } from '#receiver/intake/activity.ts';
import type { Attempt } from '#receiver/intake/delivery-journal.ts';
import type { StoredDelivery } from '#receiver/intake/stored-delivery.ts';
import type { KnownDelivery } from '../deliveries/known-delivery.ts';
import type { Replay } from '../deliveries/replays-file.ts';
import type { Problems, StuckTarget } from './page-messages.ts';

/** What has happened, here or in another process. */
export type PageActivity =
  | Exclude<Activity, { readonly kind: 'stored' | 'attempt' }>
  | { readonly kind: 'stored'; readonly delivery: StoredDelivery }
  /** So many were stored that are not among the last, and were not read. */
  | { readonly kind: 'passed'; readonly count: number }
  | (Attempt & { readonly detail?: string });

/** The page, to which a source says what has changed. */
export interface PageHost {
  happened(activity: PageActivity): void;
  replayed(replay: Replay): void;
  /** Shows these, the oldest first, in place of all that it shows. */
  show(deliveries: readonly KnownDelivery[]): void;
  /** Those that it shows, the oldest first. */
  shown(): readonly KnownDelivery[];
  /** An attempt that was not noted when it was made. It is not counted. */
  amend(attempt: Attempt): void;
  /** The delivery is settled: with its last attempt that was not to be repeated, or nobody knows how any more. */
  finish(sequence: number): void;
  /** The state of the source has changed. */
  changed(): void;
  /** Whether anybody has the page open. */
  isWatched(): boolean;
}

export interface PageSource {
  /** What the page shows, in a sentence; empty for a receiver's own journal. */
  readonly scope: string;
  /** With these the page begins, the oldest first. */
  first(): Promise<readonly KnownDelivery[]>;
  /** The last deliveries before this number, the oldest first, with what is known of each. */
  older(before: number, limit: number): Promise<readonly KnownDelivery[]>;
  /** `undefined` if there is none, or none any more. */
  read(sequence: number): Promise<StoredDelivery | undefined>;
  /** Says what changes, until the signal. Never rejects. */
  follow(host: PageHost, signal: AbortSignal): Promise<void>;
  /** What happens in this process: `follow` has been called before. */
  onActivity(activity: Activity): void;
  /** From now on this process forwards. */
  onReady(forwarder: Pick<Forwarder, 'state'>): void;
  /** Somebody has opened the page. */
  onOpened(): void;
  state(): SourceState;
}

export interface SourceState {
  readonly unfinished: number;
  /** Why nothing can be stored; `undefined` if it can. */
  readonly fault: string | undefined;
  readonly stale: Problems['stale'];
  readonly stuck: readonly StuckLine[];
}

/** `failure`: of an earlier time than the page has seen. */
export type StuckLine = Omit<StuckTarget, 'failure'> & { readonly failure?: string | undefined };
