// Reads the parameters of a request from its query, form or JSON body, and validates them against the rows of the contract.
// It accepts more than the contract's letter, and notes what; with --strict it rejects that.

import type { ToleranceId } from '#contract/assumption.ts';
import { describeJsonError, ExactNumber, isJsonObject, JsonDepthError, parseJson } from '#contract/json.ts';
import type { ArgumentsOf, Parameter, Parameters } from '#contract/parameter.ts';
import { parseBracketedList, unlessInvalid } from '#contract/schema.ts';
import {
  type Because,
  ErrorResponse,
  invalidParameter,
  invalidRequest,
  parameterRequired,
  validateParameter,
} from './error-response.ts';
import { multipartType, readMultipart } from './multipart.ts';
import { contentType, type Pair, parsePairs, type ReceivedRequest } from './request.ts';
import { normalized, type ToleranceRules, tolerate } from './tolerances.ts';

/** A parameter before validation: text from a query or form, or any JSON value. */
export interface RawArgument {
  readonly name: string;
  readonly value: unknown;
  readonly from: 'text' | 'json';
  /** Of text: as it was sent, percent-encoded. */
  readonly encoded?: string | undefined;
  /** Of text: the name alone was sent, without a value. */
  readonly isBare?: boolean;
}

/** How strictly parameters are read. */
export interface ReadingRules extends ToleranceRules {
  /** Why an invalid value may be rejected, or a required one missed. */
  readonly because: Because;
  /** True for filters, whose values may be in quotes. */
  readonly areFilters?: boolean;
  /** Takes an unknown parameter. Where it is absent, the contract shows all of them, and an unknown one is an error. */
  readonly takeUnknown?: (one: RawArgument) => void;
}

/** For parameters that no request of a client carries. */
export const ownRules: ReadingRules = { because: 'emulator', strict: false, assume: () => undefined };

export const toRawArguments = (pairs: readonly Pair[]): readonly RawArgument[] =>
  pairs.map(([name, value, encoded]) => ({
    name,
    value,
    from: 'text',
    encoded,
    isBare: encoded === undefined,
  }));

/** The parameters in a form or JSON body. */
export async function readBodyArguments(request: ReceivedRequest): Promise<readonly RawArgument[]> {
  const type = contentType(request);
  if (type === multipartType) return readMultipartArguments(request);
  const text = await request.body();
  if (text === '') return [];
  if (type === 'application/x-www-form-urlencoded') return toRawArguments(parsePairs(text));
  if (type !== 'application/json') {
    throw invalidRequest(`The Content-Type is ${type || 'missing'}; send a form or JSON`, 'stated');
  }
  return Object.entries(parseObject(text)).map(([name, value]) => ({ name, value, from: 'json' }));
}

/** As some clients send a form. */
async function readMultipartArguments(request: ReceivedRequest): Promise<readonly RawArgument[]> {
  const { fields, file } = await readMultipart(request);
  if (file !== undefined)
    throw invalidRequest('The body has a file, which this method does not take', 'multipart-parameters');
  return fields.map(([name, value]) => ({ name, value, from: 'text' }));
}

function parseObject(text: string): object {
  let decoded: unknown;
  try {
    decoded = parseJson(text);
  } catch (error) {
    throw invalidRequest(
      `The body ${describeJsonError(error)}`,
      error instanceof JsonDepthError ? 'json-depth' : 'stated',
    );
  }
  if (!isJsonObject(decoded)) throw invalidRequest('The body is not a JSON object', 'stated');
  return decoded;
}

