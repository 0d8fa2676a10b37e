// Reads, stops and moves the emulator's clock. Moving it waits for the deliveries that fall due, so that what they lead
// to (a retry, a suspension) falls due in the same move.

import { timestamp, timestampValue } from '../../contract/date.ts';
import { flag, nullable, number, optional, Refused, record, shown } from '../../contract/value.ts';
import { ErrorResponse } from '../http/error-response.ts';
import type { ControlRequest } from './control-request.ts';

const clockSchema = record('clock', {
  /** Stops it, at this instant where there is one. */
  freeze: optional(flag),
  at: optional(nullable(timestampValue)),
  advanceSeconds: optional(number('seconds', { from: 0 })),
  resume: optional(flag),
});

/** The last year that a timestamp can tell. */
const end = Date.UTC(9999, 11, 31);

function parseInstant(text: string): number {
  const at = Date.parse(text);
  // There may be no such day, though it looks like one.
  if (!(at < end)) throw new Refused(shown(text), 'is not in the calendar');
  return at;
}

export async function clockEndpoint({ service: { clock, deliveries, scheduleSave }, body }: ControlRequest) {
  const { freeze, at, advanceSeconds, resume } = clockSchema.check(body);
  if (freeze === true) clock.freeze(typeof at === 'string' ? parseInstant(at) : undefined);
  if (advanceSeconds !== undefined && !(clock.now() + advanceSeconds * 1000 < end))
    throw new Refused(shown(advanceSeconds), 'is more seconds than the calendar has');
  if (advanceSeconds !== undefined && !(await clock.advance(advanceSeconds * 1000, deliveries.whenIdle)))
    throw new ErrorResponse(
      'invalid_request',
      'A reset came while the clock was moved: it tells the real time again',
    );
  if (resume === true) clock.resume();
  scheduleSave();
  return { now: timestamp(clock.now()), frozen: clock.frozen };
}
