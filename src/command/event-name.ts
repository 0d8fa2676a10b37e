// The name of an event as a person types it: a wrong one gets a suggestion, not a list of all 45.

import { type EventName, eventNames } from '../contract/event.ts';
import { shown } from '../contract/value.ts';
import { usage } from '../failure.ts';
import { nearest } from './task/look-up/near.ts';

const most = 5;

/** Throws a usage failure that names what may have been meant; `where` is put before it, as in `--events: `. */
export function readEventName(text: unknown, where = ''): EventName {
  const found = eventNames.find((name) => name === text);
  if (found !== undefined) return found;
  const near = typeof text === 'string' ? similar(text) : [];
  throw usage(
    `${where}${shown(text)} is not the name of an event`,
    near.length > 0 ? `Did you mean ${near.join(' or ')}?` : 'See wm webhook events.',
  );
}

/** Those that hold what was typed, unless they are many; then those that are spelled alike. */
function similar(text: string): readonly string[] {
  const holding = eventNames.filter((name) => name.toLowerCase().includes(text.toLowerCase()));
  return text !== '' && holding.length > 0 && holding.length <= most ? holding : nearest(text, eventNames);
}
