// Parses dates such as `2026-12-04 17:00`, `tomorrow`, `next monday`, `in 3 days`, with an optional time. Parsing only validates
// the form of a relative date; the command resolves it with the clock and the local calendar, and prints the result.

import { anyDate, day, schedulingDate } from '#contract/date.ts';
import { nearestWords } from '#contract/did-you-mean.ts';
import { joinWithOr } from '#contract/format-list.ts';
import { invalidValue, replaceError, type Schema, ValidationError } from '#contract/schema.ts';

const time = '(\\d\\d?):(\\d\\d)(?::(\\d\\d))?';
const between = '(?:[tT]| at | )';
const absolute = new RegExp(`^(\\d{4}-\\d\\d-\\d\\d)(?:${between}${time})?$`);
/** A day in words or in another order, and a 24-hour time or one with am or pm, which may also be alone. */
const dayAndTime = new RegExp(`^(.*?)(?:(?:^|${between})(?:${time}(?: ?([ap]m))?|(\\d\\d?) ?([ap]m)))?$`);

const dayWords = ['yesterday', 'today', 'tomorrow'];
const weekdays = ['sunday', 'monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday'];
const monthNames = 'january february march april may june july august september october november december';
const months = monthNames.split(' ');
const weekday =
  /^(?:next )?((?:sun|mon|fri)(?:day)?|tue(?:s(?:day)?)?|wed(?:nesday)?|thu(?:rs(?:day)?)?|sat(?:urday)?)$/;
const count = /^(?:\+|in )?(\d{1,5}) ?(?:(d(?:ays?)?)|(w(?:eeks?)?)|months?)$/;
const monthFirst = /^([a-z]{3,9})\.? (\d\d?)(?:st|nd|rd|th)?(?:,? (\d{4}))?$/;
const dayFirst = /^(\d\d?)(?:st|nd|rd|th)?\.? ([a-z]{3,9})\.?(?: (\d{4}))?$/;
const dashed = /^(\d\d?)-([a-z]{3,9})-((?:\d\d)?\d\d)$/;
const loose = /^(\d{4})([-/])(\d\d?)\2(\d\d?)$/;
const dotted = /^(\d\d?)\. ?(\d\d?)\. ?(\d{4})$/;

/** Which part comes first in a date such as 5/12/2026. */
export type DateOrder = (typeof dateOrders)[number];
export const dateOrders = ['day-first', 'month-first'] as const;

const dateExamples = '2026-12-31, 2026-12-31 17:00, today, tomorrow, fri, next monday, +3d, in 2 weeks';

/** Each form with its meaning, for help. */
export const dateForms: readonly (readonly [form: string, about: string])[] = [
  ['2026-12-31', 'A day'],
  ['2026-12-31 17:00', 'A day and a time; also 2026-12-31T17:00:00'],
  ['yesterday, today, tomorrow', 'Tomorrow at 9:00: tomorrow 9:00 or tomorrow 9am; 5pm alone is today'],
  ['friday, fri, next friday', 'The next Friday'],
  ['3 days, in 3 days, +3d', 'That many days from today'],
  ['2 weeks, in 2 weeks, +2w', 'That many weeks from today'],
  ['in 1 month', 'The same day of that month, or its last day where the month is shorter'],
  ['next week', 'The Monday of next week'],
  ['dec 14, 14 december', 'The next one, which may be today; with a year too: dec 14 2026'],
  ['14.12.2026, 2026/12/4, 4-Dec-26', 'A day in other orders'],
  ['14/12/2026', "After a flag or in a file: in the order of the account's date format, or of --date-order"],
];

/** Accepts any of these forms, and converts an absolute date to the contract's form. `examples` end the error for other text. */
export function acceptRelative(schema: Schema<string>, examples = dateExamples): Schema<string> {
  const fromWire = (text: string): string => {
    // Most dates are in the contract's own form.
    const match = absolute.exec(text) ?? absolute.exec(normalize(text));
    if (match) {
      const [, day = '', hour, minute, second] = match;
      return replaceError(
        ValidationError,
        () => schema.validate(day + timeOf(hour, minute, second)),
        // Shows the typed text, not the normalized one.
        ({ problem }) => invalidValue(text, problem),
      );
    }
    const plain = normalize(text);
    // Validity does not depend on the clock, except for the length of a month.
    if (parseForm(plain, new Date(2028, 0, 1)) === undefined) throwInvalid(text, plain, examples);
    return text.trim();
  };
  return { ...schema, fromWire };
}

/** The start or the due date of a task. */
export const dateInput = acceptRelative(schedulingDate);

export const dayInput = acceptRelative(day);

/** Any other date, without limits. */
export const anyDateInput = acceptRelative(anyDate);

/** A relative date at `now` (milliseconds since 1970) in the local calendar; any other text unchanged. Throws {@link ValidationError}. */
export function resolveDate(text: string, now: number, schema: Schema<string> = schedulingDate): string {
  const form = absolute.test(text) ? undefined : parseForm(normalize(text), new Date(now));
  if (form === undefined) return text;
  const { day, time } = form;
  const date = `${String(day.getFullYear()).padStart(4, '0')}-${twoDigits(day.getMonth() + 1)}-${twoDigits(day.getDate())}`;
  return schema.validate(date + time);
}

