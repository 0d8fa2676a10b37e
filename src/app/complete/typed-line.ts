// Reads the words before the one that is completed, as the parser would: which command they name, which flags they give, and
// whether the next word is the value of one. Unlike the parser it never fails, since the line is not finished.

import type { Command } from '#cli/command.ts';
import { commonFlags, sharedFlags } from '#cli/flags/common-flags.ts';
import type { Flag, Flags } from '#cli/flags/flag.ts';
import { formsOf } from '#cli/flags/flag-forms.ts';
import { type CommandRow, commands, groups } from '../commands.ts';

export interface Line {
  /** The first word of commands that have two. */
  readonly group?: string;
  readonly row?: CommandRow;
  readonly command?: Command;
  /** Those that may be given: the command's own first. */
  readonly flags: Flags;
  /** By the names of the flags: their values, `true` for one without. */
  readonly given: ReadonlyMap<string, readonly string[]>;
  readonly operands: readonly string[];
  /** The flag that the next word is the value of. */
  readonly flagBefore?: Flag<unknown>;
  /** `wm help`, or --help: what follows the words of the command is a topic. */
  readonly isHelp: boolean;
  readonly isAfterDoubleDash: boolean;
}

/** `undefined` if there is no such command. `words` are those after `wm`. */
export async function readLine(words: readonly string[]): Promise<Line | undefined> {
  let group: string | undefined;
  let row: CommandRow | undefined;
  let command: Command | undefined;
  let flags: Flags = commonFlags;
  let isHelp = false;
  let isAfterDoubleDash = false;
  let valueName: string | undefined;
  const given = new Map<string, string[]>();
  const operands: string[] = [];
  const give = (name: string, value: string) => given.set(name, [...(given.get(name) ?? []), value]);

  for (const word of words) {
    if (valueName !== undefined) {
      give(valueName, word);
      valueName = undefined;
    } else if (isAfterDoubleDash) operands.push(word);
    else if (word === '--') isAfterDoubleDash = true;
    else if (word === '--help' || word === '-h') isHelp = true;
    else if (word.length > 1 && word.startsWith('-')) {
      const [form, value] = splitAtEquals(word);
      const found = findFlag(flags, form);
      if (found === undefined) continue;
      const [name, { placeholder }] = found;
      if (placeholder !== undefined && value === undefined) valueName = name;
      else give(name, value ?? 'true');
    } else if (row !== undefined) operands.push(word);
    else if (word === 'help') isHelp = true;
    else if (group === undefined && groups.some((one) => one.word === word)) group = word;
    else {
      row = findCommand(group, word);
      if (row === undefined) return undefined;
      command = (await row.load()).default;
      flags = { ...command.flags, ...withoutNames(sharedFlags(command), command.flags) };
    }
  }
  const flag = valueName === undefined ? undefined : flags[valueName];
  return {
    ...(group === undefined ? {} : { group }),
    ...(row === undefined ? {} : { row }),
    ...(command === undefined ? {} : { command }),
    ...(flag === undefined ? {} : { flagBefore: flag }),
    flags,
    given,
    operands,
    isHelp,
    isAfterDoubleDash,
  };
}

/** `--title=x` as `--title` and `x`. */
export function splitAtEquals(word: string): readonly [form: string, value: string | undefined] {
  const at = word.startsWith('--') ? word.indexOf('=') : -1;
  return at === -1 ? [word, undefined] : [word.slice(0, at), word.slice(at + 1)];
}

export function findFlag(flags: Flags, form: string): readonly [name: string, Flag<unknown>] | undefined {
  return Object.entries(flags).find(([name, flag]) => {
    const { long, opposite, short } = formsOf(name, flag);
    return form === long || form === opposite || form === short;
  });
}

function findCommand(group: string | undefined, word: string): CommandRow | undefined {
  const prefix = group === undefined ? '' : `${group} `;
  return commands.find(
    ({ words, alias }) =>
      words === prefix + word || (group !== undefined && alias === word && words.startsWith(prefix)),
  );
}

function withoutNames(flags: Flags, names: Flags): Flags {
  return Object.fromEntries(Object.entries(flags).filter(([name]) => !(name in names)));
}
