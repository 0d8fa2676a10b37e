// Declares the storage of a receiver: a journal on this machine (local-storage.ts), or a sink that several machines share
// (../sink/sink-storage.ts).

import type { Context } from '#cli/context.ts';
import type { Titles } from '../archive/deliveries/delivery-summary.ts';
import type { Targets } from '../archive/replaying/targets.ts';
import type { Forwarder } from '../core/forwarding/forwarder.ts';
import type { DeliveryStore, OnActivity, ReceivedDelivery } from '../core/intake/delivery-journal.ts';
import type { ReceiverPage } from '../page/page-source.ts';

export interface ReceiverStorage {
  readonly journal: DeliveryStore;
  /** The name for the user: the folder of the journal, or the URL of the sink. */
  readonly name: string;
  /** The journal's folder; a sink has none. */
  readonly folder: string | undefined;
  /** The flags that name the storage in a command; empty for the default folder. */
  readonly flags: readonly string[];
  /** For the `loopHeader`: from this process, or from any that shares the sink. */
  readonly loop: string;
  /** Retries now what waits for its next attempt, and returns a sentence about it. A sink cannot. */
  retryNow?(): string;
  /** Other receivers store here too, so deliveries are printed only on request. */
  readonly isShared: boolean;
  /** Recognises a sample of a verification from this machine, which is stored but not forwarded. */
  readonly recognizeSample?: (delivery: ReceivedDelivery) => Promise<void> | undefined;
  /** Also records the targets, and which of them cannot be reached, for `wm webhook log --stuck`. */
  startForwarder(targets: Targets, onActivity: OnActivity): Promise<Forwarder>;
  /** @throws {Failure} `usage` if the port is not free. */
  openPage(titles: Titles, commandName: 'listen' | 'forward'): Promise<ReceiverPage>;
  /** The flags that `wm webhook replay` needs for targets that are not recorded. */
  replayFlags?(routing: Targets['routing']): readonly string[];
  /** Records the targets for `wm webhook replay`. Never rejects. */
  rememberTarget?(): Promise<void>;
  /** Records the start, and warns of deliveries that may have been missed before. Never rejects. */
  noteStart?(context: Context): Promise<void>;
  /** Never rejects. */
  noteStop(): Promise<void>;
}
