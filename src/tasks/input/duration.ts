// Durations in days, hours and minutes: `2d4h`, `90m`, `1.5h`, `2 days`. A bare number is minutes, as in the contract.

import { limit } from '#contract/limit.ts';
import { invalidValue, type Schema } from '#contract/schema.ts';

const decimal = '(\\d+)(?:\\.(\\d+))?';
const pattern = new RegExp(
  `^(?:${decimal}d(?:ays?)?)?(?:${decimal}h(?:(?:ou)?rs?)?)?(?:${decimal}m(?:in(?:ute)?s?)?)?$`,
  'i',
);

/** For help: each form with its meaning. */
export const durationForms: readonly (readonly [form: string, about: string])[] = [
  ['480', 'Minutes'],
  ['90m, 1.5h, 2d', 'Minutes, hours, days'],
  ['2d4h, 2 days 4 hours', 'Several together'],
];

/** No valid duration is longer, and parsing stays cheap. */
const maxLength = 60;

const notDuration = 'is not a duration: 2d4h, 1.5h, 90m, 2 days, or a number of minutes; a day has 480';

/** A schema of minutes that also accepts days and hours. `problem`: the error for a text of another form. */
export function durationInput(minutes: Schema<number>, problem = notDuration): Schema<number> {
  return {
    ...minutes,
    type: 'duration',
    fromWire(text) {
      if (!/[a-z]/i.test(text)) return minutes.fromWire(text);
      const match = text.length > maxLength ? null : pattern.exec(text.replaceAll(' ', ''));
      if (!match || match[0] === '') throw invalidValue(text, problem);
      const [, days, partOfDay, hours, partOfHour, rest, partOfMinute] = match;
      const total = sum([
        [days, partOfDay, limit.minutesPerDay],
        [hours, partOfHour, 60],
        [rest, partOfMinute, 1],
      ]);
      if (total === undefined) throw invalidValue(text, 'is not a whole number of minutes');
      return minutes.validate(total);
    },
  };
}

/** The digits before and after the decimal point, and the minutes in one unit. */
type Term = readonly [whole: string | undefined, part: string | undefined, minutes: number];

/** In integers, since 4.1 * 60 is not 246 in floating point. Undefined if the sum is not a whole number of minutes. */
function sum(terms: readonly Term[]): number | undefined {
  const places = Math.max(...terms.map(([, part = '']) => part.length));
  const scaled = terms.map(
    ([whole = '0', part = '', minutes]) => BigInt(whole + part.padEnd(places, '0')) * BigInt(minutes),
  );
  const total = scaled.reduce((sum, term) => sum + term, 0n);
  const scale = 10n ** BigInt(places);
  return total % scale === 0n ? Number(total / scale) : undefined;
}

/** `2d4h (1200 min)`, `1h35m (95 min)`; below an hour `30 min`. */
export function formatDuration(minutes: number): string {
  const exact = `${minutes} min`;
  const days = Math.floor(minutes / limit.minutesPerDay);
  const hours = Math.floor((minutes % limit.minutesPerDay) / 60);
  const rest = minutes % 60;
  if (days === 0 && hours === 0) return exact;
  const parts = [days > 0 ? `${days}d` : '', hours > 0 ? `${hours}h` : '', rest > 0 ? `${rest}m` : ''];
  return `${parts.join('')} (${exact})`;
}
