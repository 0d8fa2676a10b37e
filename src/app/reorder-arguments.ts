// Reorders the words of a command line for the parser: moves help after its subject, and flags after the words of the command.

import { commonFlags } from '#cli/flags/common-flags.ts';
import { type Flag, toKebabCase } from '#cli/flags/flag.ts';
import { nearestWords } from '#contract/did-you-mean.ts';
import { commands, groups, matchesWords } from './commands.ts';
import { everything } from './help-layout.ts';
import { helpTopics } from './topics/topics.ts';

/**
 * Turns `wm help webhook list` and `wm webhook help list` into `wm webhook list --help`, and moves leading flags after the
 * words. `wm -v` alone shows the version, as in other tools.
 */
export function reorderArguments(argv: readonly string[]): string[] {
  const [word = '', next] = argv;
  if (word === 'version') return argv[1] === '--json' ? ['--version', '--json'] : ['--version'];
  if (word === '-v' && argv.length === 1) return ['--version'];
  if (word === 'help') return reorderHelp(argv.slice(1));
  if (next === 'help' && isGroup(word)) return reorderHelp([word, ...argv.slice(2)]);
  if (argv.length === 2 && (word === '--help' || word === '-h') && next === everything) return [...argv];
  // The usual order: nothing before or between the words.
  if (!word.startsWith('-') && next !== undefined && !next.startsWith('-')) return [...argv];
  const { flags, rest } = splitLeadingFlags(argv, () => true);
  if (rest.length === 0) return [...argv];
  const [first = '', ...moreWords] = withoutDoubleDash(rest);
  if (!isGroup(first)) return [first, ...flags, ...moreWords];
  // `wm webhook --json list`: only common flags may be between the words of a command.
  const inside = splitLeadingFlags(moreWords, (text) => findCommonFlag(text) !== undefined);
  const [second, ...after] = withoutDoubleDash(inside.rest);
  // Keeps the order of flags, so that the last one still counts.
  return [first, ...(second === undefined ? [] : [second]), ...flags, ...inside.flags, ...after];
}

/** `--` has no effect before or between the words of a command. */
function withoutDoubleDash(words: readonly string[]): readonly string[] {
  return words[0] === '--' ? words.slice(1) : words;
}

/**
 * Leaves topics, and every command as data, to the command `help`, and unknown words too if they are closer to a topic than to
 * a command, so that it can report them.
 */
function reorderHelp(argv: readonly string[]): string[] {
  const words = argv.filter((word) => !word.startsWith('-'));
  const isForHelpCommand =
    argv.some((text) => /^(?:--json|--help|-h|--jq(?:=.*)?)$/s.test(text)) ||
    isTopic(words) ||
    (words.length === 0 && argv.some((flag) => findCommonFlag(flag) === undefined));
  if (isForHelpCommand) return ['help', ...argv];
  if (words[0] === 'help' || words[0] === 'version') return ['--help'];
  if (words[0] === everything && words.length === 1) return ['--help', everything];
  if (!isKnownCommand(words)) return [...argv];
  // After the words of the command comes a topic of its help.
  const count = isGroup(words[0] ?? '') ? 2 : 1;
  const flags = argv.filter((word) => word.startsWith('-'));
  return [...words.slice(0, count), '--help', ...words.slice(count), ...flags];
}

function isGroup(text: string): boolean {
  return groups.some(({ word }) => word === text);
}

/** The flags before the first word, with their values. Ends at the first that `accepts` rejects. */
function splitLeadingFlags(argv: readonly string[], accepts: (text: string) => boolean) {
  let end = 0;
  for (let text = argv[0]; text?.startsWith('-') && text !== '--' && accepts(text); text = argv[end]) {
    const takesNext = findCommonFlag(text)?.placeholder !== undefined && !text.includes('=');
    end += takesNext ? 2 : 1;
  }
  return { flags: argv.slice(0, end), rest: argv.slice(end) };
}

function findCommonFlag(text: string): Flag<unknown> | undefined {
  const [form = ''] = text.split('=');
  return Object.entries<Flag<unknown>>(commonFlags).find(([name, { short }]) =>
    [`--${toKebabCase(name)}`, `--no-${toKebabCase(name)}`, `-${short}`].includes(form),
  )?.[1];
}

function isTopic(words: readonly string[]): boolean {
  const [word = ''] = words;
  if (words.length !== 1 || isKnownCommand(words)) return false;
  const topics = Object.keys(helpTopics);
  const candidates = [...topics, ...commands.flatMap((row) => row.words.split(' '))];
  return topics.includes(word) || nearestWords(word, candidates).some((near) => topics.includes(near));
}

function isKnownCommand(words: readonly string[]): boolean {
  const [first, second] = words;
  if (first === undefined || commands.some((row) => matchesWords(row, words))) return true;
  return second === undefined && isGroup(first);
}
