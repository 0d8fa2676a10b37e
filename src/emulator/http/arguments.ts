// Reads the parameters of a request from its query, form or JSON body, and validates them against the rows of the contract.
// It accepts more than the contract's letter, and notes what; with --strict it rejects that.

import type { ToleranceId } from '#contract/assumption.ts';
import {
  describeJsonError,
  ExactNumber,
  isJsonObject,
  JsonDepthError,
  parseJson,
  parseJsonIfValid,
} from '#contract/json.ts';
import type { ArgumentsOf, Parameter, Parameters } from '#contract/parameter.ts';
import { parseBracketedList, unlessInvalid } from '#contract/schema.ts';
import {
  type Because,
  invalidParameter,
  invalidRequest,
  parameterRequired,
  unknownParameter,
  validateParameter,
} from './error-response.ts';
import { multipartType, readMultipart } from './multipart.ts';
import { contentType, type Pair, parsePairs, type ReceivedRequest } from './request.ts';
import { countsCodePoints, type Note, normalized, type ToleranceRules, tolerate } from './tolerances.ts';

/** A parameter before validation: text from a query or form, or any JSON value. */
export interface RawArgument {
  readonly name: string;
  readonly value: unknown;
  readonly from: 'text' | 'json';
  /** Text as it was sent, percent-encoded. */
  readonly sent?: string | undefined;
  /** A name alone, without `=` and a value. */
  readonly isBare?: boolean;
}

export interface ReadingRules extends ToleranceRules {
  /** Why an invalid or missing value is rejected. */
  readonly because: Because;
  /** True for filters, whose values may be in quotes. */
  readonly areFilters?: boolean;
  /** Called for an unknown parameter. If absent, the contract shows all parameters, and an unknown one is an error. */
  readonly onUnknown?: ((argument: RawArgument) => void) | undefined;
}

export const toRawArguments = (pairs: readonly Pair[]): readonly RawArgument[] =>
  pairs.map(([name, value, sent]) => ({ name, value, from: 'text', sent, isBare: sent === undefined }));

export const jsonArguments = (members: object): readonly RawArgument[] =>
  Object.entries(members).map(([name, value]) => ({ name, value, from: 'json' }));

export async function readBodyArguments(request: ReceivedRequest): Promise<readonly RawArgument[]> {
  const type = contentType(request);
  if (type === multipartType) {
    // Some clients send a form as multipart/form-data.
    const { fields, file } = await readMultipart(request);
    if (file !== undefined)
      throw invalidRequest('The body has a file, which this method does not take', 'multipart-parameters');
    return fields.map(([name, value]) => ({ name, value, from: 'text' }));
  }
  const text = await request.body();
  if (text === '') return [];
  if (type === 'application/x-www-form-urlencoded') return toRawArguments(parsePairs(text));
  if (type !== 'application/json') {
    throw invalidRequest(`The Content-Type is ${type || 'missing'}; send a form or JSON`, 'stated');
  }
  return jsonArguments(parseObject(text));
}

function parseObject(text: string): object {
  let decoded: unknown;
  try {
    decoded = parseJson(text);
  } catch (error) {
    const because = error instanceof JsonDepthError ? 'json-depth' : 'stated';
    throw invalidRequest(`The body ${describeJsonError(error)}`, because);
  }
  if (!isJsonObject(decoded)) throw invalidRequest('The body is not a JSON object', 'stated');
  return decoded;
}

