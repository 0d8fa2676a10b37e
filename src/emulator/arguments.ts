// The parameters of a call, from wherever a client puts them: query, form body, JSON body. Everything is held to the
// rows of the contract, and what is wrong is named.

import { parseJson, whyInvalidJson } from '../contract/json.ts';
import type { ArgumentsOf, Parameter, Parameters } from '../contract/parameter.ts';
import { textsInBrackets } from '../contract/value.ts';
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
    decoded = parseJson(text);
  } catch (error) {
    throw new Refusal('invalid_request', `The body ${whyInvalidJson(error)}`);
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

/** Ids, names of choices, event words: no element of such a list could be taken for JSON. */
const isPlainList = ({ value }: Parameter<unknown>): boolean => value.item?.wire === 'text';

/** `name[]`, as some clients write the name of a list, is `name`. */
function nameOf(rows: Parameters, { name, from }: Given): string {
  const short = name.endsWith('[]') ? name.slice(0, -2) : name;
  const row = Object.hasOwn(rows, short) ? rows[short] : undefined;
  return from === 'text' && row !== undefined && isPlainList(row) ? short : name;
}

/** A JSON list, a list in bare brackets, or a lone item. */
function plainList(text: string): unknown {
  if (!text.trimStart().startsWith('[')) return [text];
  try {
    return parseJson(text);
  } catch {
    return textsInBrackets(text) ?? [text];
  }
}

/** What all that was given for one list in a query or a form amounts to: where it is repeated, each is an item. */
function plainListOf(row: Parameter<unknown>, given: readonly Given[]): unknown {
  const texts = given.map(({ value }) => String(value));
  const [first] = given;
  const [only = ''] = texts;
  const whole = texts.length === 1 && first !== undefined && !first.name.endsWith('[]');
  return row.value.check(whole ? plainList(only) : texts);
}

/** Throws {@link Refusal}: a name that is not a row's, one that stands twice, a bad value, one that is missing. */
export function argumentsFrom<P extends Parameters>(rows: P, given: readonly Given[]): ArgumentsOf<P> {
  const read = new Map<string, unknown>();
  const lists = new Map<string, Given[]>();
  for (const one of given) {
    const name = nameOf(rows, one);
    const row = Object.hasOwn(rows, name) ? rows[name] : undefined;
    if (row === undefined) throw new Refusal('invalid_parameter', `Parameter '${name}' is unknown`);
    const before = lists.get(name);
    if (before !== undefined && one.from === 'text') before.push(one);
    else if (before !== undefined || read.has(name))
      throw invalidParameter(name, 'it stands there more than once');
    else if (one.from === 'text' && isPlainList(row)) lists.set(name, [one]);
    else read.set(name, checkedValue(row, one));
  }
  for (const [name, texts] of lists) {
    const row = rows[name];
    if (row === undefined) continue;
    const check = () => plainListOf(row, texts);
    read.set(name, checking(name, check));
  }
  // Every request comes here: a list of all the rows would cost more than looking at them.
  for (const name in rows) {
    if (rows[name]?.required && !read.has(name))
      throw new Refusal('parameter_required', `Parameter '${name}' is required`);
  }
  // Each value has come from the check of the row of its name, which the compiler cannot follow.
  return Object.fromEntries(read) as ArgumentsOf<P>;
}
