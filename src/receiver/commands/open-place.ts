// Opens the journal or the sink that the flags of `webhook log` and `webhook replay` name.

import type { Context } from '#cli/context.ts';
import { usageError } from '#failure.ts';
import type { DeliveryPlace } from './deliveries/delivery-place.ts';
import { openJournalPlace } from './deliveries/journal-place.ts';
import type { PlaceFlags } from './deliveries/place-flags.ts';
import { rejectNeedlessFlags } from './listening/sink-flags.ts';

/** @throws {Failure} if the place does not exist or cannot be reached. */
export async function openDeliveryPlace(context: Context, given: PlaceFlags): Promise<DeliveryPlace> {
  const { sink, journal } = given;
  if (sink === undefined) {
    rejectNeedlessFlags(given);
    return openJournalPlace(context, journal);
  }
  if (journal !== undefined)
    throw usageError('--sink and --journal cannot be combined', 'Leave one of them out.');
  const { openSinkPlace } = await import('./sink-setup/sink-place.ts');
  return openSinkPlace(context, sink, given);
}
