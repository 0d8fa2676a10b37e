// Finds the operation for a method and path, and the ids in the path, by the rows of the contract.

import type { Method, Operation } from '../../contract/operation.ts';
import { ValidationError } from '../../contract/schema.ts';
import { ErrorResponse, invalidParameter, methodNotFound } from './error-response.ts';

/** All methods of the API. */
export const httpMethods: readonly string[] = ['GET', 'POST', 'PUT', 'DELETE'];

export interface Route<N extends string> {
  readonly name: N;
  readonly operation: Operation;
  /** By the name in the path; several if the row allows it. */
  readonly ids: ReadonlyMap<string, readonly string[]>;
}

interface Entry<N extends string> {
  readonly name: N;
  readonly operation: Operation;
  readonly segments: readonly string[];
}

const nameIn = (segment: string) => /^\{(.+)\}$/.exec(segment)?.[1];

export class Router<N extends string> {
  readonly #entries: readonly Entry<N>[];
  /** The same by method and number of segments, so that only a few are compared. */
  readonly #shelves = new Map<string, Entry<N>[]>();

  constructor(rows: readonly (readonly [N, Operation])[]) {
    this.#entries = rows.map(([name, operation]) => ({
      name,
      operation,
      segments: operation.path.split('/').slice(1),
    }));
    for (const entry of this.#entries) {
      const shelf = `${entry.operation.method} ${entry.segments.length}`;
      this.#shelves.set(shelf, [...(this.#shelves.get(shelf) ?? []), entry]);
    }
  }

  /** The methods of a path, for OPTIONS. */
  methods(path: string): readonly Method[] {
    const segments = path.split('/').slice(1);
    const fitting = this.#entries.filter((entry) => fits(entry.segments, segments));
    return [...new Set(fitting.map(({ operation }) => operation.method))];
  }

  /** `path` is below the API's base address. Throws {@link ErrorResponse}. */
  find(method: string, path: string): Route<N> {
    const segments = path.split('/').slice(1);
    const entry = this.#shelves
      .get(`${method} ${segments.length}`)
      ?.find((one) => fits(one.segments, segments));
    if (entry === undefined) throw methodNotFound(method, path);
    const { name, operation } = entry;
    const ids = new Map<string, readonly string[]>();
    entry.segments.forEach((segment, index) => {
      const parameter = nameIn(segment);
      if (parameter !== undefined) ids.set(parameter, idsOf(operation, parameter, segments[index] ?? ''));
    });
    return { name, operation, ids };
  }
}

function fits(pattern: readonly string[], segments: readonly string[]): boolean {
  return (
    pattern.length === segments.length &&
    pattern.every((one, index) =>
      nameIn(one) === undefined ? one === segments[index] : segments[index] !== '',
    )
  );
}

function idsOf({ pathParameters }: Operation, name: string, segment: string): readonly string[] {
  const row = pathParameters[name];
  try {
    const text = decodeURIComponent(segment);
    const most = row?.maxIds ?? 1;
    const ids = most > 1 ? text.split(',') : [text];
    if (ids.length > most) throw invalidParameter(name, `${ids.length} ids exceed the limit of ${most}`);
    return [...new Set(ids.map((id) => row?.schema.fromWire(id) ?? id))];
  } catch (error) {
    if (error instanceof ValidationError) throw invalidParameter(name, error.message);
    if (error instanceof URIError)
      throw new ErrorResponse('invalid_request', 'The path is not valid percent-encoding');
    throw error;
  }
}
