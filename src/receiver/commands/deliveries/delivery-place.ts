// Where stored deliveries are read from and replays are recorded: a journal on this machine, or a sink that several receivers share.

import type { LastTarget } from '#cli/journal-folder.ts';
import type { Forwarding } from '../listening/forwarding-file.ts';
import type { EntrySource } from './entry-source.ts';
import type { ReplayRecorder, Replays } from './replays-file.ts';

export interface DeliveryPlace {
  readonly source: EntrySource;
  /** The folder on this machine; a sink has none. */
  readonly folder: string | undefined;
  readonly replays: ReplayStore;
  /** Which target takes what, if a receiver has written it down. */
  forwarding(): Promise<Forwarding | undefined>;
  /** Who forwards what waits, or what to run if nobody does: sentences. */
  describeForwarders(): Promise<string>;
  /** The targets that something waits for although nobody forwards to them any more: a sentence for each. */
  describeAbandoned(): Promise<readonly string[]>;
  /** Where deliveries were forwarded last: to a URL at least. @throws {Failure} `usage` if nobody knows. */
  lastTarget(): Promise<LastTarget>;
  close(): Promise<void>;
}

export interface ReplayStore {
  /** As it is shown. */
  readonly name: string;
  read(): Promise<Replays>;
  /** Changes when there are more. */
  version(): Promise<number>;
  /** @throws {Failure} while another process replays: no delivery is sent by two at once. */
  open(): Promise<ReplayRecorder>;
}
