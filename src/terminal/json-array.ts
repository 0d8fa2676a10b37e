// Writes a JSON array part by part, byte for byte as `JSON.stringify(all, null, 2)` would write the whole. It is valid JSON
// even if the list ends with an error.

export interface JsonArrayWriter {
  /** The text to write for these elements, each as JSON with an indent of 2. */
  add(elements: readonly string[]): string;
  /** The text to write last; nothing is empty: a list without elements is `[]`. */
  end(): string;
  /** True once {@link JsonArrayWriter.add} was called with an element. */
  readonly isOpen: boolean;
}

export function createJsonArrayWriter(): JsonArrayWriter {
  let isOpen = false;
  return {
    add(elements) {
      if (elements.length === 0) return '';
      const start = isOpen ? ',\n' : '[\n';
      isOpen = true;
      return start + elements.map((one) => `  ${one.replaceAll('\n', '\n  ')}`).join(',\n');
    },
    end: () => (isOpen ? '\n]\n' : '[]\n'),
    get isOpen() {
      return isOpen;
    },
  };
}
