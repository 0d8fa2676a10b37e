// Reads the parameters of a request from its query, form or JSON body, and validates them against the rows of the contract.

import { describeJsonError, parseJson } from '../../contract/json.ts';
import type { ArgumentsOf, Parameter, Parameters } from '../../contract/parameter.ts';
import { parseBracketedList } from '../../contract/schema.ts';
import { ErrorResponse, invalidParameter, validateParameter } from './error-response.ts';
import { contentType, parsePairs, type ReceivedRequest } from './request.ts';

/** A parameter before validation: text from a query or form, or any JSON value. */
export interface RawArgument {
  readonly name: string;
  readonly value: unknown;
  readonly from: 'text' | 'json';
}

export const toRawArguments = (pairs: readonly (readonly [string, string])[]): readonly RawArgument[] =>
  pairs.map(([name, value]) => ({ name, value, from: 'text' }));

/** The parameters in a form or JSON body. */
export async function readBodyArguments(request: ReceivedRequest): Promise<readonly RawArgument[]> {
  const text = await request.body();
  if (text === '') return [];
  const type = contentType(request);
  if (type === 'application/x-www-form-urlencoded') return toRawArguments(parsePairs(text));
  if (type !== 'application/json') {
    throw new ErrorResponse(
      'invalid_request',
      `The Content-Type is ${type || 'missing'}; send a form or JSON`,
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
  // A JSON body may contain a list as a form does: as text in square brackets.
  const asText = typeof value === 'string' && (from === 'text' || row.schema.item !== undefined);
  return validateParameter(name, () => (asText ? row.schema.fromWire(value) : row.schema.validate(value)));
}

/** A list of ids or words, whose items cannot be mistaken for JSON. */
const isPlainList = ({ schema: value }: Parameter<unknown>): boolean => value.item?.wireFormat === 'text';

/** Some clients send a list named `name` as `name[]`. */
function parameterName(rows: Parameters, { name, from }: RawArgument): string {
  const short = name.endsWith('[]') ? name.slice(0, -2) : name;
  const row = Object.hasOwn(rows, short) ? rows[short] : undefined;
  return from === 'text' && row !== undefined && isPlainList(row) ? short : name;
}

/** A JSON list, a list in brackets without quotes, or a single item. */
function parsePlainList(text: string): unknown {
  if (!text.trimStart().startsWith('[')) return [text];
  try {
    return parseJson(text);
  } catch {
    return parseBracketedList(text) ?? [text];
  }
}

/** A list from a query or form: a single value may be the whole list, repeated ones are an item each. */
function validatePlainList(row: Parameter<unknown>, given: readonly RawArgument[]): unknown {
  const texts = given.map(({ value }) => String(value));
  const [first] = given;
  const [only = ''] = texts;
  const whole = texts.length === 1 && first !== undefined && !first.name.endsWith('[]');
  return row.schema.validate(whole ? parsePlainList(only) : texts);
}

type RequiredName<P extends Parameters> = {
  [K in keyof P]: P[K] extends { readonly required: true } ? K : never;
}[keyof P];

/** The values of parameters, among them all the required ones. */
export type ParsedArguments<P extends Parameters> = ArgumentsOf<Omit<P, RequiredName<P>>> &
  Required<ArgumentsOf<Pick<P, RequiredName<P>>>>;

/** Throws {@link ErrorResponse} for an unknown, repeated, invalid or missing parameter. */
export function parseArguments<P extends Parameters>(
  rows: P,
  given: readonly RawArgument[],
): ParsedArguments<P> {
  const read = new Map<string, unknown>();
  const lists = new Map<string, { readonly row: Parameter<unknown>; readonly items: RawArgument[] }>();
  for (const one of given) {
    const name = parameterName(rows, one);
    const row = Object.hasOwn(rows, name) ? rows[name] : undefined;
    if (row === undefined) throw new ErrorResponse('invalid_parameter', `Parameter '${name}' is unknown`);
    const before = lists.get(name);
    if (before !== undefined && one.from === 'text') before.items.push(one);
    else if (before !== undefined || read.has(name))
      throw invalidParameter(name, 'it is given more than once');
    else if (one.from === 'text' && isPlainList(row)) lists.set(name, { row, items: [one] });
    else read.set(name, validateValue(row, one));
  }
  for (const [name, { row, items }] of lists) {
    const check = () => validatePlainList(row, items);
    read.set(name, validateParameter(name, check));
  }
  // This runs for every request: creating a list of the rows would cost more than the loop.
  for (const name in rows) {
    if (rows[name]?.required && !read.has(name))
      throw new ErrorResponse('parameter_required', `Parameter '${name}' is required`);
  }
  // Each value was validated by the row of its name, which the compiler cannot see.
  return Object.fromEntries(read) as ParsedArguments<P>;
}
