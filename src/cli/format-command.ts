// Formats commands for hints, so that they work when pasted: repeats the profile and the certificates, and quotes for the shell.

import type { Failure } from '#failure.ts';
import { omitUndefined } from '#omit-undefined.ts';
import type { World } from '#world/world.ts';
import { type CommonFlags, outputFlagNames } from './flags/common-flags.ts';
import type { Flags, RawFlags } from './flags/flag.ts';
import { formsOf } from './flags/flag-forms.ts';
import { quoteForShell } from './shell-quote.ts';

export interface FormatContext {
  readonly common: Pick<CommonFlags, 'profile' | 'ca' | 'yes'>;
  readonly world: Pick<World, 'process'>;
}

export interface CommandLine {
  /** `webhook suspend` */
  readonly words: string;
  /** Its own flags and the common ones. */
  readonly flags: Flags;
  readonly rawFlags: RawFlags;
  /** What it changes, it changes through its session. */
  readonly changesOnlyBySession: boolean;
}

export type RepeatContext = FormatContext & { readonly commandLine: CommandLine };

/** A command without operands: `webhook list` becomes `wm webhook list --profile work`. */
export function formatCommand(context: FormatContext, words: string): string {
  return formatCommandWith(context, words, []);
}

/** Quotes operands and flags. An id that begins with a dash goes after `--`. */
export function formatCommandWith(
  context: FormatContext,
  words: string,
  operands: readonly string[],
  ...flags: readonly string[]
): string {
  const allFlags = [...flags, ...accountFlags(context)];
  const hasDash = operands.some((operand) => operand.startsWith('-'));
  const unquoted = hasDash ? [...allFlags, '--', ...operands] : [...operands, ...allFlags];
  return ['wm', words, ...unquoted.map((word) => quoteForShell(word, context.world.process.platform))].join(
    ' ',
  );
}

/** The words of a flag, even if its value begins with a dash; empty without a value. */
export function flagWords(flag: string, value: string | undefined): readonly string[] {
  if (value === undefined) return [];
  return value.startsWith('-') ? [`${flag}=${value}`] : [flag, value];
}

/** For a command with this profile instead of the command line's; `undefined` for none. */
export function withProfile(context: FormatContext, profile: string | undefined): FormatContext {
  const { ca, yes } = context.common;
  return { world: context.world, common: omitUndefined({ profile, ca, yes }) };
}

/** Commands that use a sign-in: code below the commands does not know the command line. */
const accountCommand = /^wm (?:login|whoami|doctor|auth (?:refresh|status))\b/;

export function withAccountFlags(context: FormatContext, failure: Failure): Failure {
  const { next, hint } = failure;
  if (next === undefined || hint === undefined || !accountCommand.test(next)) return failure;
  const missing = accountFlags(context).flatMap((word, index, words) => {
    const isNamed = next.includes(` ${words[index - (index % 2)]}`);
    return isNamed ? [] : [quoteForShell(word, context.world.process.platform)];
  });
  if (missing.length === 0) return failure;
  const command = [next, ...missing].join(' ');
  return failure.with({ hint: { text: hint.replace(next, () => command), next: command } });
}

/** A command that asks for confirmation: repeats --yes if it was given. */
export function formatConfirmedCommand(context: FormatContext, words: string, operands: readonly string[]) {
  return formatCommandWith(context, words, operands, ...(context.common.yes ? ['--yes'] : []));
}

/** For other operands: with `more` flags, without `leaveOut`, which select operands. Formats other `words` as a confirmed command. */
export function formatRepeatedCommand(
  context: RepeatContext,
  words: string,
  operands: readonly string[],
  leaveOut: readonly string[] = [],
  ...more: readonly string[]
): string {
  const { commandLine } = context;
  if (commandLine.words !== words) return formatConfirmedCommand(context, words, operands);
  const without = [...leaveOut, ...outputFlagNames, 'profile', 'ca'];
  const flags = [...commandLine.rawFlags].flatMap(([name, texts]) => {
    const flag = commandLine.flags[name];
    if (flag === undefined || without.includes(name)) return [];
    const { long, opposite } = formsOf(name, flag);
    if (flag.placeholder === undefined) {
      if (texts.at(-1) !== 'false' || opposite === undefined) return [long];
      return flag.negatable ? [opposite] : [];
    }
    return (flag.repeats ? texts : texts.slice(-1)).flatMap((text) => flagWords(long, text));
  });
  return formatCommandWith(context, words, operands, ...flags, ...more);
}

function accountFlags({ common: { profile, ca } }: FormatContext): readonly string[] {
  return [...flagWords('--profile', profile), ...flagWords('--ca', ca)];
}
