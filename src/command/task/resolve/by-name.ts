// Which entries of a list have a name: those that have it letter for letter, or, where there are none, in any case.

export function findByName<T>(
  all: readonly T[],
  name: string,
  nameOf: (one: T) => string | undefined,
): readonly T[] {
  const exact = all.filter((one) => nameOf(one) === name);
  if (exact.length > 0) return exact;
  const wanted = name.trim().toLowerCase();
  return all.filter((one) => nameOf(one)?.toLowerCase() === wanted);
}
