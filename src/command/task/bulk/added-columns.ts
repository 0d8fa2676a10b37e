// The columns that --errors adds to each row. They are skipped when such a file is sent; so are those of an older file,
// which has no outcome.

/** In this order, before the columns of the input. */
export const addedColumns = ['line', 'outcome', 'error'] as const;

export function isAddedColumn(title: string): boolean {
  return addedColumns.some((one) => one === title.toLowerCase());
}
