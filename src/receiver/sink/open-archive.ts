// Opens the journal or the sink that the flags of `webhook log` and `webhook replay` name, and closes it afterwards. What reads deliveries
// does not know where they are.

import type { Context } from '#cli/context.ts';
import { usageError } from '#failure.ts';
import type { DeliveryArchive } from '../archive/deliveries/delivery-archive.ts';
import { openJournalArchive } from '../archive/deliveries/journal-archive.ts';
import { rejectNeedlessFlags, type StorageFlags } from '../archive/storage-flags.ts';

/** @throws {Failure} if the journal or sink does not exist or cannot be reached. */
export async function withDeliveryArchive(
  context: Context,
  flags: StorageFlags,
  use: (archive: DeliveryArchive) => Promise<void>,
): Promise<void> {
  const { sink, journal } = flags;
  if (sink === undefined) rejectNeedlessFlags(flags);
  else if (journal !== undefined)
    throw usageError('--sink and --journal cannot be combined', 'Leave out one of them.');
  const archive =
    sink === undefined
      ? await openJournalArchive(context, journal)
      : await (await import('./sink-archive.ts')).openSinkArchive(context, sink, flags);
  try {
    await use(archive);
  } catch (error) {
    throw await archive.explain(error);
  } finally {
    await archive.close();
  }
}
