// The parameters of a call, from wherever a client puts them: query, form body, JSON body. Everything is held to the
// rows of the contract, and what is wrong is named.

import type { ArgumentsOf, Parameter, Parameters } from '../contract/parameter.ts';
import { contentType, pairsOf, type Received } from './received.ts';
import { checking, invalidParameter, Refusal } from './refusal.ts';

/** A parameter before it is checked: text from a query or form, or whatever JSON held. */
export interface Given {
  readonly name: string;
  readonly value: unknown;
  readonly from: 'text' | 'json';
}

export const asGiven = (pairs: readonly (readonly [string, string])[]): readonly Given[] =>
  pairs.map(([name, value]) => ({ name, value, from: 'text' }));

/** The parameters of the body, whichever of the two types it has. */
export async function givenInBody(received: Received): Promise<readonly Given[]> {
  const text = await received.body();
  if (text === '') return [];
  const type = contentType(received);
  if (type === 'application/x-www-form-urlencoded') return asGiven(pairsOf(text));
  if (type !== 'application/json') {
    throw new Refusal(
      'invalid_request',
      `A body of type ${type || '(none)'} is not read: send a form or JSON`,
    );
  }
  return Object.entries(objectOf(text)).map(([name, value]) => ({ name, value, from: 'json' }));
}

function objectOf(text: string): object {
  let decoded: unknown;
  try {
    decoded = JSON.parse(text);
  } catch {
    throw new Refusal('invalid_request', 'The body is not JSON');
  }
  if (typeof decoded !== 'object' || decoded === null || Array.isArray(decoded)) {
    throw new Refusal('invalid_request', 'The body is not a JSON object');
  }
  return decoded;
}

function checkedValue(row: Parameter<unknown>, { name, value, from }: Given): unknown {
  // A list may stand in a JSON body as it stands in a form: a text with square brackets.
  const asText = typeof value === 'string' && (from === 'text' || row.value.item !== undefined);
  return checking(name, () => (asText ? row.value.fromWire(value) : row.value.check(value)));
}

/** Throws {@link Refusal}: a name that is not a row's, one that stands twice, a bad value, one that is missing. */
export function argumentsFrom<P extends Parameters>(rows: P, given: readonly Given[]): ArgumentsOf<P> {
  const read = new Map<string, unknown>();
  for (const one of given) {
    const row = Object.hasOwn(rows, one.name) ? rows[one.name] : undefined;
    if (row === undefined) {
      throw new Refusal('invalid_parameter', `Parameter '${one.name}' is unknown`);
    }
    if (read.has(one.name)) throw invalidParameter(one.name, 'it stands there more than once');
    read.set(one.name, checkedValue(row, one));
  }
  // Every request comes here: a list of all the rows would cost more than looking at them.
  for (const name in rows) {
    if (rows[name]?.required && !read.has(name))
      throw new Refusal('parameter_required', `Parameter '${name}' is required`);
  }
  // Each value has come from the check of the row of its name, which the compiler cannot follow.
  return Object.fromEntries(read) as ArgumentsOf<P>;
}
