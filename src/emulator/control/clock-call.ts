// Reads, stops and moves the emulator's clock. Moving it waits for the deliveries that fall due, so that what they lead
// to (a retry, a suspension) falls due in the same move.

import { timestamp, timestampValue } from '../../contract/date.ts';
import { flag, nullable, number, optional, Refused, record, shown } from '../../contract/value.ts';
import { Refusal } from '../refusal.ts';
import type { ControlCall } from './control-call.ts';

const row = record('clock', {
  /** Stops it, at this instant where there is one. */
  freeze: optional(flag),
  at: optional(nullable(timestampValue)),
  advanceSeconds: optional(number('seconds', { from: 0 })),
  resume: optional(flag),
});

/** The last year that a timestamp can tell. */
const end = Date.UTC(9999, 11, 31);

function instantOf(text: string): number {
  const at = Date.parse(text);
  // There may be no such day, though it looks like one.
  if (!(at < end)) throw new Refused(shown(text), 'is not in the calendar');
  return at;
}

export async function clockCall({ service: { clock, deliveries, changed }, body }: ControlCall) {
  const { freeze, at, advanceSeconds, resume } = row.check(body);
  if (freeze === true) clock.freeze(typeof at === 'string' ? instantOf(at) : undefined);
  if (advanceSeconds !== undefined && !(clock.now() + advanceSeconds * 1000 < end))
    throw new Refused(shown(advanceSeconds), 'is more seconds than the calendar has');
  if (advanceSeconds !== undefined && !(await clock.advance(advanceSeconds * 1000, deliveries.settled)))
    throw new Refusal(
      'invalid_request',
      'A reset came while the clock was moved: it tells the real time again',
    );
  if (resume === true) clock.resume();
  changed();
  return { now: timestamp(clock.now()), frozen: clock.frozen };
}
