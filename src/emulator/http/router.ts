// Finds the operation for a method and path, and the ids in the path, by the rows of the contract.

import { type Method, type Operation, pathParametersOf } from '#contract/operation.ts';
import * as errors from './error-response.ts';
import { decodePercent } from './request.ts';

export const httpMethods: readonly string[] = ['GET', 'POST', 'PUT', 'DELETE'];

export interface Route<N extends string> {
  readonly name: N;
  readonly operation: Operation;
  readonly ids: PathIds;
}

export interface PathIds {
  readonly single: ReadonlyMap<string, string>;
  /** Of the parameter whose row allows several ids: a path has at most one. */
  readonly several: readonly string[];
}

export function createRouter<N extends string>(rows: readonly (readonly [N, Operation])[]) {
  const entries = rows.map(([name, operation]) => {
    const parameters = Object.entries(pathParametersOf(operation.path));
    /** With a group for each parameter. */
    const pattern = new RegExp(`^${operation.path.replace(/\{\w+\}/g, '([^/]+)')}$`);
    return { name, operation, parameters, pattern };
  });

  function methods(path: string): readonly Method[] {
    const matches = entries.filter(({ pattern }) => pattern.test(path));
    return [...new Set(matches.map(({ operation }) => operation.method))];
  }

  /** The ids in the path are not validated. */
  function at(method: string, path: string) {
    const fits = (entry: (typeof entries)[number]) =>
      entry.operation.method === method && entry.pattern.test(path);
    // Of two operations at a path, the later one takes several ids.
    return /,|%2c/i.test(path) ? entries.findLast(fits) : entries.find(fits);
  }

  /** `path` is below the API's base address. Throws {@link errors.ErrorResponse}. */
  function find(method: string, path: string): Route<N> {
    const entry = at(method, path);
    if (entry === undefined) throw noSuchMethod(method, path);
    const { name, operation, parameters, pattern } = entry;
    const [, ...texts] = pattern.exec(path) ?? [];
    const single = new Map<string, string>();
    let several: readonly string[] = [];
    for (const [index, [parameter, row]] of parameters.entries()) {
      const text = decodePercent(texts[index] ?? '');
      if (text === undefined) throw errors.invalidRequest('The path is not valid percent-encoding', 'stated');
      const read = (id: string) =>
        errors.validateParameter(parameter, () => row.schema.fromWire(id), row.assumption ?? 'stated');
      const { maxIds } = row;
      const values = text.split(',');
      if (maxIds === undefined) single.set(parameter, read(text));
      else if (values.length <= maxIds) several = [...new Set(values.map(read))];
      else {
        const why = `${values.length} ids exceed the limit of ${maxIds}`;
        throw errors.invalidParameter(parameter, why, becauseOf(operation));
      }
    }
    return { name, operation, ids: { single, several } };
  }

  return { methods, at, find };
}

/** Reduces repeated slashes to one: some clients join a path to a base address that ends in a slash. */
export const withoutDoubleSlashes = (path: string): string =>
  path.includes('//') ? path.replace(/\/{2,}/g, '/') : path;

/** Why a request of this operation may be rejected for its parameters. */
export function becauseOf({ evidence, assumption, filterAssumption }: Operation): errors.Because {
  return evidence === 'stated' ? 'stated' : (filterAssumption ?? assumption ?? 'stated');
}

/** Paths of version 3, which version 4 no longer has (contract: Versioning 2). */
const removedPath = /^\/accounts(?:\/|$)/;
/** Names and ids, as in every path of the service. */
const likelyPath = /^(?:\/[\w.~:=,%-]+)+\/?$/;

function noSuchMethod(method: string, path: string): errors.ErrorResponse {
  const isInvalid = !httpMethods.includes(method) || removedPath.test(path) || !likelyPath.test(path);
  if (isInvalid) return errors.methodNotFound(method, path, 'stated');
  // The service may have it: the contract does not show all.
  const description = `The method ${method} ${path} is not part of this emulator`;
  return new errors.ErrorResponse('method_not_found', description, 'other-endpoints');
}
