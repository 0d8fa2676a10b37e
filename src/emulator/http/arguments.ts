// Reads the parameters of a request from its query, form or JSON body, and validates them against the rows of the contract.
// It accepts more than the contract's letter, and notes what; with --strict it rejects that.

import type { AssumptionId } from '#contract/assumption.ts';
import { describeJsonError, JsonDepthError, parseJson } from '#contract/json.ts';
import type { ArgumentsOf, Parameter, Parameters } from '#contract/parameter.ts';
import { parseBracketedList } from '#contract/schema.ts';
import { type Because, ErrorResponse, invalidParameter, validateParameter } from './error-response.ts';
import { multipartType, readMultipart } from './multipart.ts';
import { contentType, type Pair, parsePairs, type ReceivedRequest } from './request.ts';

/** A parameter before validation: text from a query or form, or any JSON value. */
export interface RawArgument {
  readonly name: string;
  readonly value: unknown;
  readonly from: 'text' | 'json';
  /** Of text: as it was sent, percent-encoded. */
  readonly encoded?: string;
}

/** How strictly parameters are read. */
export interface ReadingRules {
  /** Why an invalid value may be rejected, or a required one missed. */
  readonly because: Because;
  /** Rejects what goes beyond the contract's letter. */
  readonly strict: boolean;
  /** Is told what is accepted beyond it otherwise. */
  readonly assume: (id: AssumptionId) => void;
  /** Takes an unknown parameter. Where it is absent, the contract shows all of them, and an unknown one is an error. */
  readonly ignore?: (name: string) => void;
}

/** For parameters that no request of a client carries. */
export const ownRules: ReadingRules = { because: 'emulator', strict: false, assume: () => undefined };

export const toRawArguments = (pairs: readonly Pair[]): readonly RawArgument[] =>
  pairs.map(([name, value, encoded]) => ({ name, value, from: 'text', encoded }));

/** The parameters in a form or JSON body. */
export async function readBodyArguments(request: ReceivedRequest): Promise<readonly RawArgument[]> {
  const type = contentType(request);
  if (type === multipartType) return readMultipartArguments(request);
  const text = await request.body();
  if (text === '') return [];
  if (type === 'application/x-www-form-urlencoded') return toRawArguments(parsePairs(text));
  if (type !== 'application/json') {
    throw new ErrorResponse(
      'invalid_request',
      `The Content-Type is ${type || 'missing'}; send a form or JSON`,
      'stated',
    );
  }
  return Object.entries(parseObject(text)).map(([name, value]) => ({ name, value, from: 'json' }));
}

/** As some clients send a form. */
async function readMultipartArguments(request: ReceivedRequest): Promise<readonly RawArgument[]> {
  const { fields, file } = await readMultipart(request);
  if (file !== undefined)
    throw new ErrorResponse(
      'invalid_request',
      'The body has a file, which this method does not take',
      'multipart-parameters',
    );
  return fields.map(([name, value]) => ({ name, value, from: 'text' }));
}

function parseObject(text: string): object {
  let decoded: unknown;
  try {
    decoded = parseJson(text);
  } catch (error) {
    throw new ErrorResponse(
      'invalid_request',
      `The body ${describeJsonError(error)}`,
      error instanceof JsonDepthError ? 'json-depth' : 'stated',
    );
  }
  if (typeof decoded !== 'object' || decoded === null || Array.isArray(decoded)) {
    throw new ErrorResponse('invalid_request', 'The body is not a JSON object', 'stated');
  }
  return decoded;
}

/** Accepts what the row assumes, or rejects it: `problem` says what it is. */
function tolerate({ strict, assume }: ReadingRules, id: AssumptionId, name: string, problem: string): void {
  if (strict) throw invalidParameter(name, problem, id);
  assume(id);
}

function validateValue(
  row: Parameter<unknown>,
  { name, value, from }: RawArgument,
  rules: ReadingRules,
): unknown {
  // A JSON body may contain a list as a form does: as text in square brackets.
  const isListAsText = typeof value === 'string' && from === 'json' && row.schema.item !== undefined;
  if (isListAsText)
    tolerate(rules, 'json-in-json', name, 'it is text; in a JSON body, a list is a JSON list');
  return typeof value === 'string' && (from === 'text' || isListAsText)
    ? validateParameter(name, () => row.schema.fromWire(value), rules.because)
    : validateParameter(name, () => row.schema.validate(value), rules.because);
}

/** A list of ids or words, whose items cannot be mistaken for JSON. */
const isPlainList = ({ schema: value }: Parameter<unknown>): boolean => value.item?.wireFormat === 'text';

