// Reorders the words of a command line for the parser: moves help after its subject, and flags after the words of the command.

import { commonFlags } from '#cli/flags/common-flags.ts';
import { type Flag, toKebabCase } from '#cli/flags/flag.ts';
import { nearestWords } from '#contract/did-you-mean.ts';
import { commands, groups } from './commands.ts';
import { everything } from './help-layout.ts';
import { helpTopics } from './topics/topics.ts';

/**
 * Turns `wm help webhook list` and `wm webhook help list` into `wm webhook list --help`, and moves leading flags after the
 * words. `wm -v` alone shows the version, as in other tools.
 */
export function reorderArguments(typed: readonly string[]): string[] {
  const [word = '', next] = typed;
  if (word === 'version') return typed[1] === '--json' ? ['--version', '--json'] : ['--version'];
  if (word === '-v' && typed.length === 1) return ['--version'];
  if (word === 'help') return reorderHelp(typed.slice(1));
  if (next === 'help' && isGroup(word)) return reorderHelp([word, ...typed.slice(2)]);
  if (typed.length === 2 && (word === '--help' || word === '-h') && next === everything) return [...typed];
  const { flags, rest } = splitLeadingFlags(typed, () => true);
  if (rest.length === 0) return [...typed];
  const [first = '', ...others] = withoutDoubleDash(rest);
  if (!isGroup(first)) return [first, ...flags, ...others];
  // `wm webhook --json list`: only common flags may be between the words of a command.
  const inside = splitLeadingFlags(others, (text) => findCommonFlag(text) !== undefined);
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
function reorderHelp(given: readonly string[]): string[] {
  const words = given.filter((word) => !word.startsWith('-'));
  const isOwn =
    given.some((text) => /^(?:--json|--help|-h|--jq(?:=.*)?)$/s.test(text)) ||
    isTopic(words) ||
    (words.length === 0 && given.some((flag) => findCommonFlag(flag) === undefined));
  if (isOwn) return ['help', ...given];
  if (words[0] === 'help' || words[0] === 'version') return ['--help'];
  if (words[0] === everything && words.length === 1) return ['--help', everything];
  if (!isKnownCommand(words)) return [...given];
  // After the words of the command comes a topic of its help.
  const count = isGroup(words[0] ?? '') ? 2 : 1;
  const flags = given.filter((word) => word.startsWith('-'));
  return [...words.slice(0, count), '--help', ...words.slice(count), ...flags];
}

function isGroup(typed: string): boolean {
  return groups.some(({ word }) => word === typed);
}

interface LeadingFlags {
  readonly flags: readonly string[];
  readonly rest: readonly string[];
}

/** The flags before the first word with their values, as far as `may` accepts them. */
function splitLeadingFlags(typed: readonly string[], may: (text: string) => boolean): LeadingFlags {
  let end = 0;
  for (let text = typed[0]; text?.startsWith('-') && text !== '--' && may(text); text = typed[end]) {
    const takesNext = findCommonFlag(text)?.placeholder !== undefined && !text.includes('=');
    end += takesNext ? 2 : 1;
  }
  return { flags: typed.slice(0, end), rest: typed.slice(end) };
}

function findCommonFlag(text: string): Flag<unknown> | undefined {
  const [typed = ''] = text.split('=');
  return Object.entries<Flag<unknown>>(commonFlags).find(([name, { short }]) =>
    [`--${toKebabCase(name)}`, `--no-${toKebabCase(name)}`, `-${short}`].includes(typed),
  )?.[1];
}

function isTopic(words: readonly string[]): boolean {
  const [word = ''] = words;
  if (words.length !== 1 || isKnownCommand(words)) return false;
  const topics = Object.keys(helpTopics);
  const known = [...topics, ...commands.flatMap((row) => row.words.split(' '))];
  return topics.includes(word) || nearestWords(word, known).some((near) => topics.includes(near));
}

function isKnownCommand([first, second]: readonly string[]): boolean {
  if (first === undefined || commands.some(({ words }) => words === first)) return true;
  if (second === undefined) return isGroup(first);
  return commands.some(({ words, alias }) => {
    const [group, name] = words.split(' ');
    return group === first && (name === second || (alias !== undefined && alias === second));
  });
}
