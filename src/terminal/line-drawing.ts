// Whether a terminal can show lines such as └─, and its user wants them: a screen reader spells them out.

import type { Environment, Output } from '#world/world.ts';

/** Users of screen readers set ACCESSIBLE for every program that supports it. */
export function isAccessible({ ACCESSIBLE }: Environment): boolean {
  return ACCESSIBLE !== undefined && !['', '0', 'false', 'no'].includes(ACCESSIBLE.toLowerCase());
}

/** Windows names no character set; elsewhere the first of three variables that is set does. */
export function canDrawLines(
  output: Pick<Output, 'isTerminal'>,
  environment: Environment,
  platform: string,
): boolean {
  if (!output.isTerminal || isAccessible(environment) || environment['TERM'] === 'dumb') return false;
  const locale = environment['LC_ALL'] || environment['LC_CTYPE'] || environment['LANG'];
  return platform === 'win32' || /utf-?8/i.test(locale ?? '');
}
