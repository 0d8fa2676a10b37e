// The hidden command that shell scripts call at each TAB: prints the completions of the unfinished word. Reads only a few small
// files, and prints nothing if it fails: a message would appear in the middle of the user's line.

import { sanitizeLine } from '#terminal/sanitize.ts';
import type { World } from '#world/world.ts';
import { type Candidate, type Completion, findCandidates } from './candidates.ts';
import { createValueSource } from './known-values.ts';

/** Takes the shell, then the arguments from its script. Returns the exit status; never throws. */
export async function complete([shell, ...rest]: readonly string[], world: World): Promise<number> {
  try {
    const reply = await formatReply(shell, rest, (before, word) =>
      findCandidates(before, word, createValueSource(world)),
    );
    if (reply === undefined) return 2;
    await world.streams.output.write(reply);
    return 0;
  } catch {
    return 1;
  }
}

/** A line with a directive, then a line for each candidate. */
async function formatReply(
  shell: string | undefined,
  rest: readonly string[],
  find: (before: readonly string[], word: string) => Promise<Completion>,
): Promise<string | undefined> {
  if (shell === 'bash') {
    // `replaced`: the part of the last word that bash replaces. `type`: the function of the key.
    const [line = '', replaced = '', type = '9', columns = ''] = rest;
    const { before, word, raw } = splitLine(line);
    const prefix = raw.endsWith(replaced) ? raw.slice(0, raw.length - replaced.length) : raw;
    const completion = await find(before.slice(1), word);
    return formatForBash(completion, word, splitLine(prefix).word, type, toColumns(columns));
  }
  if (shell === 'zsh') {
    const [columns = '', _name, ...words] = rest;
    const word = words.at(-1) ?? '';
    return formatForZsh(await find(words.slice(0, -1), word), word, toColumns(columns));
  }
  if (shell === 'fish') {
    const [raw = '', _name, ...before] = rest;
    const completion = await find(before, splitLine(raw).word);
    // A tab separates the word from its description.
    const lines = plainCandidates(completion).map(({ word, description }) => `${word}\t${description}`);
    return joinLines(directiveOf(completion, false), lines);
  }
  if (shell === 'powershell') {
    // base64 of UTF-8 lines, since versions of PowerShell treat quotes in arguments differently.
    const words = Buffer.from(rest[0] ?? '', 'base64')
      .toString('utf8')
      .split('\n');
    return formatForPowerShell(await find(words.slice(1, -1), words.at(-1) ?? ''));
  }
  return undefined;
}

/**
 * Splits a command line into unquoted words, without expanding anything: for completion, bash also splits at = and :, and neither
 * bash nor fish removes the quotes. Only the last command of the line counts: `cd x && wm task`. `before`: the words before the last
 * one, without quotes; `word`: the last one, which may be empty, without quotes; `raw`: the same as typed.
 */
export function splitLine(line: string) {
  let before: string[] = [];
  let word = '';
  let start = 0;
  let isWord = false;
  let quote = '';
  const endWord = (index: number) => {
    if (isWord) before.push(word);
    word = '';
    isWord = false;
    start = index + 1;
  };
  for (let index = 0; index < line.length; index++) {
    const character = line.charAt(index);
    const next = line.charAt(index + 1);
    if (quote !== '') {
      if (character === quote) quote = '';
      else if (quote === '"' && character === '\\' && /["\\$`]/.test(next)) {
        word += next;
        index++;
      } else word += character;
    } else if (/\s/.test(character)) endWord(index);
    else if (/[;|&()]/.test(character)) {
      endWord(index);
      before = [];
    } else {
      isWord = true;
      if (character === '"' || character === "'") quote = character;
      else if (character === '\\') {
        word += next;
        index++;
      } else word += character;
    }
  }
  // `WM_HOST=x wm task list`: the command comes after its variables.
  const first = before.findIndex((text) => !/^[A-Za-z_]\w*=/.test(text));
  return { before: first === -1 ? [] : before.slice(first), word, raw: line.slice(start) };
}

function toColumns(text: string): number {
  const columns = Number(text);
  return columns > 0 ? columns : 80;
}

/** Words that no shell expands, and that mean the same in quotes. Others are not printed, because strangers name some records. */
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

/** bash inserts the common prefix of all lines, and shows whole lines only if there are several. */
function formatForBash(
  completion: Completion,
  word: string,
  prefix: string,
  type: string,
  columns: number,
): string {
  const candidates = plainCandidates(completion);
  const rest = candidates
    .filter((candidate) => candidate.word.startsWith(prefix))
    .map((candidate) => ({ ...candidate, word: candidate.word.slice(prefix.length) }));
  const directive = directiveOf(completion, false);
  const words = rest.map((candidate) => candidate.word);
  // 9 completes, 37 (%) cycles through the words, 42 (*) inserts all of them.
  const insertsWords = type === '37' || type === '42';
  if (rest.length < 2 || insertsWords) return joinLines(directive, words);
  const lines = describe(rest, columns, (candidate) => candidate.word);
  // This line has no common prefix with the others, so that bash inserts nothing.
  const note = replacesInput(candidates, word) ? ['(found by name)'] : [];
  return joinLines(directive, [...note, ...lines]);
}

/** A tab separates the word from its text in the list. */
function formatForZsh(completion: Completion, word: string, columns: number): string {
  const candidates = plainCandidates(completion);
  const labels = describe(candidates, columns, (candidate) => candidate.label);
  return joinLines(
    directiveOf(completion, replacesInput(candidates, word)),
    candidates.map((candidate, index) => `${candidate.word}\t${labels[index]}`),
  );
}

/** One line of JSON in ASCII, which works in any code page. PowerShell does not allow empty texts. */
function formatForPowerShell(completion: Completion): string {
  const candidates = plainCandidates(completion).map(({ description, ...rest }) => ({
    ...rest,
    description: description || rest.word,
  }));
  const json = JSON.stringify(candidates);
  return `${json.replace(/[^\x20-\x7e]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`)}\n`;
}
