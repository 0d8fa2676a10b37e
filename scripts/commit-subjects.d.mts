export function subjectFaults(subject: string): string[];
export function checkCommits(
  root: string,
  base: string,
): { readonly isWell: boolean; readonly lines: readonly string[] };