/** Some clients put quotes around each text in a query. */
const quoted = /^(["'])([^"']*)\1$/;

function withoutQuotes(argument: RawArgument, { schema }: Parameter<unknown>, rules: ReadingRules) {
  const { wireFormat } = schema.item ?? schema;
  const content = wireFormat === 'text' ? quoted.exec(String(argument.value))?.[2] : undefined;
  if (content === undefined) return argument;
  tolerate(rules, 'quoted-filter', argument.name);
  return { ...argument, value: content };
}

function validateValue(row: Parameter<unknown>, argument: RawArgument, rules: ReadingRules): unknown {
  const { name, value, from, isBare } = argument;
  const { schema } = row;
  if (isBare && row.isFlag) return true;
  if (from === 'json') {
    const validate = () => schema.validate(value);
    // A JSON body may contain a list as a form does: as text in square brackets.
    if (typeof value !== 'string' || schema.item === undefined)
      return validateLoosely(name, row, rules, () => value, validate);
    tolerate(rules, 'json-in-json', name);
  }
  const text = String(value);
  const decode = (note: Note) => {
    if (text.length > maxNormalizedLength) return undefined;
    // Some clients cannot send a filter as a name alone, and send `me=`.
    if (text === '' && (isBare || rules.areFilters)) return 'true';
    if (schema.wireFormat !== 'json') return text;
    const json = parseJsonIfValid(text);
    if (json !== undefined) return json;
    const lenient = parseLenientJson(text);
    if (lenient !== undefined) note('lenient-json');
    return lenient;
  };
  return validateLoosely(name, row, rules, decode, () => schema.fromWire(text));
}

/** A text in quotes, a mark, or a word. */
const tokens = /\s*(?:("(?:[^"\\]|\\.)*")|'([^'"\\]*)'|(=>|[[\]{}:=,;])|([^\s[\]{}:=,;"'\\/#]+))\s*/gsuy;

const marks: Readonly<Record<string, string>> = { '=': ':', '=>': ':', ';': ',' };

/**
 * Reads JSON as a common library for Java does leniently: names and words without quotes, `=` or `=>` for a colon, `;` for a comma.
 * Several programs send objects so, because they print a map of their language. Each word is a text: the schema says whether it is a
 * number or a flag. Undefined for a text that cannot be read even so.
 */
function parseLenientJson(text: string): unknown {
  let json = '';
  let end = 0;
  for (const [all, quoted, single, mark, word] of text.matchAll(tokens)) {
    end += all.length;
    if (mark !== undefined) json += marks[mark] ?? mark;
    else json += quoted ?? (word === 'null' ? word : JSON.stringify(single ?? word));
  }
  return end === text.length ? parseJsonIfValid(json) : undefined;
}

/** In characters of a text, or items of a list. */
const maxNormalizedLength = 10_000;

/** Retries an invalid value with its words in the schema's letter case, and flags such as `1` as booleans. */
function validateLoosely(
  name: string,
  { schema }: Parameter<unknown>,
  rules: ReadingRules,
  decode: (note: Note) => unknown,
  validate: () => unknown,
  because = rules.because,
): unknown {
  try {
    return validateParameter(name, validate, because);
  } catch (error) {
    const changes = new Set<ToleranceId>();
    const note = (id: ToleranceId) => changes.add(id);
    const value = normalized(schema, decode(note), note);
    const loose = changes.size === 0 ? undefined : unlessInvalid(() => ({ value: schema.validate(value) }));
    if (loose === undefined) throw error;
    for (const id of changes) tolerate(rules, id, name);
    return loose.value;
  }
}

/** A list of ids or words, whose items cannot be mistaken for JSON. */
const isPlainList = ({ schema }: Parameter<unknown>): boolean => schema.item?.wireFormat === 'text';

/** Some clients send a list named `name` as `name[]`, or as `name[0]` and `name[1]`. */
function parameterName(rows: Parameters, { name, from }: RawArgument): string {
  const short = name.endsWith(']') ? name.replace(/\[\d{0,3}\]$/, '') : name;
  const row = Object.hasOwn(rows, short) ? rows[short] : undefined;
  return from === 'text' && row !== undefined && isPlainList(row) ? short : name;
}

/** From a query or form: a single value may be the whole list, repeated ones are an item each. */
type PlainList = { readonly row: Parameter<unknown>; readonly items: RawArgument[] };

