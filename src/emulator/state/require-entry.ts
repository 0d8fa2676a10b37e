// Looks up what must be there: records that others refer to (accounts, users, folders, tasks, applications) are never removed.
// If one is missing all the same, as in a data file that was edited, the request fails instead of continuing with half of the data.

/** Throws if there is none. */
export function requireEntry<T>(all: ReadonlyMap<string, T>, key: string): T {
  const found = all.get(key);
  if (found === undefined) throw new Error(`The emulator has no entry ${key}`);
  return found;
}
