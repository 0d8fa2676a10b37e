// Declares what `webhook log` and `webhook replay` read: the stored deliveries and replays of a journal on this machine, or of a sink.

import type { LastTarget } from '#cli/journal-folder.ts';
import type { StoredDelivery } from '#receiver/intake/stored-delivery.ts';
import type { JournalEntry, ReadOptions } from '#receiver/journal/read-entries.ts';
import type { Forwarding } from '../listening/forwarding-file.ts';
import type { ReplayRecorder, Replays } from './replays-file.ts';

export interface DeliveryArchive {
  readonly source: EntrySource;
  /** The journal's folder; a sink has none. */
  readonly folder: string | undefined;
  readonly replays: ReplayStore;
  /** Returns which target takes which events, if a receiver has recorded it. */
  forwarding(): Promise<Forwarding | undefined>;
  /** Returns sentences: which process forwards waiting deliveries, or how to start one. */
  describeForwarders(): Promise<string>;
  /** Returns a sentence for each target that has waiting deliveries but no longer a forwarder. */
  describeAbandoned(): Promise<readonly string[]>;
  /** Returns where deliveries were forwarded last, with at least a URL. @throws {Failure} `usage` if unknown. */
  lastTarget(): Promise<LastTarget>;
  /** Returns the failure behind an error that any of these threw; any other error as it is. */
  explain(error: unknown): Promise<unknown>;
  close(): Promise<void>;
}

export interface ReplayStore {
  /** The name for the user. */
  readonly name: string;
  read(): Promise<Replays>;
  /** Resolves to a number that changes with each new replay. */
  version(): Promise<number>;
  /** Keeps two processes from sending the same delivery. @throws {Failure} while another process replays. */
  open(): Promise<ReplayRecorder>;
}

export interface JournalBounds {
  readonly first: number;
  /** The last delivery; `first` - 1 if the journal is empty. */
  readonly last: number;
  /** Returns a delivery number before which no delivery is from this time (in milliseconds since 1970) or later. */
  firstSince(time: number): Promise<number>;
  /** Knows this even after the final attempt was dropped. */
  isUnfinished(sequence: number): boolean;
  /** The number of unfinished deliveries, and when the oldest was received, in milliseconds since 1970. */
  readonly unfinished: number;
  readonly oldestUnfinished: number | undefined;
}

export interface EntrySource {
  bounds(): Promise<JournalBounds>;
  read(options: ReadOptions): AsyncGenerator<JournalEntry>;
}

/** Reads one whole delivery; `undefined` if the journal has dropped it. */
export async function readStored(source: EntrySource, sequence: number): Promise<StoredDelivery | undefined> {
  for await (const entry of source.read({ from: sequence })) {
    if (entry.kind !== 'delivery' || entry.delivery.sequence < sequence) continue;
    return entry.delivery.sequence === sequence ? entry.delivery : undefined;
  }
  return undefined;
}
