// The schema for a whole number in the body of a control request.

import { formatValue, type NumberRules, number, type Schema, ValidationError } from '#contract/schema.ts';

export function wholeNumber(type: string, rules: NumberRules = {}): Schema<number> {
  const any = number(type, rules);
  return {
    ...any,
    validate(input) {
      const found = any.validate(input);
      if (!Number.isInteger(found)) throw new ValidationError(formatValue(found), 'is not a whole number');
      return found;
    },
  };
}
