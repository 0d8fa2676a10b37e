// Writes a JSON array part by part, byte for byte as `JSON.stringify` would write the whole: on one line, or with an indent of 2.
// It is valid JSON even if the list ends with an error.

export type JsonArrayWriter = ReturnType<typeof createJsonArrayWriter>;

export function createJsonArrayWriter(isIndented: boolean) {
  let isOpen = false;
  const lineBreak = isIndented ? '\n' : '';
  const indent = isIndented ? '  ' : '';
  return {
    /** The text to write for these elements, each as JSON, with an indent of 2 where the array has one. */
    add(elements: readonly string[]) {
      if (elements.length === 0) return '';
      const start = `${isOpen ? ',' : '['}${lineBreak}`;
      isOpen = true;
      const shown = isIndented
        ? elements.map((one) => indent + one.replaceAll('\n', `\n${indent}`))
        : elements;
      return start + shown.join(`,${lineBreak}`);
    },
    /** The text to write last; nothing is empty: a list without elements is `[]`. */
    end: () => (isOpen ? `${lineBreak}]\n` : '[]\n'),
    /** True once {@link JsonArrayWriter.add} was called with an element. */
    get isOpen() {
      return isOpen;
    },
  };
}
