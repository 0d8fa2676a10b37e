// Reads, freezes and advances the emulator's clock. Advancing waits for the deliveries that become due, so that what follows
// from them (a retry, a suspension) can become due as well.

import { timestampSchema } from '../../contract/date.ts';
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
  /** Stops the clock, now or at this instant. */
  freeze: optional(boolean),
  at: optional(nullable(timestampSchema)),
  advanceSeconds: optional(number('seconds', { from: 0 })),
  resume: optional(boolean),
});

/** The end of the last year that a timestamp can express. */
const end = Date.UTC(9999, 11, 31);

function parseInstant(text: string): number {
  const at = Date.parse(text);
  // The day may not exist, as in 2026-02-30.
  if (!(at < end)) throw new ValidationError(formatValue(text), 'is not a day in the calendar');
  return at;
}

export async function clockEndpoint({ service: { clock, deliveries, scheduleSave }, body }: ControlRequest) {
  const { freeze, at, advanceSeconds, resume } = clockSchema.validate(body);
  if (resume === true && (freeze === true || advanceSeconds !== undefined))
    throw new ValidationError('resume', 'cannot be combined with freeze or advanceSeconds');
  if (freeze === true) clock.freeze(typeof at === 'string' ? parseInstant(at) : undefined);
  if (advanceSeconds !== undefined && !(clock.now() + advanceSeconds * 1000 < end))
    throw new ValidationError(formatValue(advanceSeconds), 'goes beyond the year 9999');
  if (advanceSeconds !== undefined && !(await clock.advance(advanceSeconds * 1000, deliveries.whenIdle)))
    throw new ErrorResponse(
      'invalid_request',
      'The emulator was reset while the clock advanced: it shows the real time again',
      { because: 'emulator' },
    );
  if (resume === true) clock.resume();
  scheduleSave();
  return { now: clock.timestamp(), frozen: clock.frozen };
}
