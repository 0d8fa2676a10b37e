// Reduces a record to the members that the contract shows. Its schema marks the others as `assumed`.

import type { Schema } from './schema.ts';

/** The parts of `value` that the contract shows, at every depth. An object without a shape loses all members. */
export function onlyShown({ form }: Schema<unknown>, value: unknown): unknown {
  switch (form?.kind) {
    case 'object': {
      const { shape } = form;
      return keepMembers(value, (name) => (Object.hasOwn(shape, name) ? shape[name] : undefined));
    }
    case 'list': {
      const { item } = form;
      return Array.isArray(value) ? value.map((entry: unknown) => onlyShown(item, entry)) : value;
    }
    case 'nullable':
      return onlyShown(form.schema, value);
    case 'any':
      return Array.isArray(value)
        ? value.map((entry: unknown) => keepMembers(entry, () => undefined))
        : keepMembers(value, () => undefined);
    default:
      return value;
  }
}

function keepMembers(value: unknown, schemaOf: (name: string) => Schema<unknown> | undefined): unknown {
  if (typeof value !== 'object' || value === null) return value;
  const shown: Record<string, unknown> = {};
  for (const [name, member] of Object.entries(value)) {
    const schema = schemaOf(name);
    if (schema !== undefined && !schema.assumed) shown[name] = onlyShown(schema, member);
  }
  return shown;
}
