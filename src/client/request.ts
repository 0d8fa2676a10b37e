// An operation and its arguments become the bytes of a request. Pure: sends nothing, and knows no token.

import type { Operation } from '../contract/operation.ts';
import type { ArgumentsOf, Parameters } from '../contract/parameter.ts';
import { formatValue, ValidationError } from '../contract/schema.ts';

/** A request without its address and its token: what `--dry-run` shows, and what a session sends. */
export interface WireRequest {
  readonly method: string;
  /** Below the API's base address, with its query: `/tasks/IEAAA?title=x`. */
  readonly target: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string;
}

/** One value for each `{name}` of the path, or several where the path takes a list. */
export type PathArguments = Readonly<Record<string, string | readonly string[]>>;

/** Servers and proxies refuse longer URLs; past this the longest parameters go into a form body. */
const maxUrlBytes = 7_000;
/** What is kept free for the base address in front of the target. */
const reservedAddressBytes = 100;

/** Every byte but A-Z a-z 0-9 - _ . ~ as %XX: a space is %20, never +. Throws {@link ValidationError} for half a surrogate. */
export function percentEncode(text: string): string {
  // Most names and ids, and nothing to be done for them.
  if (/^[\w.~-]*$/.test(text)) return text;
  if (!text.isWellFormed())
    throw new ValidationError(formatValue(text), 'holds half of a surrogate pair, which UTF-8 cannot carry');
  return encodeURIComponent(text).replace(
    /[!'()*]/g,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
  );
}

function buildPath(operation: Operation, given: PathArguments): string {
  let path = '';
  for (const step of operation.path.split('/').slice(1))
    path += `/${step.startsWith('{') ? encodeIds(operation, step.slice(1, -1), given) : step}`;
  return path;
}

function encodeIds({ path, pathParameters }: Operation, name: string, given: PathArguments): string {
  const parameter = pathParameters[name];
  const argument = given[name];
  if (parameter === undefined || argument === undefined) throw new Error(`${path} needs ${name}`);
  if (typeof argument === 'string') return encodeId(parameter.schema.validate(argument));
  const most = parameter.maxIds ?? 1;
  if (argument.length === 0) throw new ValidationError('an empty list', 'names nothing');
  if (argument.length > most)
    throw new ValidationError(`${argument.length} ids`, `are more than the limit of ${most}`);
  return argument.map((id) => encodeId(parameter.schema.validate(id))).join(',');
}

function encodeId(id: string): string {
  // Legal as an id, but as a step of a path every server and proxy would take it for "here" or "up".
  if (id === '.' || id === '..')
    throw new ValidationError(formatValue(id), 'cannot stand in the path of a URL');
  return percentEncode(id);
}

/**
 * Builds the request. Parameters go in the contract's order, JSON ones encoded once as JSON and once as URI.
 * Throws {@link ValidationError} for a value that the contract does not allow.
 */
export function buildRequest<P extends Parameters>(
  operation: Operation<P>,
  path: PathArguments,
  given: ArgumentsOf<P>,
): WireRequest {
  const target = buildPath(operation, path);
  const pairs: string[] = [];
  let length = reservedAddressBytes + target.length;
  for (const name of operation.required)
    if (given[name] === undefined) throw new ValidationError(name, 'is required');
  for (const name of namesInContractOrder(operation.parameters, given)) {
    const row = Object.hasOwn(operation.parameters, name) ? operation.parameters[name] : undefined;
    const argument: unknown = given[name];
    if (row === undefined || argument === undefined) continue;
    // The names are letters and underscores, and need no encoding.
    const pair = `${name}=${percentEncode(row.schema.toWire(row.schema.validate(argument)))}`;
    length += pair.length + 1;
    pairs.push(pair);
  }
  if (operation.parametersIn === 'form') return toWireRequest(operation.method, target, [], pairs);
  // Nobody would read the body of a GET.
  if (length <= maxUrlBytes || operation.method === 'GET')
    return toWireRequest(operation.method, target, pairs, []);
  const moved = selectLongest(pairs, length - maxUrlBytes);
  return toWireRequest(
    operation.method,
    target,
    pairs.filter((pair) => !moved.has(pair)),
    pairs.filter((pair) => moved.has(pair)),
  );
}

/** Every row of a bulk comes here, most with one parameter: to look for each of the contract's would take longer. */
function namesInContractOrder<P extends Parameters>(rows: P, given: ArgumentsOf<P>): readonly string[] {
  const names = Object.keys(given);
  return names.length < 2 ? names : Object.keys(rows).filter((name) => Object.hasOwn(given, name));
}

function toWireRequest(
  method: string,
  target: string,
  query: readonly string[],
  form: readonly string[],
): WireRequest {
  const whole = query.length === 0 ? target : `${target}?${query.join('&')}`;
  if (form.length === 0) return { method, target: whole, headers: {} };
  const headers = { 'content-type': 'application/x-www-form-urlencoded' };
  return { method, target: whole, headers, body: form.join('&') };
}

/** The longest pairs, as few as make up for this many bytes. */
function selectLongest(pairs: readonly string[], bytes: number): ReadonlySet<string> {
  const taken = new Set<string>();
  let left = bytes;
  for (const pair of [...pairs].sort((a, b) => b.length - a.length)) {
    if (left <= 0) break;
    taken.add(pair);
    left -= pair.length + 1;
  }
  return taken;
}
