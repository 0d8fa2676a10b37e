// The schema of each parameter as users give it: the contract's own, but links may stand for ids, and names where names are
// resolved. Flags and the rows of a file are read with the same schemas.

import { list, type Schema } from '../../../contract/schema.ts';
import { taskUpdateParameters } from '../../../contract/task.ts';
import { caseInsensitive } from '../../case-insensitive.ts';
import { customStatusInput, userInput } from './name-or-id.ts';
import { acceptLink } from './permalink.ts';
import type { UnresolvedUpdate } from './unresolved-update.ts';

export type ParameterName = keyof typeof taskUpdateParameters;

export const parameterNames = Object.keys(taskUpdateParameters) as readonly ParameterName[];

export function isParameter(name: string): name is ParameterName {
  return Object.hasOwn(taskUpdateParameters, name);
}

export type InputSchemas = { readonly [K in ParameterName]: Schema<NonNullable<UnresolvedUpdate[K]>> };

// Each is the schema of its parameter, or accepts more ways to write the same values.
export const inputSchemas = Object.fromEntries(
  parameterNames.map((name) => [name, schemaOf(name)]),
) as InputSchemas;

function schemaOf(name: ParameterName): Schema<unknown> {
  if (name === 'customStatus') return customStatusInput;
  const schema = caseInsensitive<unknown>(taskUpdateParameters[name].schema);
  const { item } = schema;
  if (item?.type === 'UserId') return list(userInput);
  if (item && isLinkable(item)) return list(acceptLink(item));
  return isLinkable(schema) ? acceptLink(schema) : schema;
}

/** True for ids that a permalink can hold. */
function isLinkable(schema: Schema<unknown>): schema is Schema<string> {
  return schema.type === 'TaskId' || schema.type === 'FolderId';
}
