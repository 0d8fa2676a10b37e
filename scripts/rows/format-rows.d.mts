export function withRows(
  readme: string,
  tests: readonly (readonly [row: string, mode: string, title: string, file: string])[],
): string;
