// The hidden command that shell scripts call at each TAB: prints the completions of the unfinished word. Reads only a few small
// files, and prints nothing if it fails: a message would appear in the middle of the user's line.

import { sanitizeLine } from '#terminal/sanitize.ts';
import type { World } from '#world/world.ts';
import { type Candidate, type Completion, findCandidates } from './candidates.ts';
import { createValueSource } from './known-values.ts';

/** Takes the shell, then the arguments from its script. Returns the exit status; never throws. */
export async function complete([shell = '', ...rest]: readonly string[], world: World): Promise<number> {
  const formatReply = Object.hasOwn(replies, shell) ? replies[shell] : undefined;
  if (formatReply === undefined) return 2;
  const source = createValueSource(world);
  const find: Find = async (before, word) => withPlainWords(await findCandidates(before, word, source));
  try {
    await world.streams.output.write(await formatReply(rest, find));
    return 0;
  } catch {
    return 1;
  }
}

type Find = (before: readonly string[], word: string) => Promise<Completion>;

/** By shell. A reply is a line with a directive, then a line for each candidate; for PowerShell, JSON. */
const replies: Readonly<Record<string, (rest: readonly string[], find: Find) => Promise<string>>> = {
  /** `replaced`: the part of the last word that bash replaces. `type`: the function of the key. */
  async bash([line = '', replaced = '', type = '9', columns = ''], find) {
    const { before, word, raw } = splitLine(line);
    const prefix = splitLine(raw.endsWith(replaced) ? raw.slice(0, raw.length - replaced.length) : raw).word;
    const completion = await find(before.slice(1), word);
    const rest = completion.candidates
      .map((candidate) => (candidate.word.startsWith(prefix) ? candidate : asUrl(candidate, word)))
      .filter((candidate) => candidate.word.startsWith(prefix) && plainWord.test(candidate.word))
      .map((candidate) => ({ ...candidate, label: candidate.word.slice(prefix.length) }));
    // 9 completes, 37 (%) cycles through the words, 42 (*) inserts all of them.
    const insertsWords = type === '37' || type === '42';
    // bash inserts the common prefix of all lines, and shows whole lines only if there are several.
    if (rest.length < 2 || insertsWords)
      return formatLines(
        completion,
        rest.map(({ label }) => label),
      );
    // This line has no common prefix with the others, so that bash inserts nothing.
    const note = replacesInput({ candidates: rest }, word) ? ['(found by name)'] : [];
    return formatLines(completion, [...note, ...describe(rest, columns)]);
  },
  async zsh([columns = '', _name, ...words], find) {
    const word = words.at(-1) ?? '';
    const completion = await find(words.slice(0, -1), word);
    const labels = describe(completion.candidates, columns);
    // A tab separates the word from its text in the list.
    const lines = completion.candidates.map((candidate, index) => `${candidate.word}\t${labels[index]}`);
    return formatLines(completion, lines, replacesInput(completion, word));
  },
  async fish([raw = '', _name, ...before], find) {
    const completion = await find(before, splitLine(raw).word);
    // A tab separates the word from its description.
    const lines = completion.candidates.map(({ word, description }) => `${word}\t${description}`);
    return formatLines(completion, lines);
  },
  /** One line of JSON in ASCII, which works in any code page. PowerShell does not allow empty texts. */
  async powershell([base64 = ''], find) {
    // UTF-8 lines, since versions of PowerShell treat quotes in arguments differently.
    const words = Buffer.from(base64, 'base64').toString('utf8').split('\n');
    const { candidates } = await find(words.slice(1, -1), words.at(-1) ?? '');
    const json = JSON.stringify(
      candidates.map((candidate) => ({ ...candidate, description: candidate.description || candidate.word })),
    );
    return `${json.replace(/[^\x20-\x7e]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`)}\n`;
  },
};

/** A webhook by the URL that it was found by: bash splits that at its colon, and cannot replace what comes before with an id. */
function asUrl({ description, label }: Candidate, word: string): Candidate {
  return { word: description.slice(description.indexOf(word)), label, description: '' };
}

/**
 * Splits without expanding anything: bash also splits at = and :, and neither bash nor fish removes the quotes. Only the last command of
 * the line counts: `cd x && wm task`. `word`: the last word, which may be empty, without quotes; `raw`: as typed.
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

/** Words that no shell expands, and that mean the same in quotes. Others are not printed, because strangers name some records. */
const plainWord = /^[A-Za-z0-9@%+=:,./_-]+$/;
const leastColumns = 20;

/** Omits words that need quotes. Puts descriptions on one line without control characters. */
function withPlainWords({ candidates, ...rest }: Completion): Completion {
  const plain = candidates
    .filter(({ word }) => plainWord.test(word))
    .map((candidate) => ({ ...candidate, description: sanitizeLine(candidate.description).trim() }));
  return { ...rest, candidates: plain };
}

/** True if a candidate does not begin with the input, because its title matched. */
function replacesInput({ candidates }: Completion, input: string): boolean {
  return (
    candidates.length > 1 &&
    candidates.some(({ word }) => !word.toLowerCase().startsWith(input.toLowerCase()))
  );
}

/** After `files`, the part of the word before the name; or `menu`, if a list must not replace the typed text; or `words`. */
function formatLines({ filesAfter }: Completion, lines: readonly string[], isMenu = false): string {
  const hasFiles = filesAfter !== undefined && (filesAfter === '' || plainWord.test(filesAfter));
  const other = isMenu ? 'menu' : 'words';
  return [hasFiles ? `files\t${filesAfter}` : other, ...lines].map((line) => `${line}\n`).join('');
}

/** Formats `Completed  -- text` in columns, no wider than the terminal. */
function describe(candidates: readonly Candidate[], columns: string): readonly string[] {
  const width = Math.max(...candidates.map(({ label }) => label.length));
  const most = Number(columns) > 0 ? Number(columns) : 80;
  return candidates.map(({ label, description }) => {
    if (description === '') return label;
    const line = `${label.padEnd(width)}  -- ${description}`;
    const maxLength = Math.max(most - 1, label.length, leastColumns);
    return [...line].length > maxLength ? `${[...line].slice(0, maxLength - 3).join('')}...` : line;
  });
}
