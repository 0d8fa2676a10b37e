// Describes the members of a JSON value for help, from its schema.

import { toKebabCase } from '#cli/flags/flag.ts';
import type { Schema } from '#contract/schema.ts';
import { type TaskUpdateParameter, taskUpdateParameterNames, taskUpdateParameters } from '#contract/task.ts';

export interface JsonParameter {
  readonly name: TaskUpdateParameter;
  /** Of one entry, if it is a list of objects. */
  readonly shape: Readonly<Record<string, Schema<unknown>>>;
  readonly isList: boolean;
}

/** The parameters that are objects, or lists of objects. */
export const jsonParameters: readonly JsonParameter[] = taskUpdateParameterNames.flatMap(
  (name): readonly JsonParameter[] => {
    const { item, shape }: Schema<unknown> = taskUpdateParameters[name].schema;
    if (shape) return [{ name, shape, isList: false }];
    return item?.shape ? [{ name, shape: item.shape, isList: true }] : [];
  },
);

/** One row for each member. A member that has a flag of its own is described there. */
export function memberRows(
  shape: JsonParameter['shape'],
  within = '',
): readonly (readonly [member: string, about: string])[] {
  return Object.entries(shape).flatMap(([name, value]) => {
    const inner = value.shape ?? value.item?.shape;
    const elsewhere = jsonParameters.find((one) => one.shape === inner);
    const path = within + name;
    if (elsewhere) return [[path, `${requiredPrefix(value)}as in --${toKebabCase(elsewhere.name)}`] as const];
    const row = [path, describe(value)] as const;
    return inner === undefined ? [row] : [row, ...memberRows(inner, `${path}${value.item ? '[]' : ''}.`)];
  });
}

const requiredPrefix = ({ optional }: Schema<unknown>) => (optional ? '' : 'required; ');

function describe(value: Schema<unknown>): string {
  const { type, choices, rule, item } = value;
  const what = choices ? choices.join(', ') : item ? 'a list of objects' : type;
  return `${requiredPrefix(value)}${what}${rule === undefined ? '' : `; ${rule}`}`;
}
