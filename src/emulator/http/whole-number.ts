// A count in the body of a control call, which half of one is not.

import { type NumberRules, number, Refused, shown, type Value } from '../../contract/value.ts';

export function wholeNumber(type: string, rules: NumberRules = {}): Value<number> {
  const any = number(type, rules);
  return {
    ...any,
    check(input) {
      const found = any.check(input);
      if (!Number.isInteger(found)) throw new Refused(shown(found), 'is not whole');
      return found;
    },
  };
}
