// Builds the bytes of a request from an operation and its arguments. Pure: sends nothing, and does not see the token.

import { type FileToSend, fileToSend } from '#contract/file-to-send.ts';
import { fileNameHeader, type Operation, pathParameter } from '#contract/operation.ts';
import type { ArgumentsOf, Parameters } from '#contract/parameter.ts';
import { atPath, invalidValue, replaceError, type Schema, ValidationError } from '#contract/schema.ts';
import { usageError } from '#failure.ts';

/** A request without its host and token. `--dry-run` prints it; a session sends it. */
export interface WireRequest {
  readonly method: string;
  /** The path below the base URL, with the query: `/tasks/IEAAA?title=x`. */
  readonly target: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string | FileToSend;
}

/** `PUT /tasks/IEAAA`, without the query, which the user typed. `effect`: the method that the service applies. */
export function requestName(request: Pick<WireRequest, 'method' | 'target'> & { readonly effect?: string }) {
  const { target, effect = request.method } = request;
  return `${effect} ${target.split('?')[0]}`;
}

/** A value for each `{name}` in the path, or several if the path takes a list. */
export type PathArguments = Readonly<Record<string, string | readonly string[]>>;

/** The longest query in bytes, unless --query-limit sets another. Node's servers reject a head of 16,384. */
const defaultQueryLimit = 16_000;

/** All UTF-8 bytes but A-Z a-z 0-9 - _ . ~ (RFC 3986 §2.3). Throws {@link ValidationError} for half of a surrogate pair. */
export function percentEncode(text: string): string {
  // Most names and ids need no encoding.
  if (/^[\w.~-]*$/.test(text)) return text;
  if (!text.isWellFormed())
    throw invalidValue(text, 'contains half of a surrogate pair, which UTF-8 cannot encode');
  return encodeURIComponent(text).replace(
    /[!'()*]/g,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
  );
}

export function encodePairs(pairs: readonly (readonly [name: string, value: string])[]): string {
  return pairs.map((pair) => pair.map(percentEncode).join('=')).join('&');
}

function buildPath(operation: Operation, pathArguments: PathArguments): string {
  let path = '';
  for (const step of operation.path.split('/').slice(1))
    path += `/${step.startsWith('{') ? encodeIds(operation, step.slice(1, -1), pathArguments) : step}`;
  return path;
}

function encodeIds({ path }: Operation, name: string, pathArguments: PathArguments): string {
  const parameter = pathParameter(name);
  const argument = pathArguments[name];
  if (parameter === undefined || argument === undefined) throw new Error(`${path} needs ${name}`);
  if (typeof argument === 'string') return encodeId(parameter.schema.validate(argument));
  const maxIds = parameter.maxIds ?? 1;
  if (argument.length === 0) throw new ValidationError('an empty list', 'contains no id');
  if (argument.length > maxIds)
    throw new ValidationError(`${argument.length} ids`, `exceed the limit of ${maxIds}`);
  return argument.map((id) => encodeId(parameter.schema.validate(id))).join(',');
}

function encodeId(id: string): string {
  // A valid id, but servers and proxies resolve it as a dot segment of the path (RFC 3986 §5.2.4).
  if (id === '.' || id === '..') throw invalidValue(id, 'cannot be part of a URL path');
  return percentEncode(id);
}

/**
 * Builds the request, with parameters in the contract's order. Throws {@link ValidationError} for an invalid or missing value.
 * Contract: PUT /tasks/{taskId}; Webhook endpoints.
 */
export function buildRequest<P extends Parameters>(
  operation: Operation<P>,
  path: PathArguments,
  values: ArgumentsOf<P>,
): WireRequest {
  const target = buildPath(operation, path);
  const pairs: string[] = [];
  const rows: Parameters = operation.parameters;
  // Not Object.entries: a million rows pass here, with a few of 30 parameters.
  for (const name in rows) {
    const value: unknown = values[name];
    const row = rows[name];
    if (row?.required && value === undefined) throw new ValidationError(name, 'is required');
    if (operation.takesFile) return buildUpload(operation.method, target, value);
    // Parameter names contain only letters and underscores, which need no encoding.
    if (row && value !== undefined) pairs.push(`${name}=${encodeValue(name, row.schema, value)}`);
  }
  const { method } = operation;
  if (pairs.length === 0) return { method, target, headers: {} };
  const query = { method, target: `${target}?${pairs.join('&')}`, headers: {} };
  return (operation.parametersIn === 'form' && toForm(query)) || query;
}

/** Moves all parameters: a service that reads only one of the two makes all changes or none. `undefined` for a GET, whose body is ignored. */
export function toForm({ method, target }: Pick<WireRequest, 'method' | 'target'>): WireRequest | undefined {
  const [path = '', query] = target.split('?');
  if (method === 'GET' || query === undefined) return undefined;
  return {
    method,
    target: path,
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    body: query,
  };
}

export function limitQuery(request: WireRequest, maxBytes = defaultQueryLimit): WireRequest {
  const { target } = request;
  const isShort = target.length <= maxBytes || target.length - target.indexOf('?') - 1 <= maxBytes;
  return isShort ? request : (toForm(request) ?? request);
}

/** Builds a request, perhaps only to print it. Throws a usage error for an invalid value. */
export function prepareRequest<P extends Parameters>(
  operation: Operation<P>,
  path: PathArguments,
  parameters: ArgumentsOf<P>,
): WireRequest {
  return replaceError(
    ValidationError,
    () => buildRequest(operation, path, parameters),
    ({ message }) => usageError(message),
  );
}

/** Encodes a value. If it is invalid, the error names the parameter. */
function encodeValue(name: string, schema: Schema<unknown>, value: unknown): string {
  try {
    return percentEncode(schema.toWire(schema.validate(value)));
  } catch (error) {
    throw atPath(name, error);
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
