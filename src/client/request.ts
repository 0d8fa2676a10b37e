// An operation and its arguments become the bytes of a request. Pure: sends nothing, and knows no token.

import type { Operation } from '../contract/operation.ts';
import type { ArgumentsOf, Parameters } from '../contract/parameter.ts';
import { Refused, shown } from '../contract/value.ts';

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
const urlBytes = 7_000;
/** What is kept free for the base address in front of the target. */
const addressBytes = 100;

/** Every byte but A-Z a-z 0-9 - _ . ~ as %XX: a space is %20, never +. Throws {@link Refused} for half a surrogate. */
export function encode(text: string): string {
  if (!text.isWellFormed())
    throw new Refused(shown(text), 'holds half of a surrogate pair, which UTF-8 cannot carry');
  return encodeURIComponent(text).replace(
    /[!'()*]/g,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
  );
}

function pathOf(operation: Operation, given: PathArguments): string {
  return operation.path.replace(/\{(\w+)\}/g, (_, name: string) => {
    const parameter = operation.pathParameters[name];
    const argument = given[name];
    if (parameter === undefined || argument === undefined) throw new Error(`${operation.path} needs ${name}`);
    const ids = typeof argument === 'string' ? [argument] : argument;
    const most = parameter.most ?? 1;
    if (ids.length === 0) throw new Refused('an empty list', 'names nothing');
    if (ids.length > most) throw new Refused(`${ids.length} ids`, `are more than the limit of ${most}`);
    return ids
      .map((id) => {
        parameter.value.check(id);
        // Legal as an id, but as a step of a path every server and proxy would take it for "here" or "up".
        if (id === '.' || id === '..') throw new Refused(shown(id), 'cannot stand in the path of a URL');
        return encode(id);
      })
      .join(',');
  });
}

/**
 * Builds the request. Parameters go in the contract's order, JSON ones encoded once as JSON and once as URI.
 * Throws {@link Refused} for a value that the contract does not allow.
 */
export function buildRequest<P extends Parameters>(
  operation: Operation<P>,
  path: PathArguments,
  given: ArgumentsOf<P>,
): WireRequest {
  const target = pathOf(operation, path);
  const pairs: string[] = [];
  let length = addressBytes + target.length;
  for (const [name, { value, required }] of Object.entries(operation.parameters)) {
    const argument: unknown = given[name];
    if (argument === undefined) {
      if (required) throw new Refused(name, 'is required');
      continue;
    }
    const pair = `${encode(name)}=${encode(value.toWire(value.check(argument)))}`;
    length += pair.length + 1;
    pairs.push(pair);
  }
  if (operation.sends === 'form') return requestOf(operation.method, target, [], pairs);
  // Nobody would read the body of a GET.
  if (length <= urlBytes || operation.method === 'GET') return requestOf(operation.method, target, pairs, []);
  const moved = longest(pairs, length - urlBytes);
  return requestOf(
    operation.method,
    target,
    pairs.filter((pair) => !moved.has(pair)),
    pairs.filter((pair) => moved.has(pair)),
  );
}

function requestOf(
  method: string,
  target: string,
  query: readonly string[],
  form: readonly string[],
): WireRequest {
  return {
    method,
    target: query.length === 0 ? target : `${target}?${query.join('&')}`,
    headers: form.length === 0 ? {} : { 'content-type': 'application/x-www-form-urlencoded' },
    ...(form.length === 0 ? {} : { body: form.join('&') }),
  };
}

/** The longest pairs, as few as make up for this many bytes. */
function longest(pairs: readonly string[], bytes: number): ReadonlySet<string> {
  const taken = new Set<string>();
  let left = bytes;
  for (const pair of [...pairs].sort((a, b) => b.length - a.length)) {
    if (left <= 0) break;
    taken.add(pair);
    left -= pair.length + 1;
  }
  return taken;
}
