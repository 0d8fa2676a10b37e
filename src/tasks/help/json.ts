// `wm task update --help json`: the members of each JSON value, from their schemas.

import type { TopicPage } from '#cli/command.ts';
import { toKebabCase } from '#cli/flags/flag.ts';
import { ruleOf } from '#contract/rule.ts';
import type { Schema } from '#contract/schema.ts';
import { type TaskUpdateParameter, taskUpdateParameterNames, taskUpdateParameters } from '#contract/task.ts';

interface JsonParameter {
  readonly name: TaskUpdateParameter;
  /** The members of the object, or of each object in the list. */
  readonly shape: Readonly<Record<string, Schema<unknown>>>;
  readonly isList: boolean;
}

/** The parameters that are objects, or lists of objects. */
const jsonParameters: readonly JsonParameter[] = taskUpdateParameterNames.flatMap(
  (name): readonly JsonParameter[] => {
    const { item, shape }: Schema<unknown> = taskUpdateParameters[name].schema;
    if (shape) return [{ name, shape, isList: false }];
    return item?.shape ? [{ name, shape: item.shape, isList: true }] : [];
  },
);

/** One row for each member. For a member that has its own flag, refers to that flag. */
export function memberRows(
  shape: JsonParameter['shape'],
  within = '',
): readonly (readonly [member: string, about: string])[] {
  return Object.entries(shape).flatMap(([name, value]) => {
    const inner = value.shape ?? value.item?.shape;
    const parameter = jsonParameters.find((candidate) => candidate.shape === inner);
    const path = within + name;
    if (parameter) return [[path, `${requiredPrefix(value)}as in --${toKebabCase(parameter.name)}`] as const];
    const row = [path, describe(value)] as const;
    return inner === undefined ? [row] : [row, ...memberRows(inner, `${path}${value.item ? '[]' : ''}.`)];
  });
}

const requiredPrefix = ({ optional }: Schema<unknown>) => (optional ? '' : 'required; ');

function describe(value: Schema<unknown>): string {
  const { type, choices, item } = value;
  const rule = ruleOf(value);
  const form = choices ? choices.join(', ') : item ? 'a list of objects' : type;
  return `${requiredPrefix(value)}${form}${rule === undefined ? '' : `; ${rule}`}`;
}

export default {
  parts: [
    {
      text: `A flag whose value is JSON takes an object or a list of objects with these members, from the command line, from a file
(@FILE) or from standard input (-). NDJSON rows (--from) have the same values under the service's own parameter names. Lists of
users, folders and tasks can be JSON arrays too.`,
    },
    ...jsonParameters.map(({ name, shape, isList }) => {
      const rule = ruleOf(taskUpdateParameters[name].schema);
      const form = isList ? `[{...}, ...]${rule === undefined ? '' : `, ${rule}`}` : '{...}';
      return { title: `--${toKebabCase(name)} ${form}`, rows: memberRows(shape) };
    }),
  ],
  examples: {
    'Set dates': `wm task update IEAAAAAQKQAB5BNG --dates '{"type":"Planned","start":"2026-12-01","due":"2026-12-04"}'`,
    'Set one metadata entry, remove another': `wm task update IEAAAAAQKQAB5BNG --metadata '[{"key":"build","value":"981"},{"key":"branch","value":null}]'`,
    'Set one custom field, clear another': `wm task update IEAAAAAQKQAB5BNG --custom-fields '[{"id":"IEAAAAAQJUAB5NUM","value":"12"},{"id":"IEAAAAAQJUAB5DRP","value":null}]'`,
    'Set an effort of two days': `wm task update IEAAAAAQKQAB5BNG --effort-allocation '{"mode":"Basic","totalEffort":960}'`,
    'Set the effort of one assignee on one day': `wm task update IEAAAAAQKQAB5BNG --set-responsible-allocation '[{"userId":"KUAAADAQ","dailyAllocation":[{"date":"2026-12-01","effortMinutes":240}]}]'`,
    'Add a folder': `wm task update IEAAAAAQKQAB5BNG --add-parents '["IEAAAAAQI4AB5SUB"]'`,
  },
} satisfies TopicPage;
