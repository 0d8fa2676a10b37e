// A record with only the members that the contract shows. Which these are stands in its schema: the others are `assumed`.

import type { Schema } from './schema.ts';

/** The parts of `value` that the contract shows, at every depth. Of what has no shape at all, no member is shown. */
export function onlyShown({ form }: Schema<unknown>, value: unknown): unknown {
  switch (form?.kind) {
    case 'object': {
      const { shape } = form;
      return keepMembers(value, (name) => (Object.hasOwn(shape, name) ? shape[name] : undefined));
    }
    case 'list': {
      const { item } = form;
      return Array.isArray(value) ? value.map((one: unknown) => onlyShown(item, one)) : value;
    }
    case 'nullable':
      return onlyShown(form.schema, value);
    case 'any':
      return Array.isArray(value)
        ? value.map((one: unknown) => keepMembers(one, () => undefined))
        : keepMembers(value, () => undefined);
    default:
      return value;
  }
}

function keepMembers(value: unknown, schemaOf: (name: string) => Schema<unknown> | undefined): unknown {
  if (typeof value !== 'object' || value === null) return value;
  const kept: Record<string, unknown> = {};
  for (const [name, member] of Object.entries(value)) {
    const schema = schemaOf(name);
    if (schema !== undefined && !schema.assumed) kept[name] = onlyShown(schema, member);
  }
  return kept;
}
