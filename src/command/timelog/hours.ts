// Hours of work as people write them: `1.5`, `1h30m`, `90m`. A bare number is hours, unlike in a task's duration.

import { formatValue, number, type Schema, ValidationError } from '../../contract/schema.ts';
import { timelogHours } from '../../contract/task-items.ts';
import { durationInput } from '../task/input/duration.ts';

const notHours = 'is not a number of hours: 1.5, 1h30m or 90m';
const minutes = durationInput(number('minutes', { from: 0 }), notHours);

export const hoursInput: Schema<number> = {
  ...timelogHours,
  fromWire(text) {
    // Such as 1:30, which the schema of a number would only call no number.
    if (!/[a-z]/i.test(text) && Number.isNaN(Number(text)))
      throw new ValidationError(formatValue(text), notHours);
    // Four places: 20 minutes are 0.3333 hours.
    const hours = /[a-z]/i.test(text)
      ? Math.round((minutes.fromWire(text) / 60) * 10_000) / 10_000
      : timelogHours.fromWire(text);
    if (hours === 0) throw new ValidationError(formatValue(text), 'is no time at all');
    return timelogHours.validate(hours);
  },
};
