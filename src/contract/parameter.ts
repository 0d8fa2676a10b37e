// The parameters of an operation: an object of rows, in the contract's order. The type of a caller's arguments follows from them.

import { choice, type Schema, type TypeOf, text } from './schema.ts';

export interface Parameter<T> {
  readonly schema: Schema<T>;
  /** A few words for help. */
  readonly meaning: string;
  /** Further rules for its value, in sentences, for the OpenAPI document. */
  readonly rules?: string;
  readonly required?: true;
  /** The value of an omitted one, if the contract shows it. */
  readonly default?: T;
  /** Only for old clients. */
  readonly deprecated?: true;
  /** Changes the response, not the record. */
  readonly shapesResponse?: true;
  /** Its name alone is true, as recordings show. */
  readonly isFlag?: true;
  /** Never shown, never logged. */
  readonly secret?: true;
}

export type Parameters = Readonly<Record<string, Parameter<unknown>>>;
/** A caller may omit every parameter here; `required` is checked when the request is built. */
export type ArgumentsOf<P extends Parameters> = { readonly [K in keyof P]?: TypeOf<P[K]['schema']> };

export const commonParameters = {
  method: {
    schema: choice('method', ['GET', 'POST', 'PUT', 'DELETE']),
    meaning: 'The actual method, for a client that can send only GET',
  },
  state: { schema: text('text'), meaning: 'Returned in the response' },
  access_token: {
    schema: text('token', { notEmpty: true }),
    meaning: 'The access token, if no header can be sent',
    secret: true,
  },
} as const satisfies Parameters;
