// The rules of a schema in words, as help prints them.

import { dateFormats } from './date.ts';
import { formatCodePoint, formatRange, type Schema, type TextRules } from './schema.ts';

/** The rules besides the type: `at most 1000 characters`. Undefined without any. */
export function ruleOf({ form }: Schema<unknown>): string | undefined {
  switch (form?.kind) {
    case 'text':
      return describeTextRules(form.rules);
    case 'date': {
      const { time, range } = form.rules;
      const { description } = dateFormats[time];
      return range ? `${description}, in the range [${range.from}, ${range.below})` : description;
    }
    case 'number':
      return form.rules.from === undefined ? undefined : formatRange(form.rules);
    case 'list':
      return form.rules.max === undefined ? undefined : `at most ${form.rules.max} ${form.rules.entryName}`;
    case 'nullable':
      return ruleOf(form.schema);
    default:
      return undefined;
  }
}

function describeTextRules({ max, notEmpty, pattern, forbiddenCharacters: forbidden = [] }: TextRules) {
  const rules = [
    ...(notEmpty ? ['not empty'] : []),
    ...(max === undefined ? [] : [`at most ${max} characters`]),
    ...(pattern === undefined ? [] : [pattern.description]),
    ...forbidden.map(
      ({ character, position }) => `no ${formatCodePoint(character)}${position ? ` ${position}` : ''}`,
    ),
  ];
  return rules.length === 0 ? undefined : rules.join(', ');
}