/** Some clients send a list named `name` as `name[]`. */
function parameterName(rows: Parameters, { name, from }: RawArgument): string {
  const short = name.endsWith('[]') ? name.slice(0, -2) : name;
  const row = Object.hasOwn(rows, short) ? rows[short] : undefined;
  return from === 'text' && row !== undefined && isPlainList(row) ? short : name;
}

/** A list in brackets without quotes, or a single item. */
const parseLooseList = (text: string): readonly string[] =>
  (text.trimStart().startsWith('[') ? parseBracketedList(text) : undefined) ?? [text];

/** A list from a query or form: a single value may be the whole list, repeated ones are an item each. */
function validatePlainList(
  name: string,
  row: Parameter<unknown>,
  given: readonly RawArgument[],
  rules: ReadingRules,
): unknown {
  const texts = given.map(({ value }) => String(value));
  const [first] = given;
  const [only = ''] = texts;
  const whole = texts.length === 1 && first !== undefined && !first.name.endsWith('[]');
  const json = whole ? parseJsonList(only) : undefined;
  if (json === undefined)
    tolerate(rules, 'plain-lists', name, 'it is not one JSON list, with each item in double quotes');
  const list = json ?? (whole ? parseLooseList(only) : texts);
  // Whether an item of several may itself be a list is not the contract's affair.
  const because = texts.length > 1 ? 'plain-lists' : rules.because;
  return validateParameter(name, () => row.schema.validate(list), because);
}

/** Undefined for a text that is no JSON list, deep ones included. */
function parseJsonList(text: string): readonly unknown[] | undefined {
  if (!text.trimStart().startsWith('[')) return undefined;
  try {
    const decoded = parseJson(text);
    return Array.isArray(decoded) ? decoded : undefined;
  } catch {
    return undefined;
  }
}

/** What RFC 3986 §3.4 allows in a query. */
const allowedInQuery = /^[A-Za-z0-9\-._~!$&'()*+,;=:@/?%]*$/;

function requireEncoding(row: Parameter<unknown>, { name, encoded }: RawArgument, rules: ReadingRules): void {
  if (encoded === undefined || row.schema.wireFormat !== 'json' || allowedInQuery.test(encoded)) return;
  tolerate(rules, 'unencoded-json', name, 'it has characters that must be percent-encoded');
}

function ignoreUnknown(name: string, rules: ReadingRules): void {
  const { ignore, because } = rules;
  if (ignore === undefined)
    throw new ErrorResponse('invalid_parameter', `Parameter '${name}' is unknown`, because);
  if (rules.strict) {
    throw new ErrorResponse(
      'invalid_parameter',
      `Parameter '${name}' is not among those that the contract shows or this emulator knows`,
      'unknown-parameter',
    );
  }
  rules.assume('unknown-parameter');
  ignore(name);
}

type RequiredName<P extends Parameters> = {
  [K in keyof P]: P[K] extends { readonly required: true } ? K : never;
}[keyof P];

/** The values of parameters, among them all the required ones. */
export type ParsedArguments<P extends Parameters> = ArgumentsOf<Omit<P, RequiredName<P>>> &
  Required<ArgumentsOf<Pick<P, RequiredName<P>>>>;

/** Throws {@link ErrorResponse} for a repeated, invalid or missing parameter, and for an unknown one that is not ignored. */
export function parseArguments<P extends Parameters>(
  rows: P,
  given: readonly RawArgument[],
  rules: ReadingRules,
): ParsedArguments<P> {
  const read = new Map<string, unknown>();
  let lists: Map<string, { readonly row: Parameter<unknown>; readonly items: RawArgument[] }> | undefined;
  for (const one of given) {
    const name = parameterName(rows, one);
    const row = Object.hasOwn(rows, name) ? rows[name] : undefined;
    if (row === undefined) {
      ignoreUnknown(name, rules);
      continue;
    }
    requireEncoding(row, one, rules);
    const before = lists?.get(name);
    if (before !== undefined && one.from === 'text') before.items.push(one);
    else if (before !== undefined || read.has(name))
      throw invalidParameter(name, 'it is given more than once', 'repeated-parameter');
    else if (one.from === 'text' && isPlainList(row))
      lists = (lists ?? new Map()).set(name, { row, items: [one] });
    else read.set(name, validateValue(row, one, rules));
  }
  for (const [name, { row, items }] of lists ?? [])
    read.set(name, validatePlainList(name, row, items, rules));
  // This runs for every request: creating a list of the rows would cost more than the loop.
  for (const name in rows) {
    if (rows[name]?.required && !read.has(name))
      throw new ErrorResponse('parameter_required', `Parameter '${name}' is required`, rules.because);
  }
  // Each value was validated by the row of its name, which the compiler cannot see.
  return Object.fromEntries(read) as ParsedArguments<P>;
}
