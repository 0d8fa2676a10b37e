// The schema for a whole number in the body of a control request.

import { invalidValue, type NumberRules, number, type Schema } from '#contract/schema.ts';

export function wholeNumber(type: string, rules: NumberRules = {}): Schema<number> {
  const schema = number(type, rules);
  return {
    ...schema,
    validate(input) {
      const value = schema.validate(input);
      if (!Number.isInteger(value)) throw invalidValue(value, 'is not a whole number');
      return value;
    },
  };
}