/** Undefined for any other text. `today` can have any time of day. */
function parseForm(plain: string, today: Date): { readonly day: Date; readonly time: string } | undefined {
  const [, words = '', hour24, minute, second, half24, hour12, half12] = dayAndTime.exec(plain) ?? [];
  const half = half24 ?? half12;
  const clockHour = hour24 ?? hour12;
  const day = words === '' && half !== undefined ? today : findDay(words, today);
  if (day === undefined) return undefined;
  if (half !== undefined && (Number(clockHour) < 1 || Number(clockHour) > 12)) return undefined;
  const hour = half === undefined ? clockHour : String((Number(clockHour) % 12) + (half === 'pm' ? 12 : 0));
  if (Number(hour ?? 0) > 23 || Number(minute ?? 0) > 59 || Number(second ?? 0) > 59) return undefined;
  return { day, time: timeOf(hour, minute, second) };
}

function findDay(words: string, today: Date): Date | undefined {
  const [year, month, date] = [today.getFullYear(), today.getMonth(), today.getDate()];
  const after = (days: number) => new Date(year, month, date + days);
  if (dayWords.includes(words)) return after(dayWords.indexOf(words) - 1);
  /** A weekday is the next one, never today. */
  const untilWeekday = (target: number) => ((target - today.getDay() + 6) % 7) + 1;
  if (words === 'next week') return after(untilWeekday(1));
  const [, name] = weekday.exec(words) ?? [];
  if (name !== undefined)
    return after(untilWeekday(weekdays.findIndex((candidate) => candidate.startsWith(name.slice(0, 3)))));
  const [, number, days, weeks] = count.exec(words) ?? [];
  if (number !== undefined) {
    if (days ?? weeks) return after(Number(number) * (weeks === undefined ? 1 : 7));
    const last = new Date(year, month + Number(number) + 1, 0);
    return date < last.getDate() ? new Date(last.getFullYear(), last.getMonth(), date) : last;
  }
  const match = monthFirst.exec(words);
  const [, dayNumber, monthName, namedYear] = match
    ? [words, match[2], match[1], match[3]]
    : (dayFirst.exec(words) ?? dashed.exec(words) ?? []);
  if (monthName !== undefined) {
    const index = months.findIndex((name) => name === monthName || name.slice(0, 3) === monthName);
    if (index === -1) return undefined;
    if (namedYear !== undefined)
      return realDay(Number(namedYear.padStart(4, '20')), index, Number(dayNumber));
    // The next 29 February is up to eight years away.
    const days = Array.from({ length: 9 }, (_, years) => realDay(year + years, index, Number(dayNumber)));
    return days.find((candidate) => candidate !== undefined && candidate >= after(0));
  }
  const [, looseYear, , looseMonth, looseDay] = loose.exec(words) ?? [];
  if (looseYear !== undefined) return realDay(Number(looseYear), Number(looseMonth) - 1, Number(looseDay));
  const [, dottedDay, dottedMonth, dottedYear] = dotted.exec(words) ?? [];
  if (dottedDay !== undefined) return realDay(Number(dottedYear), Number(dottedMonth) - 1, Number(dottedDay));
  return undefined;
}

/** Undefined for a day such as 30 February. */
function realDay(year: number, month: number, date: number): Date | undefined {
  const day = new Date(year, month, date);
  return day.getFullYear() === year && day.getMonth() === month && day.getDate() === date ? day : undefined;
}

/** A date such as 5/12/2026 in the contract's form; undefined if the calendar has no such day. */
export function readInOrder(date: string, order: DateOrder): string | undefined {
  const [first = '', second = '', year = ''] = date.split('/');
  const [day, month] = order === 'day-first' ? [first, second] : [second, first];
  if (!realDay(Number(year), Number(month) - 1, Number(day))) return undefined;
  return `${year}-${twoDigits(month)}-${twoDigits(day)}`;
}

const twoDigits = (number: number | string) => String(number).padStart(2, '0');

function timeOf(hour: string | undefined, minute = '0', second = '0'): string {
  return hour === undefined ? '' : `T${twoDigits(hour)}:${twoDigits(minute)}:${twoDigits(second)}`;
}

/** Converts to lower case with single spaces. */
const normalize = (text: string): string => text.trim().toLowerCase().replace(/\s+/g, ' ');

function throwInvalid(text: string, plain: string, examples: string): never {
  if (/^\d{4}-\d\d-\d\d.*\d(?:z|[+-]\d\d:?\d\d)$/.test(plain))
    throw invalidValue(text, 'has a time zone; task dates have none: 2026-12-31T17:00');
  const [date] = /^\d\d?\/\d\d?\/\d{4}(?=[ t]|$)/.exec(plain) ?? [];
  if (date !== undefined) {
    const readings = [...new Set(dateOrders.flatMap((order) => readInOrder(date, order) ?? []))];
    if (readings.length > 0)
      throw invalidValue(
        text,
        readings.length === 1
          ? `can only be ${readings[0]}; write that`
          : `may have the day or the month first: write ${joinWithOr(readings)}`,
      );
  }
  const [word = ''] = /[a-z]+/.exec(plain.replace(/^(?:next|in) /, '')) ?? [];
  const near = nearestWords(word, [...dayWords, ...weekdays]);
  const meant = near.length === 0 || near.includes(word) ? '' : ` (did you mean ${joinWithOr(near)}?)`;
  throw invalidValue(text, `is not a date${meant}. Examples: ${examples}`);
}
