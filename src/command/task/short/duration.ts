// Work said in days, hours and minutes: `2d4h`, `90m`, `1.5h`. A bare number is minutes, as the contract has it.

import { limit } from '../../../contract/limit.ts';
import { Refused, shown, type Value } from '../../../contract/value.ts';

const form = /^(?:(\d+(?:\.\d+)?)d)?(?:(\d+(?:\.\d+)?)h)?(?:(\d+)m)?$/i;

/** The same minutes, with a way to say them that people prefer. */
export function inDays(minutes: Value<number>): Value<number> {
  return {
    ...minutes,
    type: 'duration',
    fromWire(text) {
      if (!/[a-z]/i.test(text)) return minutes.fromWire(text);
      const match = form.exec(text.replaceAll(' ', ''));
      if (!match || match[0] === '')
        throw new Refused(shown(text), 'is not a duration: 2d4h, 90m, or minutes');
      const [, days = '0', hours = '0', rest = '0'] = match;
      const total = Number(days) * limit.minutesPerDay + Number(hours) * 60 + Number(rest);
      if (!Number.isInteger(total)) throw new Refused(shown(text), 'is not a whole number of minutes');
      return minutes.check(total);
    },
  };
}
