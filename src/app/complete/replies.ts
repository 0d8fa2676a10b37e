// Formats the reply for each shell: a line with what to do, then a line for each candidate. The scripts in app/completion/ read it.
// Only words that no shell expands are printed, because strangers name some of the records.

import { sanitizeLine } from '#terminal/sanitize.ts';
import type { Candidate, Completion } from './candidates.ts';
import { splitLine } from './split-line.ts';

/** Needs no quotes in any shell, and means the same in quotes. */
const plainWord = /^[A-Za-z0-9@%+=:,./_-]+$/;

const leastColumns = 20;

/** `files` and the part of the word before the name; `menu`, where a list must not replace what was typed; `words`. */
type Directive = `files\t${string}` | 'menu' | 'words';

/** The candidates that may be printed: those whose words need no quotes, with descriptions of one line without control characters. */
function plainCandidates({ candidates }: Completion): readonly Candidate[] {
  return candidates
    .filter(({ word }) => plainWord.test(word))
    .map(({ description, ...rest }) => ({ ...rest, description: sanitizeLine(description).trim() }));
}

/** True if the word that was typed is not the beginning of all that it may become: it was found by a title. */
function replacesTyped(candidates: readonly Candidate[], typed: string): boolean {
  return (
    candidates.length > 1 &&
    candidates.some(({ word }) => !word.toLowerCase().startsWith(typed.toLowerCase()))
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

/** `Completed  -- text`, in columns, no wider than the terminal. */
function describe(
  candidates: readonly Candidate[],
  columns: number,
  shown: (one: Candidate) => string,
): readonly string[] {
  const width = Math.max(...candidates.map((one) => shown(one).length));
  return candidates.map((one) => {
    if (one.description === '') return shown(one);
    const line = `${shown(one).padEnd(width)}  -- ${one.description}`;
    const most = Math.max(columns - 1, shown(one).length, leastColumns);
    return [...line].length > most ? `${[...line].slice(0, most - 3).join('')}...` : line;
  });
}

export interface BashLine {
  /** The line up to the cursor. */
  readonly line: string;
  /** The part of the last word that bash replaces. */
  readonly replaced: string;
  /** What the key does: 9 completes, 37 (%) goes through the words, 42 (*) inserts them all. */
  readonly type: string;
  readonly columns: number;
}

/** bash inserts what all lines have in common, and shows whole lines only where there are several. */
export function formatForBash(completion: Completion, { line, replaced, type, columns }: BashLine): string {
  const { raw, word } = splitLine(line);
  const stays = raw.endsWith(replaced) ? raw.slice(0, raw.length - replaced.length) : raw;
  const stayingText = splitLine(stays).word;
  const all = plainCandidates(completion);
  const rest = all
    .filter((one) => one.word.startsWith(stayingText))
    .map((one) => ({ ...one, word: one.word.slice(stayingText.length) }));
  const directive = directiveOf(completion, false);
  const insertsWords = type === '37' || type === '42';
  if (rest.length < 2 || insertsWords)
    return joinLines(
      directive,
      rest.map((one) => one.word),
    );
  const lines = describe(rest, columns, (one) => one.word);
  // Has nothing in common with them, so that bash inserts nothing.
  const note = replacesTyped(all, word) ? ['(found by name)'] : [];
  return joinLines(directive, [...note, ...lines]);
}

/** A tab separates the word from what the list shows. */
export function formatForZsh(completion: Completion, word: string, columns: number): string {
  const all = plainCandidates(completion);
  const shown = describe(all, columns, (one) => one.label);
  return joinLines(
    directiveOf(completion, replacesTyped(all, word)),
    all.map((one, at) => `${one.word}\t${shown[at]}`),
  );
}

/** A tab separates the word from its description. */
export function formatForFish(completion: Completion): string {
  const lines = plainCandidates(completion).map(({ word, description }) => `${word}\t${description}`);
  return joinLines(directiveOf(completion, false), lines);
}

/** One line of JSON in ASCII, whatever code page the console has. No text is empty, which PowerShell does not allow. */
export function formatForPowerShell(completion: Completion): string {
  const all = plainCandidates(completion).map(({ word, label, description }) => ({
    word,
    label: label || word,
    description: description || word,
  }));
  const json = JSON.stringify(all);
  return `${json.replace(/[^\x20-\x7e]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`)}\n`;
}
