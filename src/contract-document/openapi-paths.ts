// The operations by path and method. Two rows with the same path may name its ids differently, which OpenAPI does not allow:
// one {taskId} may stand for a single id, and in another method for several.

import { type Operation, operations } from '../contract/operation.ts';
import { otherOperations } from '../contract/other-operation.ts';
import type { Components, JsonObject } from './json-schema.ts';
import { toOperation } from './openapi-operation.ts';

const rows: readonly (readonly [string, Operation])[] = Object.entries<Operation>({
  ...operations,
  ...otherOperations,
});

export function tagNames(): readonly string[] {
  return [...new Set(rows.map(([, { kind }]) => kind))].sort();
}

export function operationPaths(components: Components): JsonObject {
  const paths = new Map<string, Record<string, JsonObject>>();
  for (const [name, operation] of rows) {
    const template = templateOf(operation.path);
    const item = paths.get(template) ?? {};
    item[operation.method.toLowerCase()] = toOperation(name, operation, components, idNames(template));
    paths.set(template, item);
  }
  return Object.fromEntries(paths);
}

const placeholder = /\{[^}]*\}/g;

/** The names in a path, in their order. */
export function idNames(path: string): readonly string[] {
  return (path.match(placeholder) ?? []).map((one) => one.slice(1, -1));
}

/** Of all rows with this path, the one whose ids stand alone: `/tasks/{taskId}` for `/tasks/{taskIds}`. */
function templateOf(path: string): string {
  const anonymous = path.replace(placeholder, '{}');
  const same = rows.filter(([, one]) => one.path.replace(placeholder, '{}') === anonymous);
  const single = same.find(([, { pathParameters }]) =>
    Object.values(pathParameters).every(({ maxIds }) => maxIds === undefined),
  );
  return single?.[1].path ?? path;
}
