export function countsOf(
  ranges: readonly (readonly [start: number, end: number, count: number])[],
): (offset: number) => number;
