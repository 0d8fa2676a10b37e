// The types of choose-tests.mjs, for the test that imports it.

export function slashed(path: string): string;
export function chooseTests(
  listed: readonly string[],
  wanted: readonly string[],
): { readonly chosen: readonly string[]; readonly isShort: boolean };
export function chooseSlice(files: readonly string[], slice: string): readonly string[];
