// The parameters by which a list comes in pages. The contract shows none: these are an assumption, which public integrations
// of the service share.

import type { Operation } from './operation.ts';
import type { Parameters } from './parameter.ts';
import { number, text } from './schema.ts';

/** The most records that one page is assumed to have. */
export const maxPageSize = 1000;

export const pageParameters = {
  pageSize: {
    schema: number('page size', { from: 1, below: maxPageSize + 1, integer: true }),
    meaning: 'The most records of a page',
  },
  nextPageToken: {
    schema: text('page token', { notEmpty: true }),
    meaning: 'The page that an earlier response named',
  },
} as const satisfies Parameters;

export type PageParameters = typeof pageParameters;

/** True for the name of an operation that lists records, rather than reads named ones. */
export function comesInPages(operationName: string): boolean {
  return operationName.startsWith('list');
}

/** The same list, which also takes the parameters of a page. */
export function inPages<P extends Parameters, R>(
  operation: Operation<P, R>,
): Operation<P & PageParameters, R> {
  return { ...operation, parameters: { ...operation.parameters, ...pageParameters } };
}
