// What a list prints into a pipe, cell by cell.

export const rowsOf = (output: string): string[][] =>
  output
    .split('\n')
    .filter(Boolean)
    .map((line) => line.split('\t'));

/** Of the first column. */
export const idsOf = (output: string): (string | undefined)[] => rowsOf(output).map(([id]) => id);
