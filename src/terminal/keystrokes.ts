// Splits input into text, pastes and keys, each complete even if the reads divide it. A prompt can stop after any of them and leave
// the rest for the next prompt.

import { stripVTControlCharacters } from 'node:util';

export interface Keystroke {
  /**
   * `text`: visible characters. `paste`: the text between a terminal's paste marks. `key`: a control character or an escape
   * sequence. `unknown`: a sequence that does not belong to a key.
   */
  readonly kind: 'text' | 'paste' | 'key' | 'unknown';
  readonly text: string;
  /** The original input, with the marks of a paste. */
  readonly source: string;
}

export interface ParsedKeystrokes {
  readonly keystrokes: readonly Keystroke[];
  /** The beginning of an incomplete sequence or paste. */
  readonly rest: string;
}

const pasteStart = '\x1b[200~';
const pasteEnd = '\x1b[201~';
const interrupt = '\x03';

/** Alternatives: text, a control character, a key's sequence, any other escape sequence. */
const completeSequence =
  // biome-ignore lint/suspicious/noControlCharactersInRegex: this expression matches control characters
  /(?<text>\P{Cc}+)|(?<key>[\x00-\x1a\x1c-\x1f\x7f]|\x1b{1,2}(?:\[\[?[A-Za-z]|\[\d{1,2}(?:;\d)?[~^$@A-Za-z]|O\d?[A-Za-z]|[^\x1b[O]))|\x1b{1,2}(?:\[[0-?]*[ -/]*[@-~])|./suy;
// biome-ignore lint/suspicious/noControlCharactersInRegex: this expression matches control characters
const incompleteSequence = /\x1b{1,2}(?:\[[0-?]*[ -/]*|\[\[|O\d?)?$/y;

/** `typed` starts with the rest of the previous call. */
export function parseKeystrokes(typed: string): ParsedKeystrokes {
  const keystrokes: Keystroke[] = [];
  let at = 0;
  while (at < typed.length) {
    if (typed.startsWith(pasteStart, at)) {
      const end = endOfPaste(typed, at);
      const from = at + pasteStart.length;
      if (end !== undefined) {
        const to = end + pasteEnd.length;
        keystrokes.push({ kind: 'paste', text: typed.slice(from, end), source: typed.slice(at, to) });
        at = to;
        continue;
      }
      // Ctrl-C must work even if the end of a paste was lost.
      const out = typed.indexOf(interrupt, at);
      if (out === -1) return { keystrokes, rest: typed.slice(at) };
      at = out;
    }
    incompleteSequence.lastIndex = at;
    if (incompleteSequence.test(typed)) return { keystrokes, rest: typed.slice(at) };
    completeSequence.lastIndex = at;
    const sequence = completeSequence.exec(typed);
    const source = sequence?.[0] ?? typed.slice(at);
    const kind = sequence?.groups?.['text'] ? 'text' : sequence?.groups?.['key'] ? 'key' : 'unknown';
    keystrokes.push({ kind, text: source, source });
    at += source.length;
  }
  return { keystrokes, rest: '' };
}

/** Returns the place of the last end mark before the next paste: a hostile text may contain such marks. */
function endOfPaste(typed: string, at: number): number | undefined {
  const next = typed.indexOf(pasteStart, typed.indexOf(pasteEnd, at));
  const end = typed.lastIndexOf(pasteEnd, next === -1 ? typed.length : next);
  return end > at ? end : undefined;
}

/** True for the beginning of a paste. */
export function startsPaste(rest: string): boolean {
  return rest.startsWith(pasteStart);
}

/** Turns a paste into one line: line breaks and tabs become a space, except at the ends. */
export function toOneLine(pasted: string): string {
  return stripVTControlCharacters(pasted)
    .replace(/[\t\r\n\v\f\u0085\u2028\u2029]+/g, ' ')
    .replace(/\p{Cc}/gu, '')
    .trim();
}

/** Counts the lines that are not empty. */
export function countLines(pasted: string): number {
  return pasted.split(/[\r\n]+/).filter((line) => line.trim() !== '').length;
}
