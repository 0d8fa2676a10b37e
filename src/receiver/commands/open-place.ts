// Opens what `webhook log` and `webhook replay` read: the journal, or the sink that their flags name.

import type { Context } from '#cli/context.ts';
import { usageError } from '#failure.ts';
import type { DeliveryPlace } from './deliveries/delivery-place.ts';
import { openJournalPlace } from './deliveries/journal-place.ts';
import type { PlaceFlags } from './deliveries/place-flags.ts';
import { rejectNeedlessFlags } from './listening/sink-flags.ts';

/** @throws {Failure} if there is none, or it cannot be reached. */
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
