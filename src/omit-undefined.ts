// Optional members of an object literal: `{ id, ...omitUndefined({ title, dates }) }` has only the members with a value.

export function omitUndefined<Members extends object>(members: Members): Defined<Members> {
  const found: Defined<Members> = {};
  for (const name in members) {
    const value = members[name];
    if (value !== undefined) found[name] = value;
  }
  return found;
}

type Defined<Members> = { [Name in keyof Members]?: Members[Name] & (NonNullable<unknown> | null) };
