// Where a receiver stores deliveries, and who forwards them from there: a journal on this machine (local-storage.ts), or a sink that
// several machines share (../sink/sink-storage.ts).

import type { Context } from '#cli/context.ts';
import type { Forwarder } from '#receiver/forwarding/forwarder.ts';
import type { OnActivity } from '#receiver/intake/activity.ts';
import type { DeliveryStore } from '#receiver/intake/delivery-journal.ts';
import type { ReceivedDelivery } from '#receiver/intake/stored-delivery.ts';
import type { Titles } from './delivery-summary.ts';
import type { ForwardingRecord } from './forwarding-file.ts';
import type { ListenFlags } from './listen-flags.ts';
import type { ReceiverPage } from './receiver-page.ts';
import type { Targets } from './targets.ts';

export interface ReceiverStorage {
  readonly journal: DeliveryStore;
  /** As it is shown: the folder of the journal, or the URL of the sink. */
  readonly name: string;
  /** The folder on this machine; a sink has none. */
  readonly folder: string | undefined;
  /** The flags that name it in a command: none for the usual folder. */
  readonly flags: readonly string[];
  /** Nothing prints, unless it is asked to: other receivers store there too. */
  readonly isShared: boolean;
  /** Looks whether the delivery is a sample of a verification from this machine: it is stored, and not forwarded. */
  readonly recognizeSample?: (delivery: ReceivedDelivery) => Promise<void> | undefined;
  startForwarder(targets: Targets, onActivity: OnActivity): Promise<Forwarder>;
  /** The page of a journal is handed in by the command: see receiver-page.ts. @throws {Failure} `usage` if its port is not free. */
  readonly openPage?: (titles: Titles, by: 'listen' | 'forward') => Promise<ReceiverPage>;
  /** What `wm webhook replay` needs besides, where that is not written down. */
  replayFlags(routing: Targets['routing']): readonly string[];
  /** For `wm webhook log --stuck`. */
  recordForwarding(routing: Targets['routing']): ForwardingRecord;
  /** For `wm webhook replay`. Never rejects. */
  rememberTarget(): Promise<void>;
  /** Records that a receiver runs, and warns of what may have been missed before. Never rejects. */
  noteStart(context: Context): Promise<void>;
  /** Never rejects. */
  noteStop(): Promise<void>;
}

/** @throws {Failure} if it cannot be used. */
export type OpenReceiverStorage = (context: Context, flags: ListenFlags) => Promise<ReceiverStorage>;
