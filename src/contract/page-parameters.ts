// The parameters that request pages of a list. They are assumed: public integrations of the service use them.

import type { Operation } from './operation.ts';
import type { Parameters } from './parameter.ts';
import { number, text } from './schema.ts';

export const maxPageSize = 1000;

export const pageParameters = {
  pageSize: {
    schema: number('page size', { from: 1, below: maxPageSize + 1, integer: true }),
    meaning: 'The most records of a page',
  },
  nextPageToken: {
    schema: text('page token', { notEmpty: true }),
    meaning: 'The next page, as named by the previous response',
  },
} as const satisfies Parameters;

type PageParameters = typeof pageParameters;

/** True for operations that list records, false for reads by id. */
export const isList = (operationName: string): boolean => operationName.startsWith('list');
/** These do not make a list a filtered one. */
const notFilters: readonly string[] = [...Object.keys(pageParameters), 'deleted', 'fields'];

/** Whether the list comes in pages. `sent`: the parameters of the request; undefined for any request. */
export function comesInPages(name: string, { pages }: Operation, sent?: readonly string[]): boolean {
  if (!isList(name) || pages === 'never') return false;
  return pages !== 'filtered' || sent === undefined || sent.some((each) => !notFilters.includes(each));
}

export function inPages<P extends Parameters, R>(
  operation: Operation<P, R>,
): Operation<P & PageParameters, R> {
  return { ...operation, parameters: { ...operation.parameters, ...pageParameters } };
}
