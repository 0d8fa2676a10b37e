// Compares the number of requests that a test expects with the log of requests, for `--expect` and the library.

export interface Expectation {
  /** The name of an operation, or `any`. */
  readonly name: string;
  readonly count: number;
}

export function findUnmet(
  expected: readonly Expectation[],
  requests: readonly { readonly operation: string }[],
): readonly string[] {
  return expected.flatMap(({ name, count }) => {
    const actual = requests.filter(({ operation }) => name === 'any' || operation === name).length;
    if (actual === count) return [];
    const noun = `${name === 'any' ? '' : `${name} `}request${count === 1 ? '' : 's'}`;
    return [`Expected ${count} ${noun}, found ${actual}`];
  });
}
