// Sanitizes text from the service for a terminal. Otherwise a title could move the cursor, recolour the screen, or
// reverse the reading direction to look like another text.

/** Control characters (ESC and the C1 set included), bidirectional marks and overrides, invisible separators, half of a pair. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what this is about
const harmful = /[\u0000-\u001f\u007f-\u009f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ufeff\p{Cs}]/gu;

/** One line, for a terminal: each harmful character becomes a visible one. */
export function sanitizeLine(text: string): string {
  return text.replace(/\r?\n|\t/g, ' ').replace(harmful, '\ufffd');
}

/** JSON for a terminal: the same JSON, with each harmful character as an escape. */
export function sanitizeJson(json: string): string {
  return json.replace(harmful, (character) =>
    character === '\n' ? character : `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}

const cellEscapes: Readonly<Record<string, string>> = { '\t': '\\t', '\n': '\\n', '\r': '\\r', '\\': '\\\\' };

/** A backslash and control characters become escapes that can be undone: `cut` and `grep` would print them on a terminal. */
export function escapeTabCell(text: string): string {
  return text.replace(
    // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what this is about
    /[\u0000-\u001f\u007f-\u009f\\]/g,
    (character) => cellEscapes[character] ?? `\\x${character.charCodeAt(0).toString(16).padStart(2, '0')}`,
  );
}

/** Several lines of our own, in which a value from elsewhere may stand. */
export function sanitizeLines(text: string): string {
  return text.split('\n').map(sanitizeLine).join('\n');
}
