// Reads the words before the unfinished one like the parser: the command, its flags, and whether the next word is a flag's
// value. Never fails, since the line is incomplete.

import type { Command } from '#cli/command.ts';
import { commonFlags } from '#cli/flags/common-flags.ts';
import type { Flags } from '#cli/flags/flag.ts';
import { findFlag, splitAtEquals } from '#cli/flags/flag-forms.ts';
import { flagsOf } from '../commander.ts';
import { findCommand, groups } from '../commands.ts';

export type Line = NonNullable<Awaited<ReturnType<typeof readLine>>>;

/** `undefined` for an unknown command. `words`: the words after `wm`. */
export async function readLine(words: readonly string[]) {
  /** The first word of a command with two words. */
  let group: string | undefined;
  let command: Command | undefined;
  /** The flags that may be given, the command's own first. */
  let flags: Flags = commonFlags;
  /** True after `wm help` or --help: the next word is a topic. */
  let isHelp = false;
  let isAfterDoubleDash = false;
  let valueName: string | undefined;
  /** By flag name; `true` for a flag without a value. */
  const flagValues = new Map<string, string[]>();
  const operands: string[] = [];
  const addValue = (name: string, value: string) =>
    flagValues.set(name, [...(flagValues.get(name) ?? []), value]);

  for (const word of words) {
    if (valueName !== undefined) {
      addValue(valueName, word);
      valueName = undefined;
    } else if (isAfterDoubleDash) operands.push(word);
    else if (word === '--') isAfterDoubleDash = true;
    else if (word === '--help' || word === '-h') isHelp = true;
    else if (word.length > 1 && word.startsWith('-')) {
      const [form, value] = splitAtEquals(word);
      const [name, flag] = findFlag(flags, form) ?? [];
      if (name === undefined) continue;
      if (flag?.placeholder !== undefined && value === undefined) valueName = name;
      else addValue(name, value ?? 'true');
    } else if (command !== undefined) operands.push(word);
    else if (word === 'help') isHelp = true;
    else if (group === undefined && groups.some((candidate) => candidate.word === word)) group = word;
    else {
      const row = findCommand(group === undefined ? [word] : [group, word]);
      if (row === undefined) return undefined;
      command = (await row.load()).default;
      flags = flagsOf(command);
    }
  }
  /** The flag whose value is the next word. */
  const flagBefore = valueName === undefined ? undefined : flags[valueName];
  return { group, command, flags, flagValues, flagBefore, operands, isHelp, isAfterDoubleDash };
}
