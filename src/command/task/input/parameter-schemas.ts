// What may be said for each parameter: the contract's own kind, with links in the place of ids, and with names where
// names are looked up. The flags and the rows of a file read the same.

import { list, type Schema } from '../../../contract/schema.ts';
import { type TaskUpdate, taskUpdateParameters } from '../../../contract/task.ts';
import { caseInsensitive } from '../../case-insensitive.ts';
import { customStatusInput, userInput } from './name-or-id.ts';
import { acceptLink } from './permalink.ts';

export type ParameterName = keyof typeof taskUpdateParameters;

export const parameterNames = Object.keys(taskUpdateParameters) as readonly ParameterName[];

export function isParameter(name: string): name is ParameterName {
  return Object.hasOwn(taskUpdateParameters, name);
}

export type InputSchemas = { readonly [K in ParameterName]: Schema<NonNullable<TaskUpdate[K]>> };

// Each is the kind of its parameter, or says the same values in more ways.
export const inputSchemas = Object.fromEntries(
  parameterNames.map((name) => [name, schemaOf(name)]),
) as InputSchemas;

function schemaOf(name: ParameterName): Schema<unknown> {
  if (name === 'customStatus') return customStatusInput;
  const kind = caseInsensitive<unknown>(taskUpdateParameters[name].schema);
  const { item } = kind;
  if (item?.type === 'UserId') return list(userInput);
  if (item && isLinkable(item)) return list(acceptLink(item));
  return isLinkable(kind) ? acceptLink(kind) : kind;
}

/** What a permalink can stand for. Both kinds of id are texts. */
function isLinkable(kind: Schema<unknown>): kind is Schema<string> {
  return kind.type === 'TaskId' || kind.type === 'FolderId';
}
