// Parses the name of an event, in upper or lower case. An unknown name gets a suggestion instead of the whole list.

import { didYouMean } from '#contract/did-you-mean.ts';
import { type EventName, eventNames } from '#contract/event.ts';
import { formatValue } from '#contract/schema.ts';
import { commandHint, usageError } from '#failure.ts';

/** Throws a usage failure with a suggestion. `prefix` begins the message, as in `--events: `. */
export function parseEventName(text: unknown, prefix = ''): EventName {
  const lowerCase = String(text).toLowerCase();
  const event = eventNames.find((name) => name.toLowerCase() === lowerCase);
  if (event !== undefined) return event;
  throw usageError(
    `${prefix}${formatValue(text)} is not an event`,
    (text === '*' ? 'For every event, write all.' : didYouMean(String(text), eventNames)) ??
      commandHint('See: ', 'wm webhook events'),
  );
}
