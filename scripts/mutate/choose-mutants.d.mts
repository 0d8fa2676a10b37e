export function sampleOf<T>(items: readonly T[], count: number, seed: number): T[];
export function sliceOf<T>(items: readonly T[], slice: string): T[];

interface Change {
  readonly file: string;
  readonly line: number;
  readonly original: string;
  readonly replacement: string;
}
export function survivorsOf<T extends Change>(
  mutants: readonly T[],
  results: readonly (Change & { readonly outcome: string })[],
): T[];
