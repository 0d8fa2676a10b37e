// `wm task update --help limits`: the limits of each value, from the schemas that validate it.

import type { TopicPage } from '#cli/command.ts';
import { toKebabCase } from '#cli/flags/flag.ts';
import { limit } from '#contract/limit.ts';
import { ruleOf } from '#contract/rule.ts';
import type { Schema } from '#contract/schema.ts';
import { taskUpdateParameterNames, taskUpdateParameters } from '#contract/task.ts';

type Limit = { readonly value: string; readonly rule: string };

/** `value`: `each of --add-parents`, `--metadata key`. */
function limitsOf(value: string, schema: Schema<unknown>): readonly Limit[] {
  const { item, shape } = schema;
  const rule = ruleOf(schema);
  return [
    ...(rule === undefined ? [] : [{ value, rule }]),
    ...(item ? limitsOf(item.shape ? value : `each of ${value}`, item) : []),
    ...Object.entries(shape ?? {}).flatMap(([name, member]) => limitsOf(`${value} ${name}`, member)),
  ];
}

/** One row for each rule, with the values that it applies to. */
function rows(): readonly (readonly [string, string])[] {
  const valuesByRule = new Map<string, readonly string[]>();
  for (const name of taskUpdateParameterNames)
    for (const { value, rule } of limitsOf(`--${toKebabCase(name)}`, taskUpdateParameters[name].schema))
      valuesByRule.set(rule, [...(valuesByRule.get(rule) ?? []), value]);
  return [...valuesByRule].map(([rule, values]) => [values.join(', '), rule]);
}

export default {
  parts: [
    {
      text: `If a value exceeds a limit, wm reports an error and sends nothing. Characters are Unicode code points. Where you can give a
name or permalink instead of an id, the rule applies to the id. The range [a, b) excludes b.`,
      rows: [
        ...rows(),
        [
          '--duration of a planned task without a due date',
          `at least ${limit.plannedDurationMinutes} minute`,
        ],
      ],
    },
    {
      title: 'Short forms have the limits of the parameter that they set',
      rows: [
        ['--start, --due, --duration', 'As for --dates'],
        ['--custom-field, --remove-custom-field', 'As for --custom-fields'],
        ['--remove-metadata', 'As for a key in --metadata'],
      ],
    },
  ],
  examples: {
    'Validate values without sending them': 'wm task update IEAAAAAQKQAB5BNG --title New --dry-run',
  },
} satisfies TopicPage;
