// Builds the bytes of a request from an operation and its arguments. Pure: sends nothing, and does not see the token.

import { type FileToSend, fileToSend } from '#contract/file-to-send.ts';
import { fileNameHeader, type Operation } from '#contract/operation.ts';
import type { ArgumentsOf, Parameters } from '#contract/parameter.ts';
import { formatValue, type Schema, ValidationError } from '#contract/schema.ts';

/** A request without its host and token. `--dry-run` prints it; a session sends it. */
export interface WireRequest {
  readonly method: string;
  /** The path below the base URL, with the query: `/tasks/IEAAA?title=x`. */
  readonly target: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string | FileToSend;
}

/** A value for each `{name}` in the path, or several if the path takes a list. */
export type PathArguments = Readonly<Record<string, string | readonly string[]>>;

/** Servers and proxies reject longer URLs. Beyond this, the longest parameters move to a form body. */
const maxUrlBytes = 7_000;
/** Reserved for the base URL in front of the target. */
const reservedAddressBytes = 100;

/**
 * Percent-encodes all UTF-8 bytes but A-Z a-z 0-9 - _ . ~ (RFC 3986 §2.3): a space becomes %20, never +. Throws {@link
 * ValidationError} for half of a surrogate pair.
 */
export function percentEncode(text: string): string {
  // Most names and ids need no encoding.
  if (/^[\w.~-]*$/.test(text)) return text;
  if (!text.isWellFormed())
    throw new ValidationError(
      formatValue(text),
      'contains half of a surrogate pair, which UTF-8 cannot encode',
    );
  return encodeURIComponent(text).replace(
    /[!'()*]/g,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
  );
}

function buildPath(operation: Operation, pathArguments: PathArguments): string {
  let path = '';
  for (const step of operation.path.split('/').slice(1))
    path += `/${step.startsWith('{') ? encodeIds(operation, step.slice(1, -1), pathArguments) : step}`;
  return path;
}

function encodeIds({ path, pathParameters }: Operation, name: string, pathArguments: PathArguments): string {
  const parameter = pathParameters[name];
  const argument = pathArguments[name];
  if (parameter === undefined || argument === undefined) throw new Error(`${path} needs ${name}`);
  if (typeof argument === 'string') return encodeId(parameter.schema.validate(argument));
  const most = parameter.maxIds ?? 1;
  if (argument.length === 0) throw new ValidationError('an empty list', 'contains no id');
  if (argument.length > most)
    throw new ValidationError(`${argument.length} ids`, `exceed the limit of ${most}`);
  return argument.map((id) => encodeId(parameter.schema.validate(id))).join(',');
}

function encodeId(id: string): string {
  // A valid id, but servers and proxies resolve it as a dot segment of the path (RFC 3986 §5.2.4).
  if (id === '.' || id === '..') throw new ValidationError(formatValue(id), 'cannot be part of a URL path');
  return percentEncode(id);
}

/**
 * Builds the request, with parameters in the contract's order. Throws {@link ValidationError} for an invalid or missing value.
 * Contract: PUT /tasks/{taskId}; Webhook endpoints.
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
  if (operation.takesFile) return buildUpload(operation.method, target, given['file']);
  for (const name of namesInContractOrder(operation.parameters, given)) {
    const row = operation.parameters[name];
    const argument: unknown = given[name];
    if (row === undefined || argument === undefined) continue;
    // Parameter names contain only letters and underscores, which need no encoding.
    const pair = `${name}=${encodeValue(name, row.schema, argument)}`;
    length += pair.length + 1;
    pairs.push(pair);
  }
  if (operation.parametersIn === 'form') return toWireRequest(operation.method, target, [], pairs);
  // Servers ignore the body of a GET.
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

/** Encodes a value. If it is invalid, the error names the parameter. */
function encodeValue(name: string, schema: Schema<unknown>, value: unknown): string {
  try {
    return percentEncode(schema.toWire(schema.validate(value)));
  } catch (error) {
    if (!(error instanceof ValidationError)) throw error;
    throw new ValidationError(`${name}: ${error.value}`, error.problem, error.assumption);
  }
}

/** Percent-encodes the file name in the header, which cannot contain every character. */
function buildUpload(method: string, target: string, upload: unknown): WireRequest {
  const file = fileToSend.validate(upload);
  const headers = {
    'content-type': 'application/octet-stream',
    [fileNameHeader.toLowerCase()]: percentEncode(file.name),
  };
  return { method, target, headers, body: file };
}

/** Fast for one parameter, the usual case in a bulk run. Only several need sorting. */
function namesInContractOrder<P extends Parameters>(rows: P, parameters: ArgumentsOf<P>): readonly string[] {
  const names = Object.keys(parameters);
  return names.length < 2 ? names : Object.keys(rows).filter((name) => Object.hasOwn(parameters, name));
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

/** Selects the longest pairs, as few as possible, to save this many bytes. */
function selectLongest(pairs: readonly string[], bytes: number): ReadonlySet<string> {
  const taken = new Set<string>();
  let bytesToSave = bytes;
  for (const pair of [...pairs].sort((a, b) => b.length - a.length)) {
    if (bytesToSave <= 0) break;
    taken.add(pair);
    bytesToSave -= pair.length + 1;
  }
  return taken;
}
