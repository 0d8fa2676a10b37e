// Declares what the receiver needs from its page. The command passes in the page of a journal (../page/); the page of a sink comes with
// the storage.

import type { Context } from '#cli/context.ts';
import type { Forwarder } from '#receiver/forwarding/forwarder.ts';
import type { OnActivity } from '#receiver/intake/activity.ts';
import type { DeliveryStore } from '#receiver/intake/delivery-journal.ts';
import type { Titles } from './delivery-summary.ts';
import type { ListenFlags } from './listen-flags.ts';

export interface ReceiverPage {
  /** The address. It holds a token, which lets anyone who knows it read the deliveries. */
  readonly url: string;
  readonly onActivity: OnActivity;
  /** Called when the receiver begins to forward. */
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
