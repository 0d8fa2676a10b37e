// Dates such as `2026-12-04 17:00`, `tomorrow`, `next monday`, `in 3 days`, each with an optional time. A relative date
// depends on the clock and the local calendar, so parsing only validates its form; the command resolves it, and prints the
// date that it became.

import { anyDate, day, schedulingDate } from '#contract/date.ts';
import { nearestWords } from '#contract/did-you-mean.ts';
import { joinWithOr } from '#contract/format-list.ts';
import { formatValue, replaceError, type Schema, ValidationError } from '#contract/schema.ts';

const time = '(\\d\\d?):(\\d\\d)(?::(\\d\\d))?';
const between = '(?:[tT]| at | )';
const absolute = new RegExp(`^(\\d{4}-\\d\\d-\\d\\d)(?:${between}${time})?$`);

const dayWords = ['yesterday', 'today', 'tomorrow'];
const weekdays = ['sunday', 'monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday'];
const weekday = '(?:sun|mon|fri)(?:day)?|tue(?:s(?:day)?)?|wed(?:nesday)?|thu(?:rs(?:day)?)?|sat(?:urday)?';
const count = '(?:\\+|in )?(\\d{1,5}) ?(d(?:ays?)?|w(?:eeks?)?)';
const relative = new RegExp(
  `^(?:(${dayWords.join('|')})|(?:next )?(${weekday})|${count})(?:${between}${time})?$`,
);

const dateExamples = '2026-12-31, 2026-12-31 17:00, today, tomorrow, fri, next monday, +3d, in 2 weeks';

/** For help: each form with its meaning. */
export const dateForms: readonly (readonly [form: string, about: string])[] = [
  ['2026-12-31', 'A day'],
  ['2026-12-31 17:00', 'A day and a time; also 2026-12-31T17:00:00'],
  ['yesterday, today, tomorrow', 'Tomorrow at 9:00: tomorrow 9:00'],
  ['friday, fri, next friday', 'The next Friday'],
  ['3 days, in 3 days, +3d', 'That many days from today'],
  ['2 weeks, in 2 weeks, +2w', 'That many weeks from today'],
];

/** A date in any of these forms. An absolute one becomes the contract's form here. `examples` end the error about any other text. */
export function acceptRelative(kind: Schema<string>, examples = dateExamples): Schema<string> {
  const fromWire = (text: string): string => {
    // Most are in the contract's own form.
    const match = absolute.exec(text) ?? absolute.exec(normalize(text));
    if (match) {
      const [, day = '', hour, minute, second] = match;
      // The error names the text that was typed, not what it was parsed into.
      return replaceError(
        ValidationError,
        () => kind.validate(day + timeOf(hour, minute, second)),
        ({ problem }) => new ValidationError(formatValue(text), problem),
      );
    }
    const plain = normalize(text);
    const [, , , , , hour, minute, second] = relative.exec(plain) ?? throwInvalid(text, plain, examples);
    if (Number(hour ?? 0) > 23 || Number(minute ?? 0) > 59 || Number(second ?? 0) > 59)
      throwInvalid(text, plain, examples);
    return text.trim();
  };
  return { ...kind, fromWire };
}

/** The start or the due date of a task. */
export const dateInput = acceptRelative(schedulingDate);

/** A day, without a time. */
export const dayInput = acceptRelative(day);

/** Any other date, without a range. */
export const anyDateInput = acceptRelative(anyDate);

/**
 * The date that a relative date stands for at `now` (milliseconds since 1970), in the local calendar; any other text
 * unchanged. A weekday is the next one, never today. Throws {@link ValidationError} for a day that the schema does not
 * allow.
 */
export function resolveDate(text: string, now: number, kind: Schema<string> = schedulingDate): string {
  const match = absolute.test(text) ? null : relative.exec(normalize(text));
  if (!match) return text;
  const [, word, dayOfWeek, number, unit, hour, minute, second] = match;
  const today = new Date(now);
  let days = word === undefined ? 0 : dayWords.indexOf(word) - 1;
  if (dayOfWeek !== undefined) {
    const wanted = weekdays.findIndex((name) => name.startsWith(dayOfWeek.slice(0, 3)));
    days = ((wanted - today.getDay() + 6) % 7) + 1;
  } else if (number !== undefined) days = Number(number) * (unit?.startsWith('w') ? 7 : 1);
  const day = new Date(today.getFullYear(), today.getMonth(), today.getDate() + days);
  const date = `${String(day.getFullYear()).padStart(4, '0')}-${two(day.getMonth() + 1)}-${two(day.getDate())}`;
  return kind.validate(date + timeOf(hour, minute, second));
}

const two = (number: number | string) => String(number).padStart(2, '0');

function timeOf(hour: string | undefined, minute = '0', second = '0'): string {
  return hour === undefined ? '' : `T${two(hour)}:${two(minute)}:${two(second)}`;
}

/** Lower case, and single spaces. */
function normalize(text: string): string {
  return text.trim().toLowerCase().replace(/\s+/g, ' ');
}

function throwInvalid(text: string, plain: string, examples: string): never {
  if (/^\d{4}-\d\d-\d\d.*\d(?:z|[+-]\d\d:?\d\d)$/.test(plain)) {
    throw new ValidationError(formatValue(text), 'has a time zone; task dates have none: 2026-12-31T17:00');
  }
  const [word = ''] = /[a-z]+/.exec(plain.replace(/^(?:next|in) /, '')) ?? [];
  const near = nearestWords(word, [...dayWords, ...weekdays]);
  const meant = near.length === 0 || near.includes(word) ? '' : ` (did you mean ${joinWithOr(near)}?)`;
  throw new ValidationError(formatValue(text), `is not a date${meant}: ${examples}`);
}
