// Declares the parts of the page, and above all its source: the journal of its receiver (../listen/journal-page.ts), or a sink that
// several receivers and forwarders share (../sink/sink-page.ts).

import type { World } from '#world/world.ts';
import type { Titles } from '../archive/deliveries/delivery-summary.ts';
import type { LoggedDelivery } from '../archive/deliveries/logged-delivery.ts';
import type { Replay } from '../archive/deliveries/replays-file.ts';
import type { TargetState } from '../core/forwarding/target-line.ts';
import type { Activity, Attempt, OnActivity, StoredDelivery } from '../core/intake/delivery-journal.ts';
import type { SendAgain } from './page-replay.ts';

/** How many deliveries the page shows at first, and at most if the user asks for no older ones. */
export const shownDeliveries = 500;

export interface PageParts {
  readonly world: Pick<World, 'server' | 'clock' | 'randomBytes'>;
  /** 0 picks a free port. */
  readonly port: number;
  readonly source: PageSource;
  readonly command: string;
  readonly titleOf: Titles['find'];
  /** `undefined` without a target. */
  readonly replay: SendAgain | undefined;
  /** `ReceiverStorage.retryNow` */
  readonly retryNow?: () => string;
}

export interface ReceiverPage {
  /** The address. It holds a token, which lets anyone who knows it read the deliveries. */
  readonly url: string;
  readonly onActivity: OnActivity;
  close(): Promise<void>;
}

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
  /** A sentence about what the page shows; empty for a receiver's own journal. */
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
  /** Why deliveries cannot be stored. */
  readonly fault: string | undefined;
  /** Why and since when the page is out of date; `null` if it is current. */
  readonly stale: { readonly since: number; readonly why: string } | null;
  readonly stuck: readonly StuckTarget[];
}

/** `waiting` includes `retrying`. `failure`: one from before the page was opened. */
export interface StuckTarget extends Pick<TargetState, 'target' | 'waiting' | 'retrying' | 'isBehind'> {
  /** When the oldest waiting delivery was received, in milliseconds since 1970. */
  readonly oldest: number;
  readonly failure?: string | undefined;
}