function validatePlainList(name: string, { row, items }: PlainList, rules: ReadingRules): unknown {
  const texts = items.map(({ value }) => String(value));
  const [text = ''] = texts;
  const isWholeList = items.length === 1 && items[0]?.name.endsWith(']') === false;
  const json = isWholeList ? parseJsonList(text) : undefined;
  const bracketed =
    isWholeList && json === undefined ? validateParameter(name, () => parseBracketedList(text)) : undefined;
  const isContractForm = row.schema.bracketed && bracketed !== undefined;
  if (json === undefined && !isContractForm) tolerate(rules, 'plain-lists', name);
  // Without brackets, a single item.
  const list = json ?? bracketed ?? texts;
  // The contract does not say whether a repeated value may itself be a list.
  const because = texts.length > 1 ? 'plain-lists' : rules.because;
  const decode = () => (list.length > maxNormalizedLength ? undefined : list);
  return validateLoosely(name, row, rules, decode, () => row.schema.validate(list), because);
}

/** Undefined unless the text is a JSON list without numbers: in a bare list, `[1,2]` could be ids made of digits. */
function parseJsonList(text: string): readonly unknown[] | undefined {
  const decoded = text.trimStart().startsWith('[') ? parseJsonIfValid(text) : undefined;
  const isNumber = (item: unknown) => typeof item === 'number' || item instanceof ExactNumber;
  return Array.isArray(decoded) && !decoded.some(isNumber) ? decoded : undefined;
}

/** What RFC 3986 §3.4 allows in a query. */
const allowedInQuery = /^[A-Za-z0-9\-._~!$&'()*+,;=:@/?%]*$/;

function requireEncoding(row: Parameter<unknown>, { name, sent }: RawArgument, rules: ReadingRules): void {
  const { wireFormat, bracketed } = row.schema;
  if (sent === undefined || wireFormat !== 'json' || bracketed || allowedInQuery.test(sent)) return;
  tolerate(rules, 'unencoded-json', name);
}

type RequiredName<P extends Parameters> = {
  [K in keyof P]: P[K] extends { readonly required: true } ? K : never;
}[keyof P];

/** The values of parameters, among them all the required ones. */
export type ParsedArguments<P extends Parameters> = ArgumentsOf<Omit<P, RequiredName<P>>> &
  Required<ArgumentsOf<Pick<P, RequiredName<P>>>>;

/** Throws an ErrorResponse for a repeated, invalid or missing parameter, and for an unknown one that is not ignored. */
export function parseArguments<P extends Parameters>(
  rows: P,
  rawArguments: readonly RawArgument[],
  rules: ReadingRules,
): ParsedArguments<P> {
  const { onUnknown, because } = rules;
  const values = new Map<string, unknown>();
  let lists: Map<string, PlainList> | undefined;
  for (const raw of rawArguments) {
    const name = parameterName(rows, raw);
    const row = Object.hasOwn(rows, name) ? rows[name] : undefined;
    if (row === undefined) {
      if (onUnknown === undefined) throw unknownParameter(raw.name, because);
      onUnknown(raw);
      continue;
    }
    const argument = rules.areFilters ? withoutQuotes(raw, row, rules) : raw;
    requireEncoding(row, argument, rules);
    const list = lists?.get(name);
    if (list !== undefined && argument.from === 'text') list.items.push(argument);
    else if (list !== undefined || values.has(name))
      throw invalidParameter(name, 'it is given more than once', 'repeated-parameter');
    else if (argument.from === 'text' && isPlainList(row))
      lists = (lists ?? new Map()).set(name, { row, items: [argument] });
    else values.set(name, validateValue(row, argument, rules));
  }
  for (const [name, list] of lists ?? []) values.set(name, validatePlainList(name, list, rules));
  // This runs for every request: creating a list of the rows would cost more than the loop.
  for (const name in rows) {
    const row = rows[name];
    if (row?.required && !values.has(name))
      throw parameterRequired(`Parameter '${name}' is required`, because);
    if (row && countsCodePoints(row.schema, values.get(name))) rules.assume('character-count');
  }
  // Each value was validated by the row of its name, which the compiler cannot see.
  return Object.fromEntries(values) as ParsedArguments<P>;
}
