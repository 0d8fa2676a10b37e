// Merges the flags, which apply to every row, with the row's own values: lists are joined; otherwise the row's value
// wins.

/** An entry of the row takes the place of one for the same key or field. */
export function mergeDefaults<T extends object>(line: T, row: T): T {
  const all = new Map<string, unknown>(Object.entries(line));
  for (const [name, value] of Object.entries(row)) {
    const before = all.get(name);
    all.set(name, Array.isArray(before) && Array.isArray(value) ? mergeLists(before, value) : value);
  }
  // Every member is one of the two's, or a list of entries of both.
  return Object.fromEntries(all) as T;
}

function mergeLists(line: readonly unknown[], row: readonly unknown[]): readonly unknown[] {
  const taken = new Set(row.map(keyOf));
  return [...line.filter((one) => !taken.has(keyOf(one))), ...row];
}

/** The key of a metadata entry, the id or the title of a custom field; any other entry as a whole. */
function keyOf(entry: unknown): unknown {
  if (typeof entry !== 'object' || entry === null) return entry;
  if ('key' in entry) return entry.key;
  if ('id' in entry) return entry.id;
  return 'title' in entry ? entry.title : JSON.stringify(entry);
}
