// What the receiver needs of a page that shows it. The page itself is in ../page/, which reads the journal as `wm webhook log` does,
// so the command hands it in. That of a sink comes with its storage.

import type { Context } from '#cli/context.ts';
import type { Forwarder } from '#receiver/forwarding/forwarder.ts';
import type { OnActivity } from '#receiver/intake/activity.ts';
import type { DeliveryStore } from '#receiver/intake/delivery-journal.ts';
import type { Titles } from './delivery-summary.ts';
import type { ListenFlags } from './listen-flags.ts';

export interface ReceiverPage {
  /** With a token: whoever knows it can read the deliveries. */
  readonly url: string;
  readonly onActivity: OnActivity;
  /** From now on deliveries are forwarded. */
  onReady(forwarder: Pick<Forwarder, 'state'>): void;
  close(): Promise<void>;
}

export interface PagePlace {
  readonly folder: string;
  readonly journal: Pick<DeliveryStore, 'read' | 'state'>;
  readonly titles: Titles;
}

/** @throws {Failure} `usage` if its port is not free. */
export type OpenReceiverPage = (
  context: Context,
  flags: ListenFlags,
  place: PagePlace,
) => Promise<ReceiverPage>;
