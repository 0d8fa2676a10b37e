// The parameters of a call, from wherever a client puts them: query, form body, JSON body. Everything is held to the
// rows of the contract, and what is wrong is named.

import { describeJsonError, parseJson } from '../../contract/json.ts';
import type { ArgumentsOf, Parameter, Parameters } from '../../contract/parameter.ts';
import { parseBracketedList } from '../../contract/schema.ts';
import { ErrorResponse, invalidParameter, validateParameter } from './error-response.ts';
import { contentType, parsePairs, type ReceivedRequest } from './request.ts';

/** A parameter before it is checked: text from a query or form, or whatever JSON held. */
export interface RawArgument {
  readonly name: string;
  readonly value: unknown;
  readonly from: 'text' | 'json';
}

export const toRawArguments = (pairs: readonly (readonly [string, string])[]): readonly RawArgument[] =>
  pairs.map(([name, value]) => ({ name, value, from: 'text' }));

/** The parameters of the body, whichever of the two types it has. */
export async function readBodyArguments(request: ReceivedRequest): Promise<readonly RawArgument[]> {
  const text = await request.body();
  if (text === '') return [];
  const type = contentType(request);
  if (type === 'application/x-www-form-urlencoded') return toRawArguments(parsePairs(text));
  if (type !== 'application/json') {
    throw new ErrorResponse(
      'invalid_request',
      `A body of type ${type || '(none)'} is not read: send a form or JSON`,
    );
  }
  return Object.entries(parseObject(text)).map(([name, value]) => ({ name, value, from: 'json' }));
}

function parseObject(text: string): object {
  let decoded: unknown;
  try {
    decoded = parseJson(text);
  } catch (error) {
    throw new ErrorResponse('invalid_request', `The body ${describeJsonError(error)}`);
  }
  if (typeof decoded !== 'object' || decoded === null || Array.isArray(decoded)) {
    throw new ErrorResponse('invalid_request', 'The body is not a JSON object');
  }
  return decoded;
}

function validateValue(row: Parameter<unknown>, { name, value, from }: RawArgument): unknown {
  // A list may stand in a JSON body as it stands in a form: a text with square brackets.
  const asText = typeof value === 'string' && (from === 'text' || row.schema.item !== undefined);
  return validateParameter(name, () => (asText ? row.schema.fromWire(value) : row.schema.validate(value)));
}

/** Ids, names of choices, event words: no element of such a list could be taken for JSON. */
const isPlainList = ({ schema: value }: Parameter<unknown>): boolean => value.item?.wireFormat === 'text';

/** `name[]`, as some clients write the name of a list, is `name`. */
function parameterName(rows: Parameters, { name, from }: RawArgument): string {
  const short = name.endsWith('[]') ? name.slice(0, -2) : name;
  const row = Object.hasOwn(rows, short) ? rows[short] : undefined;
  return from === 'text' && row !== undefined && isPlainList(row) ? short : name;
}

/** A JSON list, a list in bare brackets, or a lone item. */
function parsePlainList(text: string): unknown {
  if (!text.trimStart().startsWith('[')) return [text];
  try {
    return parseJson(text);
  } catch {
    return parseBracketedList(text) ?? [text];
  }
}

/** What all that was given for one list in a query or a form amounts to: where it is repeated, each is an item. */
function validatePlainList(row: Parameter<unknown>, given: readonly RawArgument[]): unknown {
  const texts = given.map(({ value }) => String(value));
  const [first] = given;
  const [only = ''] = texts;
  const whole = texts.length === 1 && first !== undefined && !first.name.endsWith('[]');
  return row.schema.validate(whole ? parsePlainList(only) : texts);
}

/** Throws {@link ErrorResponse}: a name that is not a row's, one that stands twice, a bad value, one that is missing. */
export function parseArguments<P extends Parameters>(rows: P, given: readonly RawArgument[]): ArgumentsOf<P> {
  const read = new Map<string, unknown>();
  const lists = new Map<string, RawArgument[]>();
  for (const one of given) {
    const name = parameterName(rows, one);
    const row = Object.hasOwn(rows, name) ? rows[name] : undefined;
    if (row === undefined) throw new ErrorResponse('invalid_parameter', `Parameter '${name}' is unknown`);
    const before = lists.get(name);
    if (before !== undefined && one.from === 'text') before.push(one);
    else if (before !== undefined || read.has(name))
      throw invalidParameter(name, 'it stands there more than once');
    else if (one.from === 'text' && isPlainList(row)) lists.set(name, [one]);
    else read.set(name, validateValue(row, one));
  }
  for (const [name, texts] of lists) {
    const row = rows[name];
    if (row === undefined) continue;
    const check = () => validatePlainList(row, texts);
    read.set(name, validateParameter(name, check));
  }
  // Every request comes here: a list of all the rows would cost more than looking at them.
  for (const name in rows) {
    if (rows[name]?.required && !read.has(name))
      throw new ErrorResponse('parameter_required', `Parameter '${name}' is required`);
  }
  // Each value has come from the check of the row of its name, which the compiler cannot follow.
  return Object.fromEntries(read) as ArgumentsOf<P>;
}
