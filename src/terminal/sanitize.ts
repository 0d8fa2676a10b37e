// Sanitises text from the service for a terminal, where it could move the cursor, or imitate another text in reverse.

/** Control characters (ESC and the C1 set included), bidirectional marks and overrides, invisible separators, half of a pair. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: this expression matches control characters
const harmful = /[\u0000-\u001f\u007f-\u009f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ufeff\p{Cs}]/gu;

/** Makes each harmful character visible, for one line of a terminal. */
export function sanitizeLine(text: string): string {
  return text.replace(/\r?\n|\t/g, ' ').replace(harmful, '\ufffd');
}

/** Escapes harmful characters in JSON, for a terminal. The value stays the same. */
export function sanitizeJson(json: string): string {
  return json.replace(harmful, (character) =>
    character === '\n' ? character : `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}

const cellEscapes: Readonly<Record<string, string>> = { '\t': '\\t', '\n': '\\n', '\r': '\\r', '\\': '\\\\' };

/** Escapes backslashes and control characters, reversibly: `cut` and `grep` would print them on a terminal. */
export function escapeTabCell(text: string): string {
  return text.replace(
    // biome-ignore lint/suspicious/noControlCharactersInRegex: this expression matches control characters
    /[\u0000-\u001f\u007f-\u009f\\]/g,
    (character) => cellEscapes[character] ?? `\\x${character.charCodeAt(0).toString(16).padStart(2, '0')}`,
  );
}

/** For several lines of our own that may quote other text. */
export function sanitizeLines(text: string): string {
  return text.split('\n').map(sanitizeLine).join('\n');
}
