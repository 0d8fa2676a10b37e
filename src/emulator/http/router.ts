// Finds the operation for a method and path, and the ids in the path, by the rows of the contract.

import type { Method, Operation, PathParameter } from '#contract/operation.ts';
import {
  type Because,
  type ErrorResponse,
  invalidParameter,
  invalidRequest,
  methodNotEmulated,
  methodNotFound,
  validateParameter,
} from './error-response.ts';

/** All methods of the API. */
export const httpMethods: readonly string[] = ['GET', 'POST', 'PUT', 'DELETE'];

export interface Route<N extends string> {
  readonly name: N;
  readonly operation: Operation;
  readonly ids: PathIds;
}

export interface PathIds {
  readonly single: ReadonlyMap<string, string>;
  /** Of the parameters whose row allows several. */
  readonly several: ReadonlyMap<string, readonly string[]>;
}

interface Entry<N extends string> {
  readonly name: N;
  readonly operation: Operation;
  readonly segments: readonly string[];
  /** By the place of their segment, in that order. */
  readonly parameters: ReadonlyMap<number, PathParameter & { readonly name: string }>;
}

function createEntry<N extends string>(name: N, operation: Operation): Entry<N> {
  const segments = operation.path.split('/').slice(1);
  const parameters = Object.entries(operation.pathParameters)
    .map(([name, row]) => [segments.indexOf(`{${name}}`), { ...row, name }] as const)
    .toSorted(([one], [other]) => one - other);
  return { name, operation, segments, parameters: new Map(parameters) };
}

export class Router<N extends string> {
  readonly #entries: readonly Entry<N>[];
  /** The same by method and number of segments, so that only a few are compared. */
  readonly #shelves = new Map<string, Entry<N>[]>();

  constructor(rows: readonly (readonly [N, Operation])[]) {
    this.#entries = rows.map(([name, operation]) => createEntry(name, operation));
    for (const entry of this.#entries) {
      const shelf = `${entry.operation.method} ${entry.segments.length}`;
      this.#shelves.set(shelf, [...(this.#shelves.get(shelf) ?? []), entry]);
    }
  }

  methods(path: string): readonly Method[] {
    const segments = path.split('/').slice(1);
    const fitting = this.#entries.filter((entry) => fits(entry, segments));
    return [...new Set(fitting.map(({ operation }) => operation.method))];
  }

  /** The name of the operation, whatever stands for its ids. */
  nameAt(method: string, path: string): N | undefined {
    const segments = path.split('/').slice(1);
    return this.#entries.find((one) => one.operation.method === method && fits(one, segments))?.name;
  }

  /** `path` is below the API's base address. Throws {@link ErrorResponse}. */
  find(method: string, path: string): Route<N> {
    const segments = path.split('/').slice(1);
    const entry = this.#shelves.get(`${method} ${segments.length}`)?.find((one) => fits(one, segments));
    if (entry === undefined) throw noSuchMethod(method, path);
    const { name, operation, parameters } = entry;
    const single = new Map<string, string>();
    const several = new Map<string, readonly string[]>();
    for (const [index, row] of parameters) {
      const text = decodeSegment(segments[index] ?? '');
      const read = (id: string) =>
        validateParameter(row.name, () => row.schema.fromWire(id), row.assumption ?? 'stated');
      if (row.maxIds === undefined) single.set(row.name, read(text));
      else
        several.set(row.name, [...new Set(splitIds(row, text, row.maxIds, becauseOf(operation)).map(read))]);
    }
    return { name, operation, ids: { single, several } };
  }
}

/** Reduces repeated slashes to one: some clients join a path to a base address that ends in a slash. */
export const withoutDoubleSlashes = (path: string): string =>
  path.includes('//') ? path.replace(/\/{2,}/g, '/') : path;

function fits<N extends string>({ segments, parameters }: Entry<N>, given: readonly string[]): boolean {
  return (
    segments.length === given.length &&
    segments.every((one, index) => (parameters.has(index) ? given[index] !== '' : one === given[index]))
  );
}

function decodeSegment(segment: string): string {
  if (!segment.includes('%')) return segment;
  try {
    return decodeURIComponent(segment);
  } catch {
    throw invalidRequest('The path is not valid percent-encoding', 'stated');
  }
}

function splitIds(
  { name }: { readonly name: string },
  text: string,
  most: number,
  because: Because,
): readonly string[] {
  const ids = text.split(',');
  if (ids.length > most)
    throw invalidParameter(name, `${ids.length} ids exceed the limit of ${most}`, because);
  return ids;
}

/** Why a request of this operation may be rejected for its parameters. */
export function becauseOf({ evidence, assumption }: Operation): Because {
  return evidence === 'stated' ? 'stated' : (assumption ?? 'stated');
}

/** Contract: Versioning 2 says what became of these. */
const paths3 = /^\/accounts(?:\/|$)/;
/** Names and ids, as every path of the service has. */
const likelyPath = /^(?:\/[\w.~:=,%-]+)+\/?$/;

function noSuchMethod(method: string, path: string): ErrorResponse {
  const none = !httpMethods.includes(method) || paths3.test(path) || !likelyPath.test(path);
  return none ? methodNotFound(method, path, 'stated') : methodNotEmulated(method, path);
}
