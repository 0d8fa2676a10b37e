// Looks up a record that others refer to, such as an account, a user or a folder. These are never removed; if one is missing from an
// edited data file, the request fails.

export function requireEntry<T>(entries: ReadonlyMap<string, T>, key: string): T {
  const entry = entries.get(key);
  if (entry === undefined) throw new Error(`The emulator has no entry ${key}`);
  return entry;
}
