// The type of an operation's parameter: a named value with its meaning. A parameter list is an object of these rows in the
// contract's order, and determines the type of a caller's arguments.

import { choice, type Schema, type TypeOf, text } from './schema.ts';

export interface Parameter<T> {
  readonly schema: Schema<T>;
  /** For help, in a few words. */
  readonly meaning: string;
  /** What else its value must fulfil, in sentences: for the OpenAPI document, which has no other place for it. */
  readonly rules?: string;
  readonly required?: true;
  /** The contract keeps it for old clients alone. */
  readonly deprecated?: true;
  /** Only changes what the response shows; alone it makes no change. */
  readonly shapesResponse?: true;
  /** Never shown, never logged. */
  readonly secret?: true;
}

export type Parameters = Readonly<Record<string, Parameter<unknown>>>;

/** The names of the required parameters. */
export function requiredNames(rows: Parameters): readonly string[] {
  return Object.keys(rows).filter((name) => rows[name]?.required);
}

/** What a caller passes: every parameter may be left out here; `required` is checked when the request is built. */
export type ArgumentsOf<P extends Parameters> = { readonly [K in keyof P]?: TypeOf<P[K]['schema']> };

export const commonParameters = {
  method: {
    schema: choice('method', ['GET', 'POST', 'PUT', 'DELETE']),
    meaning: 'The method that is meant, for a client that can send only GET',
  },
  state: { schema: text('text'), meaning: 'Comes back in the response' },
  access_token: {
    schema: text('token', { notEmpty: true }),
    meaning: 'The access token, where no header can be sent',
    secret: true,
  },
} as const satisfies Parameters;
