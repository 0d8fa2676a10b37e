// The types of choose-tests.mjs, for the test that imports it.

export function slashed(path: string): string;
export function chooseTests(
  listed: readonly string[],
  wanted: readonly string[],
  suites?: readonly ('quick' | 'deep' | 'apart')[],
): { readonly chosen: readonly string[]; readonly isShort: boolean };
