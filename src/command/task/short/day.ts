// Dates as people say them: `tomorrow`, `fri`, `+3d`, with a time behind where one is meant (`fri 17:00`). What they
// stand for follows from the clock and the local calendar, so parsing only checks the form; the command resolves it.

import { schedulingDate } from '../../../contract/date.ts';
import { Refused, shown, type Value } from '../../../contract/value.ts';

const weekdays = ['sun', 'mon', 'tue', 'wed', 'thu', 'fri', 'sat'];
const weekday = '(?:sun|mon|fri)(?:day)?|tue(?:s(?:day)?)?|wed(?:nesday)?|thu(?:rs(?:day)?)?|sat(?:urday)?';
const form = new RegExp(
  `^(?:(today|tomorrow)|(${weekday})|\\+(\\d{1,5})([dw]))(?:[t ](\\d\\d?):(\\d\\d)(?::(\\d\\d))?)?$`,
  'i',
);

/** A scheduling date, or words that stand for one. */
export const saidDate: Value<string> = {
  ...schedulingDate,
  fromWire(text) {
    if (/^[a-z+]/i.test(text)) {
      const match = form.exec(text);
      if (match && Number(match[5] ?? 0) < 24 && Number(match[6] ?? 0) < 60 && Number(match[7] ?? 0) < 60)
        return text;
      throw new Refused(shown(text), 'is not a date: yyyy-MM-dd, today, tomorrow, fri, +3d, +2w');
    }
    return schedulingDate.fromWire(text);
  },
};

/**
 * The date that these words stand for at this moment (milliseconds since 1970), in the local calendar. A weekday is the
 * next one, never today. Throws {@link Refused} for a day beyond the contract's range.
 */
export function dateOf(said: string, now: number): string {
  const match = /^[a-z+]/i.test(said) ? form.exec(said) : undefined;
  if (!match) return said;
  const [, word, dayOfWeek, count, unit, hour, minute, second] = match;
  const today = new Date(now);
  let days = 0;
  if (word?.toLowerCase() === 'tomorrow') days = 1;
  else if (dayOfWeek) {
    const wanted = weekdays.indexOf(dayOfWeek.slice(0, 3).toLowerCase());
    days = ((wanted - today.getDay() + 6) % 7) + 1;
  } else if (count) days = Number(count) * (unit?.toLowerCase() === 'w' ? 7 : 1);
  const day = new Date(today.getFullYear(), today.getMonth(), today.getDate() + days);
  const two = (number: number | string) => String(number).padStart(2, '0');
  const date = `${String(day.getFullYear()).padStart(4, '0')}-${two(day.getMonth() + 1)}-${two(day.getDate())}`;
  const time = hour === undefined ? '' : `T${two(hour)}:${two(minute ?? 0)}:${two(second ?? 0)}`;
  return schedulingDate.check(date + time);
}
