// Reads, stops and moves the emulator's clock. Moving it waits for the deliveries that fall due, so that what they lead
// to (a retry, a suspension) falls due in the same move.

import { formatTimestamp, timestampSchema } from '../../contract/date.ts';
import {
  boolean,
  formatValue,
  nullable,
  number,
  object,
  optional,
  ValidationError,
} from '../../contract/schema.ts';
import { ErrorResponse } from '../http/error-response.ts';
import type { ControlRequest } from './control-request.ts';

const clockSchema = object('clock', {
  /** Stops it, at this instant where there is one. */
  freeze: optional(boolean),
  at: optional(nullable(timestampSchema)),
  advanceSeconds: optional(number('seconds', { from: 0 })),
  resume: optional(boolean),
});

/** The last year that a timestamp can tell. */
const end = Date.UTC(9999, 11, 31);

function parseInstant(text: string): number {
  const at = Date.parse(text);
  // There may be no such day, though it looks like one.
  if (!(at < end)) throw new ValidationError(formatValue(text), 'is not in the calendar');
  return at;
}

export async function clockEndpoint({ service: { clock, deliveries, scheduleSave }, body }: ControlRequest) {
  const { freeze, at, advanceSeconds, resume } = clockSchema.validate(body);
  if (freeze === true) clock.freeze(typeof at === 'string' ? parseInstant(at) : undefined);
  if (advanceSeconds !== undefined && !(clock.now() + advanceSeconds * 1000 < end))
    throw new ValidationError(formatValue(advanceSeconds), 'is more seconds than the calendar has');
  if (advanceSeconds !== undefined && !(await clock.advance(advanceSeconds * 1000, deliveries.whenIdle)))
    throw new ErrorResponse(
      'invalid_request',
      'A reset came while the clock was moved: it tells the real time again',
    );
  if (resume === true) clock.resume();
  scheduleSave();
  return { now: formatTimestamp(clock.now()), frozen: clock.frozen };
}