/** As some clients write each text of a query. */
const quoted = /^(["'])([^"']*)\1$/;

function withoutQuotes(given: RawArgument, { schema }: Parameter<unknown>, rules: ReadingRules): RawArgument {
  const text = schema.item?.wireFormat ?? schema.wireFormat;
  const inside = text === 'text' ? quoted.exec(String(given.value))?.[2] : undefined;
  if (inside === undefined) return given;
  tolerate(rules, 'quoted-filter', given.name);
  return { ...given, value: inside };
}

function validateValue(row: Parameter<unknown>, given: RawArgument, rules: ReadingRules): unknown {
  const { name, value, from, isBare } = given;
  const { schema } = row;
  if (from === 'json') {
    // A JSON body may contain a list as a form does: as text in square brackets.
    const isListAsText = typeof value === 'string' && schema.item !== undefined;
    if (!isListAsText)
      return validateLoosely(
        given,
        row,
        rules,
        () => value,
        () => schema.validate(value),
      );
    tolerate(rules, 'json-in-json', name);
  }
  const text = String(value);
  const decode = () =>
    isBare && text === '' ? 'true' : schema.wireFormat === 'json' ? parseAny(text) : text;
  return validateLoosely(given, row, rules, text.length > maxLoose ? undefined : decode, () =>
    schema.fromWire(text),
  );
}

/** A longer text, in characters, or list has no word or flag in another form. */
const maxLoose = 10_000;

/** Where `validate` finds the value invalid: the same for words in another letter case, and flags in another form. */
function validateLoosely(
  { name }: Pick<RawArgument, 'name'>,
  { schema }: Parameter<unknown>,
  rules: ReadingRules,
  decode: (() => unknown) | undefined,
  validate: () => unknown,
  because = rules.because,
): unknown {
  try {
    return validateParameter(name, validate, because);
  } catch (error) {
    const changes = new Set<ToleranceId>();
    const same = normalized(schema, decode?.(), (id) => changes.add(id));
    const loose = changes.size === 0 ? undefined : unlessInvalid(() => ({ value: schema.validate(same) }));
    if (loose === undefined) throw error;
    for (const id of changes) tolerate(rules, id, name);
    return loose.value;
  }
}

/** Undefined for what is not JSON. */
function parseAny(text: string): unknown {
  try {
    return parseJson(text);
  } catch {
    return undefined;
  }
}

/** A list of ids or words, whose items cannot be mistaken for JSON. */
const isPlainList = ({ schema: value }: Parameter<unknown>): boolean => value.item?.wireFormat === 'text';

/** Some clients send a list named `name` as `name[]`, or as `name[0]` and `name[1]`. */
function parameterName(rows: Parameters, { name, from }: RawArgument): string {
  const short = name.endsWith(']') ? name.replace(/\[\d{0,3}\]$/, '') : name;
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
  const whole = texts.length === 1 && first !== undefined && !first.name.endsWith(']');
  const json = whole ? parseJsonList(only) : undefined;
  const isContracts = whole && row.schema.bracketed && parseBracketedList(only) !== undefined;
  if (json === undefined && !isContracts) tolerate(rules, 'plain-lists', name);
  const list = json ?? (whole ? validateParameter(name, () => parseLooseList(only)) : texts);
  // Whether an item of several may itself be a list is not the contract's affair.
  const because = texts.length > 1 ? 'plain-lists' : rules.because;
  const decode = list.length > maxLoose ? undefined : () => list;
  return validateLoosely({ name }, row, rules, decode, () => row.schema.validate(list), because);
}

/** Undefined unless the text is a JSON list without numbers: in a bare list, `[1,2]` could be ids made of digits. */
function parseJsonList(text: string): readonly unknown[] | undefined {
  const decoded = text.trimStart().startsWith('[') ? parseAny(text) : undefined;
  const isNumber = (one: unknown) => typeof one === 'number' || one instanceof ExactNumber;
  return Array.isArray(decoded) && !decoded.some(isNumber) ? decoded : undefined;
}

/** The items of a list in a query: JSON, in brackets, or one alone. */
export const listItems = ({ name, value }: RawArgument): readonly string[] =>
  validateParameter(name, () => parseJsonList(String(value)) ?? parseLooseList(String(value))).map(String);

/** What RFC 3986 §3.4 allows in a query. */
const allowedInQuery = /^[A-Za-z0-9\-._~!$&'()*+,;=:@/?%]*$/;

function requireEncoding(row: Parameter<unknown>, { name, encoded }: RawArgument, rules: ReadingRules): void {
  const { wireFormat, bracketed } = row.schema;
  if (encoded === undefined || wireFormat !== 'json' || bracketed || allowedInQuery.test(encoded)) return;
  tolerate(rules, 'unencoded-json', name);
}

function takeUnknown(one: RawArgument, { takeUnknown, because }: ReadingRules): void {
  if (takeUnknown === undefined)
    throw new ErrorResponse('invalid_parameter', `Parameter '${one.name}' is unknown`, because);
  takeUnknown(one);
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
  for (const sent of given) {
    const name = parameterName(rows, sent);
    const row = Object.hasOwn(rows, name) ? rows[name] : undefined;
    if (row === undefined) {
      takeUnknown(sent, rules);
      continue;
    }
    const one = rules.areFilters ? withoutQuotes(sent, row, rules) : sent;
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
      throw parameterRequired(`Parameter '${name}' is required`, rules.because);
  }
  // Each value was validated by the row of its name, which the compiler cannot see.
  return Object.fromEntries(read) as ParsedArguments<P>;
}
