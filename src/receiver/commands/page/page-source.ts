// Declares the source of the page: the journal of its receiver (../journal-setup/journal-page.ts), or a sink that several receivers and
// forwarders share (../sink-setup/sink-page.ts).

import type { Activity } from '#receiver/intake/activity.ts';
import type { Attempt } from '#receiver/intake/delivery-journal.ts';
import type { StoredDelivery } from '#receiver/intake/stored-delivery.ts';
import type { LoggedDelivery } from '../deliveries/logged-delivery.ts';
import type { Replay } from '../deliveries/replays-file.ts';
import type { Problems, StuckTarget } from './page-messages.ts';

export type PageActivity =
  | Exclude<Activity, { readonly kind: 'stored' | 'attempt' }>
  | { readonly kind: 'stored'; readonly delivery: StoredDelivery }
  /** The number of deliveries that were stored but not read. */
  | { readonly kind: 'passed'; readonly count: number }
  | Attempt;

export interface PageHost {
  onActivity(activity: PageActivity): void;
  onReplay(replay: Replay): void;
  /** Replaces all rows by these deliveries, oldest first. */
  replaceAll(deliveries: readonly LoggedDelivery[]): void;
  onStateChange(): void;
  isWatched(): boolean;
}

export interface PageSource {
  readonly scope: string;
  /** The deliveries that the page begins with, oldest first. */
  first(): Promise<readonly LoggedDelivery[]>;
  /** The last deliveries before this number, oldest first. */
  older(before: number, limit: number): Promise<readonly LoggedDelivery[]>;
  read(sequence: number): Promise<StoredDelivery | undefined>;
  /** Reports changes to the host until the signal. Never rejects. */
  follow(host: PageHost, signal: AbortSignal): Promise<void>;
  /** Passes on an activity of this process. Called after `follow`. */
  onActivity(activity: Activity): void;
  onOpened(): void;
  state(): SourceState;
}

export interface SourceState {
  readonly unfinished: number;
  readonly fault: string | undefined;
  readonly stale: Problems['stale'];
  readonly stuck: readonly SourceStuckTarget[];
}

/** `failure`: one from before the page was opened. */
export type SourceStuckTarget = Omit<StuckTarget, 'failure'> & { readonly failure?: string | undefined };
