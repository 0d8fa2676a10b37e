export function hungTests(
  folder: string,
  before: number,
): Promise<readonly { readonly pid: number; readonly file: string; readonly tests: readonly string[] }[]>;
