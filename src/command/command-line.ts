// A command as a hint prints it: it must work when it is pasted, so it names the profile that was named, and quotes what
// the shell would take apart.

import type { World } from '../world/world.ts';
import type { CommonFlags } from './flags.ts';
import { shellWord } from './shell-word.ts';

/** Of a command's context. */
export interface Given {
  readonly common: Pick<CommonFlags, 'profile' | 'yes'>;
  readonly world: Pick<World, 'process'>;
}

/** A command without operands: `webhook list` becomes `wm webhook list --profile work`. */
export function commandLine(given: Given, words: string): string {
  return ['wm', words, ...profileOf(given)].join(' ');
}

/** With operands and flags. An id may begin with a dash, and then stands behind `--`. */
export function commandWith(
  given: Given,
  words: string,
  operands: readonly string[],
  ...flags: readonly string[]
): string {
  const quoted = operands.map((one) => shellWord(one, given.world.process.platform));
  const all = [...flags, ...profileOf(given)];
  const hasDash = operands.some((one) => one.startsWith('-'));
  return ['wm', words, ...(hasDash ? [...all, '--', ...quoted] : [...quoted, ...all])].join(' ');
}

/** A command that asks for confirmation; where --yes gave it beforehand, the command has to give it as well. */
export function confirmedCommand(given: Given, words: string, operands: readonly string[]): string {
  return commandWith(given, words, operands, ...(given.common.yes ? ['--yes'] : []));
}

function profileOf({ common: { profile }, world }: Given): readonly string[] {
  return profile === undefined ? [] : ['--profile', shellWord(profile, world.process.platform)];
}
