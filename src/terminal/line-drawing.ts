// Decides whether to draw lines such as └─: the terminal must support them, and a screen reader would spell them out.

import type { Environment, Output } from '#world/world.ts';

/** Users of screen readers set ACCESSIBLE for all programs. */
export function isAccessible({ ACCESSIBLE }: Environment): boolean {
  return ACCESSIBLE !== undefined && !['', '0', 'false', 'no'].includes(ACCESSIBLE.toLowerCase());
}

/** On Windows always. Elsewhere the first of three variables that is set names the character set. */
export function canDrawLines(
  output: Pick<Output, 'isTerminal'>,
  environment: Environment,
  platform: string,
): boolean {
  if (!output.isTerminal || isAccessible(environment) || environment['TERM'] === 'dumb') return false;
  const locale = environment['LC_ALL'] || environment['LC_CTYPE'] || environment['LANG'];
  return platform === 'win32' || /utf-?8/i.test(locale ?? '');
}
