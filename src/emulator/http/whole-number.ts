// The schema for a whole number in the body of a control request.

import { formatValue, type NumberRules, number, type Schema, ValidationError } from '#contract/schema.ts';

export function wholeNumber(type: string, rules: NumberRules = {}): Schema<number> {
  const schema = number(type, rules);
  return {
    ...schema,
    validate(input) {
      const value = schema.validate(input);
      if (!Number.isInteger(value)) throw new ValidationError(formatValue(value), 'is not a whole number');
      return value;
    },
  };
}
