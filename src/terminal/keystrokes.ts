// Splits input into text, pastes and keys. Each is complete, however the reads cut it, so a prompt can stop after any of
// them and leave the rest for the next one.

import { stripVTControlCharacters } from 'node:util';

export interface Keystroke {
  /**
   * `text`: visible characters. `paste`: all between the two marks of a terminal that marks pastes. `key`: a control
   * character, or an escape sequence. `unknown`: one that no key sends.
   */
  readonly kind: 'text' | 'paste' | 'key' | 'unknown';
  readonly text: string;
  /** As it was typed, the marks of a paste included. */
  readonly source: string;
}

export interface ParsedKeystrokes {
  readonly keystrokes: readonly Keystroke[];
  /** The beginning of a sequence or a paste whose end is still to come. */
  readonly rest: string;
}

const pasteStart = '\x1b[200~';
const pasteEnd = '\x1b[201~';
const interrupt = '\x03';

/** Text; a control character; what terminals send for a key; any other escape sequence. */
const completeSequence =
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what this is about
  /(?<text>\P{Cc}+)|(?<key>[\x00-\x1a\x1c-\x1f\x7f]|\x1b{1,2}(?:\[\[?[A-Za-z]|\[\d{1,2}(?:;\d)?[~^$@A-Za-z]|O\d?[A-Za-z]|[^\x1b[O]))|\x1b{1,2}(?:\[[0-?]*[ -/]*[@-~])|./suy;
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what this is about
const incompleteSequence = /\x1b{1,2}(?:\[[0-?]*[ -/]*|\[\[|O\d?)?$/y;

/** `typed` begins where the last call's rest began. */
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
      // A paste whose end got lost must not take the way out.
      const out = typed.indexOf(interrupt, at);
      if (out === -1) return { keystrokes, rest: typed.slice(at) };
      at = out;
    }
    incompleteSequence.lastIndex = at;
    if (incompleteSequence.test(typed)) return { keystrokes, rest: typed.slice(at) };
    completeSequence.lastIndex = at;
    const found = completeSequence.exec(typed);
    const source = found?.[0] ?? typed.slice(at);
    const kind = found?.groups?.['text'] ? 'text' : found?.groups?.['key'] ? 'key' : 'unknown';
    keystrokes.push({ kind, text: source, source });
    at += source.length;
  }
  return { keystrokes, rest: '' };
}

/** Where its end mark stands: the last before the next paste begins, since a hostile text may hold such marks itself. */
function endOfPaste(typed: string, at: number): number | undefined {
  const next = typed.indexOf(pasteStart, typed.indexOf(pasteEnd, at));
  const end = typed.lastIndexOf(pasteEnd, next === -1 ? typed.length : next);
  return end > at ? end : undefined;
}

/** True for the beginning of a paste. */
export function startsPaste(rest: string): boolean {
  return rest.startsWith(pasteStart);
}

/** A paste for a question that takes one line: each run of line breaks and tabs is a space, and none at the ends. */
export function toOneLine(pasted: string): string {
  return stripVTControlCharacters(pasted)
    .replace(/[\t\r\n\v\f\u0085\u2028\u2029]+/g, ' ')
    .replace(/\p{Cc}/gu, '')
    .trim();
}

/** How many lines it has that are not empty. */
export function countLines(pasted: string): number {
  return pasted.split(/[\r\n]+/).filter((line) => line.trim() !== '').length;
}
