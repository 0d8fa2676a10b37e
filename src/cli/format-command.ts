// Formats a command for a hint. It must work when pasted, so it names the profile that was named, and quotes what the
// shell would interpret.

import type { World } from '#world/world.ts';
import type { CommonFlags } from './flags/common-flags.ts';
import { quoteForShell } from './shell-quote.ts';

/** Of a command's context. */
export interface FormatContext {
  readonly common: Pick<CommonFlags, 'profile' | 'yes'>;
  readonly world: Pick<World, 'process'>;
}

/** A command without operands: `webhook list` becomes `wm webhook list --profile work`. */
export function formatCommand(given: FormatContext, words: string): string {
  return ['wm', words, ...profileFlag(given)].join(' ');
}

/** With operands and flags. An id may begin with a dash, and then stands behind `--`. */
export function formatCommandWith(
  given: FormatContext,
  words: string,
  operands: readonly string[],
  ...flags: readonly string[]
): string {
  const quoted = operands.map((one) => quoteForShell(one, given.world.process.platform));
  const all = [...flags, ...profileFlag(given)];
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

function profileFlag({ common: { profile }, world }: FormatContext): readonly string[] {
  return profile === undefined ? [] : ['--profile', quoteForShell(profile, world.process.platform)];
}
