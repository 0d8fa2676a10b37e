// Reduces a record to the members that the contract shows. Its schema marks the others as `assumed`.

import { isJsonObject } from './json.ts';
import type { Schema } from './schema.ts';

/** The parts of `value` that the contract shows, at every depth. An object without a shape loses all members. */
export function onlyShown({ form }: Schema<unknown>, value: unknown): unknown {
  if (form?.kind === 'list' && Array.isArray(value))
    return value.map((entry: unknown) => onlyShown(form.item, entry));
  if ((form?.kind !== 'object' && form?.kind !== 'any') || !isJsonObject(value)) return value;
  const shape = form.kind === 'object' ? form.shape : {};
  const shown = Object.entries(value).flatMap(([name, member]) => {
    const schema = Object.hasOwn(shape, name) ? shape[name] : undefined;
    return schema === undefined || schema.assumed ? [] : [[name, onlyShown(schema, member)]];
  });
  return Object.fromEntries(shown);
}
