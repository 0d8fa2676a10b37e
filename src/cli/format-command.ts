// Formats commands for hints, so that they work when pasted: repeats the given profile and certificates, and quotes what the
// shell would interpret.

import type { Failure } from '#failure.ts';
import { omitUndefined } from '#omit-undefined.ts';
import type { World } from '#world/world.ts';
import { type CommonFlags, outputFlagNames } from './flags/common-flags.ts';
import type { Flags, GivenFlags } from './flags/flag.ts';
import { formsOf } from './flags/flag-forms.ts';
import { quoteForShell } from './shell-quote.ts';

/** The parts of a command's context that this needs. */
export interface FormatContext {
  readonly common: Pick<CommonFlags, 'profile' | 'ca' | 'yes'>;
  readonly world: Pick<World, 'process'>;
}

/** The parsed command line. */
export interface CommandLine {
  /** `webhook suspend` */
  readonly words: string;
  /** Its own flags and the common ones. */
  readonly flags: Flags;
  readonly given: GivenFlags;
}

export type RepeatContext = FormatContext & { readonly commandLine: CommandLine };

/** A command without operands: `webhook list` becomes `wm webhook list --profile work`. */
export function formatCommand(given: FormatContext, words: string): string {
  return formatCommandWith(given, words, []);
}

/** Quotes operands and flags. An id that begins with a dash goes after `--`. */
export function formatCommandWith(
  given: FormatContext,
  words: string,
  operands: readonly string[],
  ...flags: readonly string[]
): string {
  const all = [...flags, ...accountFlags(given)];
  const hasDash = operands.some((one) => one.startsWith('-'));
  const inOrder = hasDash ? [...all, '--', ...operands] : [...operands, ...all];
  const quoted = inOrder.map((one) => quoteForShell(one, given.world.process.platform));
  return ['wm', words, ...quoted].join(' ');
}

/** The words of a flag, even if its value begins with a dash; empty without a value. */
export function flagWords(flag: string, value: string | undefined): readonly string[] {
  if (value === undefined) return [];
  return value.startsWith('-') ? [`${flag}=${value}`] : [flag, value];
}

/** For a command that names this profile, whatever the command line named; `undefined` for none. */
export function withProfile(given: FormatContext, profile: string | undefined): FormatContext {
  const { ca, yes } = given.common;
  return { world: given.world, common: omitUndefined({ profile, ca, yes }) };
}

/** Commands that use a sign-in: code below the commands does not know the command line. */
const ofAccount = /^wm (?:login|whoami|doctor|auth (?:refresh|status))\b/;

/** Adds the command line's account flags to the failure's hint. */
export function withAccountFlags(given: FormatContext, failure: Failure): Failure {
  const { next, hint } = failure;
  if (next === undefined || hint === undefined || !ofAccount.test(next)) return failure;
  const missing = accountFlags(given).flatMap((word, at, all) => {
    const isNamed = next.includes(` ${all[at - (at % 2)]}`);
    return isNamed ? [] : [quoteForShell(word, given.world.process.platform)];
  });
  if (missing.length === 0) return failure;
  const whole = [next, ...missing].join(' ');
  return failure.with({ hint: { text: hint.replace(next, () => whole), next: whole } });
}

/** A command that asks for confirmation: repeats --yes if it was given. */
export function formatConfirmedCommand(
  given: FormatContext,
  words: string,
  operands: readonly string[],
): string {
  return formatCommandWith(given, words, operands, ...(given.common.yes ? ['--yes'] : []));
}

/**
 * Repeats the typed command for other operands: with `more` flags, without the flags that select operands (`leaveOut`) or only
 * affect the output. Formats another command (`words`) like {@link formatConfirmedCommand}.
 */
export function formatRepeatedCommand(
  given: RepeatContext,
  words: string,
  operands: readonly string[],
  leaveOut: readonly string[] = [],
  ...more: readonly string[]
): string {
  const { commandLine } = given;
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
    return (flag.repeats ? texts : texts.slice(-1)).flatMap((text) => flagWords(long, text));
  });
  return formatCommandWith(given, words, operands, ...flags, ...more);
}

function accountFlags({ common: { profile, ca } }: FormatContext): readonly string[] {
  return [...flagWords('--profile', profile), ...flagWords('--ca', ca)];
}
