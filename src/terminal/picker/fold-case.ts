// How a text that a person typed is compared with names. Apart from the entries of a picker, which load the widths of all characters.

/** As the filter compares: without regard to case, nor to how a letter with a mark was put together. */
export function foldCase(text: string): string {
  return text.normalize('NFKC').toLowerCase();
}
