// A date as a regular expression. A range of years is part of it: JSON Schema compares no dates.

import type { DateRules } from '../contract/schema.ts';

const monthAndDay = '-(0[1-9]|1[0-2])-(0[1-9]|[12]\\d|3[01])';
const timeOfDay = 'T([01]\\d|2[0-3]):[0-5]\\d:[0-5]\\d';

export function datePattern({ time, range }: DateRules): string {
  const year = range === undefined ? '\\d{4}' : yearPattern(range);
  return `^${year}${monthAndDay}${time === 'optional' ? `(${timeOfDay})?` : ''}$`;
}

/** Throws if the range does not begin and end with a decade. */
function yearPattern({ from, below }: NonNullable<DateRules['range']>): string {
  const [first, end] = [from, below].map(decadeOf);
  if (first === undefined || end === undefined || first > end)
    throw new Error(`No pattern for the range [${from}, ${below})`);
  const decades = Array.from({ length: end - first }, (_, index) => String(first + index));
  return `(${decades.join('|')})\\d`;
}

function decadeOf(date: string): number | undefined {
  const decade = /^(\d{3})0-01-01T00:00:00$/.exec(date)?.[1];
  return decade === undefined ? undefined : Number(decade);
}
