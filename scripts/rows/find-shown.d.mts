export function findShown(
  root: string,
): Promise<readonly (readonly [row: string, mode: string, title: string, file: string])[]>;
