// What the file of --errors adds to each row, and what is skipped where such a file is sent.

/** In this order, before the columns of the input. */
export const addedColumns = ['line', 'error'] as const;

export function isAddedColumn(title: string): boolean {
  return addedColumns.some((one) => one === title.toLowerCase());
}
