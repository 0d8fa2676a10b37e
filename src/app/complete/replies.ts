// Formats the reply for each shell's script in app/completion/: a line with a directive, then a line for each candidate. Prints
// only words that no shell expands, because strangers name some of the records.

import { sanitizeLine } from '#terminal/sanitize.ts';
import type { Candidate, Completion } from './candidates.ts';
import { splitLine } from './split-line.ts';

/** Words that need no quotes in any shell, and mean the same in quotes. */
const plainWord = /^[A-Za-z0-9@%+=:,./_-]+$/;

const leastColumns = 20;

/** `files` with the part of the word before the name; `menu`, if a list must not replace the typed text; `words`. */
type Directive = `files\t${string}` | 'menu' | 'words';

/** The candidates whose words need no quotes, with descriptions on one line without control characters. */
function plainCandidates({ candidates }: Completion): readonly Candidate[] {
  return candidates
    .filter(({ word }) => plainWord.test(word))
    .map(({ description, ...rest }) => ({ ...rest, description: sanitizeLine(description).trim() }));
}

/** True if a candidate does not begin with the input, because its title matched. */
function replacesInput(candidates: readonly Candidate[], input: string): boolean {
  return (
    candidates.length > 1 &&
    candidates.some(({ word }) => !word.toLowerCase().startsWith(input.toLowerCase()))
  );
}

function directiveOf({ filesAfter }: Completion, isMenu: boolean): Directive {
  if (filesAfter !== undefined && (filesAfter === '' || plainWord.test(filesAfter)))
    return `files\t${filesAfter}`;
  return isMenu ? 'menu' : 'words';
}

function joinLines(directive: Directive, lines: readonly string[]): string {
  return [directive, ...lines].map((line) => `${line}\n`).join('');
}

/** Formats `Completed  -- text` in columns, no wider than the terminal. */
function describe(
  candidates: readonly Candidate[],
  columns: number,
  textOf: (candidate: Candidate) => string,
): readonly string[] {
  const width = Math.max(...candidates.map((candidate) => textOf(candidate).length));
  return candidates.map((candidate) => {
    const text = textOf(candidate);
    if (candidate.description === '') return text;
    const line = `${text.padEnd(width)}  -- ${candidate.description}`;
    const maxLength = Math.max(columns - 1, text.length, leastColumns);
    return [...line].length > maxLength ? `${[...line].slice(0, maxLength - 3).join('')}...` : line;
  });
}

export interface BashLine {
  /** The line up to the cursor. */
  readonly line: string;
  /** The part of the last word that bash replaces. */
  readonly replaced: string;
  /** The key's function: 9 completes, 37 (%) cycles through the words, 42 (*) inserts all of them. */
  readonly type: string;
  readonly columns: number;
}

/** bash inserts the common prefix of all lines, and shows whole lines only if there are several. */
export function formatForBash(completion: Completion, { line, replaced, type, columns }: BashLine): string {
  const { raw, word } = splitLine(line);
  const prefix = splitLine(raw.endsWith(replaced) ? raw.slice(0, raw.length - replaced.length) : raw).word;
  const candidates = plainCandidates(completion);
  const rest = candidates
    .filter((candidate) => candidate.word.startsWith(prefix))
    .map((candidate) => ({ ...candidate, word: candidate.word.slice(prefix.length) }));
  const directive = directiveOf(completion, false);
  const words = rest.map((candidate) => candidate.word);
  const insertsWords = type === '37' || type === '42';
  if (rest.length < 2 || insertsWords) return joinLines(directive, words);
  const lines = describe(rest, columns, (candidate) => candidate.word);
  // This line has no common prefix with the others, so that bash inserts nothing.
  const note = replacesInput(candidates, word) ? ['(found by name)'] : [];
  return joinLines(directive, [...note, ...lines]);
}

/** A tab separates the word from its text in the list. */
export function formatForZsh(completion: Completion, word: string, columns: number): string {
  const candidates = plainCandidates(completion);
  const labels = describe(candidates, columns, (candidate) => candidate.label);
  return joinLines(
    directiveOf(completion, replacesInput(candidates, word)),
    candidates.map((candidate, index) => `${candidate.word}\t${labels[index]}`),
  );
}

/** A tab separates the word from its description. */
export function formatForFish(completion: Completion): string {
  const lines = plainCandidates(completion).map(({ word, description }) => `${word}\t${description}`);
  return joinLines(directiveOf(completion, false), lines);
}

/** One line of JSON in ASCII, which works in any code page. PowerShell does not allow empty texts. */
export function formatForPowerShell(completion: Completion): string {
  const candidates = plainCandidates(completion).map(({ word, label, description }) => ({
    word,
    label: label || word,
    description: description || word,
  }));
  const json = JSON.stringify(candidates);
  return `${json.replace(/[^\x20-\x7e]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`)}\n`;
}
