// Splits input into text, pastes and keys, each complete. A prompt can stop after any, and leave the rest for the next prompt.

import { stripVTControlCharacters } from 'node:util';

export interface Keystroke {
  /** `paste`: between a terminal's marks. `key`: a control character or an escape sequence. `unknown`: a sequence that is not a key. */
  readonly kind: 'text' | 'paste' | 'key' | 'unknown';
  readonly text: string;
  /** The original input, with the marks of a paste. */
  readonly source: string;
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

/** `input` starts with the rest of the previous call: the beginning of an incomplete sequence or paste. */
export function parseKeystrokes(input: string) {
  const keystrokes: Keystroke[] = [];
  let position = 0;
  while (position < input.length) {
    if (input.startsWith(pasteStart, position)) {
      const end = endOfPaste(input, position);
      const from = position + pasteStart.length;
      if (end !== undefined) {
        const to = end + pasteEnd.length;
        keystrokes.push({ kind: 'paste', text: input.slice(from, end), source: input.slice(position, to) });
        position = to;
        continue;
      }
      // Ctrl-C must work even if the end of a paste was lost.
      const interruptAt = input.indexOf(interrupt, position);
      if (interruptAt === -1) return { keystrokes, rest: input.slice(position) };
      position = interruptAt;
    }
    incompleteSequence.lastIndex = position;
    if (incompleteSequence.test(input)) return { keystrokes, rest: input.slice(position) };
    completeSequence.lastIndex = position;
    const sequence = completeSequence.exec(input);
    const source = sequence?.[0] ?? input.slice(position);
    const kind = sequence?.groups?.['text'] ? 'text' : sequence?.groups?.['key'] ? 'key' : 'unknown';
    keystrokes.push({ kind, text: source, source });
    position += source.length;
  }
  return { keystrokes, rest: '' };
}

/** Returns the position of the last end mark before the next paste: a hostile text may contain such marks. */
function endOfPaste(input: string, position: number): number | undefined {
  const next = input.indexOf(pasteStart, input.indexOf(pasteEnd, position));
  const end = input.lastIndexOf(pasteEnd, next === -1 ? input.length : next);
  return end > position ? end : undefined;
}

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

/** Edits the end of a line: no other place can be reached without cursor movement. */
export function editLine(line: string, { kind, text }: Keystroke): string {
  if (kind === 'text') return line + text;
  if (kind === 'paste') return line + toOneLine(text);
  if (text === '\x7f' || text === '\b') return [...line].slice(0, -1).join('');
  return text === '\x15' ? '' : line;
}

export function isEnter({ text }: Keystroke): boolean {
  return text === '\r' || text === '\n';
}

export function countLines(pasted: string): number {
  return pasted.split(/[\r\n]+/).filter((line) => line.trim() !== '').length;
}
