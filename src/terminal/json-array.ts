// Writes a JSON array part by part, byte for byte as `JSON.stringify(all, null, 2)` would write the whole. It is valid JSON
// even if the list ends with an error.

export type JsonArrayWriter = ReturnType<typeof createJsonArrayWriter>;

export function createJsonArrayWriter() {
  let isOpen = false;
  return {
    /** The text to write for these elements, each as JSON with an indent of 2. */
    add(elements: readonly string[]) {
      if (elements.length === 0) return '';
      const start = isOpen ? ',\n' : '[\n';
      isOpen = true;
      return start + elements.map((one) => `  ${one.replaceAll('\n', '\n  ')}`).join(',\n');
    },
    /** The text to write last; nothing is empty: a list without elements is `[]`. */
    end: () => (isOpen ? '\n]\n' : '[]\n'),
    /** True once {@link JsonArrayWriter.add} was called with an element. */
    get isOpen() {
      return isOpen;
    },
  };
}
