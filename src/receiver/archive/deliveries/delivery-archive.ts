// Declares what `webhook log` and `webhook replay` read: the stored deliveries and replays of a journal on this machine, or of a sink.

import type { LastTarget } from '#cli/journal-folder.ts';
import type { StoredDelivery } from '#receiver/core/intake/delivery-journal.ts';
import type { JournalEntry, ReadOptions } from '#receiver/core/journal/read-entries.ts';
import type { Forwarding } from './forwarding-file.ts';
import type { ReplayStore } from './replays-file.ts';

/** Where deliveries were forwarded last, with at least a URL; or why that is unknown. */
export type RecordedTarget = LastTarget | { readonly problem: string };

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
  lastTarget(): Promise<RecordedTarget>;
  /** Returns the failure behind an error that any of these threw; any other error as it is. */
  explain(error: unknown): Promise<unknown>;
  close(): Promise<void>;
}

export interface JournalBounds {
  readonly first: number;
  /** The last delivery; `first` - 1 if the journal is empty. */
  readonly last: number;
  /** Returns a delivery number before which no delivery is from this time (in milliseconds since 1970) or later. */
  firstSince(time: number): Promise<number>;
  /** All notes come after all deliveries. */
  readonly hasNotesLast?: true;
  /** Knows this even after the final attempt was dropped. */
  isUnfinished(sequence: number): boolean;
  /** Returns the number of unfinished deliveries, and when the oldest was received, in milliseconds since 1970. */
  backlog(): Promise<{ readonly unfinished: number; readonly oldest: number | undefined }>;
}

export interface EntrySource {
  bounds(): Promise<JournalBounds>;
  read(options: ReadOptions): AsyncGenerator<JournalEntry>;
}

/** Reads whole deliveries, given by ascending numbers. Skips any that the journal has dropped. */
export async function* readStored<D extends { readonly sequence: number }>(
  { read }: Pick<EntrySource, 'read'>,
  deliveries: readonly D[],
): AsyncGenerator<{ readonly delivery: D; readonly stored: StoredDelivery }> {
  const remaining = new Map(deliveries.map((delivery) => [delivery.sequence, delivery]));
  const selection = {
    wantsDelivery: (sequence: number) => remaining.has(sequence),
    wantsAttempt: () => false,
  };
  const from = deliveries[0]?.sequence;
  if (from === undefined) return;
  for await (const entry of read({ from, selection })) {
    const delivery = entry.kind === 'delivery' ? remaining.get(entry.delivery.sequence) : undefined;
    if (entry.kind !== 'delivery' || delivery === undefined) continue;
    yield { delivery, stored: entry.delivery };
    remaining.delete(delivery.sequence);
    if (remaining.size === 0) return;
  }
}
