// Formats a command for a hint, in the one place for all. It must work when pasted: it names the profile and the certificates that
// were named, quotes what the shell would interpret, and one that repeats what was typed is made from what was typed.

import type { World } from '#world/world.ts';
import { type CommonFlags, outputFlagNames } from './flags/common-flags.ts';
import { type Flags, type GivenFlags, toKebabCase } from './flags/flag.ts';
import { formsOf } from './flags/flag-forms.ts';
import { quoteForShell } from './shell-quote.ts';

/** Of a command's context. */
export interface FormatContext {
  readonly common: Pick<CommonFlags, 'profile' | 'ca' | 'yes'>;
  readonly world: Pick<World, 'process'>;
}

/** What was typed, as the parser took it apart. */
export interface CommandLine {
  /** `webhook suspend` */
  readonly words: string;
  /** Its own and those that all have. */
  readonly flags: Flags;
  readonly given: GivenFlags;
}

/** A command without operands: `webhook list` becomes `wm webhook list --profile work`. */
export function formatCommand(given: FormatContext, words: string): string {
  return ['wm', words, ...accountFlags(given)].join(' ');
}

/** With operands and flags. An id may begin with a dash, and then stands behind `--`. */
export function formatCommandWith(
  given: FormatContext,
  words: string,
  operands: readonly string[],
  ...flags: readonly string[]
): string {
  const quoted = operands.map((one) => quoteForShell(one, given.world.process.platform));
  const all = [...flags, ...accountFlags(given)];
  const hasDash = operands.some((one) => one.startsWith('-'));
  return ['wm', words, ...(hasDash ? [...all, '--', ...quoted] : [...quoted, ...all])].join(' ');
}

/** A command that asks for confirmation; where --yes gave it beforehand, the command has to give it as well. */
export function formatConfirmedCommand(
  given: FormatContext,
  words: string,
  operands: readonly string[],
): string {
  return formatCommandWith(given, words, operands, ...(given.common.yes ? ['--yes'] : []));
}

/**
 * The command that was typed, for other operands: with its flags, but for those that only select operands (`leaveOut`) and those that
 * say how results are printed. For another command (`words`), as {@link formatConfirmedCommand}.
 */
export function formatRepeatedCommand(
  given: FormatContext & { readonly commandLine: CommandLine },
  words: string,
  operands: readonly string[],
  leaveOut: readonly string[] = [],
): string {
  const { commandLine, world } = given;
  if (commandLine.words !== words) return formatConfirmedCommand(given, words, operands);
  const without = [...leaveOut, ...outputFlagNames, 'profile', 'ca'];
  const flags = [...commandLine.given].flatMap(([name, texts]) => {
    const flag = commandLine.flags[name];
    if (flag === undefined || without.includes(name)) return [];
    const { long, opposite } = formsOf(name, flag);
    if (flag.placeholder === undefined) {
      if (texts.at(-1) !== 'false' || opposite === undefined) return [long];
      return flag.negatable ? [opposite] : [];
    }
    return (flag.repeats ? texts : texts.slice(-1)).flatMap((text) => {
      const quoted = quoteForShell(text, world.process.platform);
      return text.startsWith('-') ? [`--${toKebabCase(name)}=${quoted}`] : [long, quoted];
    });
  });
  return formatCommandWith(given, words, operands, ...flags);
}

function accountFlags({ common: { profile, ca }, world }: FormatContext): readonly string[] {
  const flag = (name: string, text: string | undefined) =>
    text === undefined ? [] : [name, quoteForShell(text, world.process.platform)];
  return [...flag('--profile', profile), ...flag('--ca', ca)];
}
