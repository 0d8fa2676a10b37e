// What the file of --errors adds to each row, and what is skipped where such a file is sent.

/** In this order, before the columns of the input. */
export const ownColumns = ['line', 'error'] as const;

export function isOwnColumn(title: string): boolean {
  return ownColumns.some((one) => one === title.toLowerCase());
}
