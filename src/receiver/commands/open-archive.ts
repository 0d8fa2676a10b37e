// Opens the journal or the sink that the flags of `webhook log` and `webhook replay` name, and closes it afterwards.

import type { Context } from '#cli/context.ts';
import { usageError } from '#failure.ts';
import type { DeliveryArchive } from './deliveries/delivery-archive.ts';
import { openJournalArchive } from './deliveries/journal-archive.ts';
import { rejectNeedlessFlags, type StorageFlags } from './listening/storage-flags.ts';

/** @throws {Failure} if the journal or sink does not exist or cannot be reached. */
export async function withDeliveryArchive(
  context: Context,
  flags: StorageFlags,
  use: (archive: DeliveryArchive) => Promise<void>,
): Promise<void> {
  const archive = await openArchive(context, flags);
  try {
    await use(archive);
  } catch (error) {
    throw await archive.explain(error);
  } finally {
    await archive.close();
  }
}

async function openArchive(context: Context, flags: StorageFlags): Promise<DeliveryArchive> {
  const { sink, journal } = flags;
  if (sink === undefined) {
    rejectNeedlessFlags(flags);
    return openJournalArchive(context, journal);
  }
  if (journal !== undefined)
    throw usageError('--sink and --journal cannot be combined', 'Leave out one of them.');
  const { openSinkArchive } = await import('./sink-setup/sink-archive.ts');
  return openSinkArchive(context, sink, flags);
}
