// Writes a JSON array in parts, byte for byte like `JSON.stringify`: on one line, or with an indent of 2. Still writes valid JSON
// if the list ends with an error.

export function createJsonArrayWriter(isIndented: boolean) {
  let isOpen = false;
  const lineBreak = isIndented ? '\n' : '';
  const indent = isIndented ? '  ' : '';
  return {
    /** Returns the text for these elements. Each is JSON, indented by 2 if the array is. */
    add(elements: readonly string[]) {
      if (elements.length === 0) return '';
      const start = `${isOpen ? ',' : '['}${lineBreak}`;
      isOpen = true;
      const lines = isIndented
        ? elements.map((element) => indent + element.replaceAll('\n', `\n${indent}`))
        : elements;
      return start + lines.join(`,${lineBreak}`);
    },
    /** Returns the text that ends the array: `[]` if it has no elements. */
    end: () => (isOpen ? `${lineBreak}]\n` : '[]\n'),
    get isOpen() {
      return isOpen;
    },
  };
}
