// Decides whether to draw lines such as └─, and whether to redraw one: not every terminal can, and a screen reader reads it aloud.

import type { Environment, Output } from '#world/world.ts';

/** Users of screen readers set ACCESSIBLE for all programs. */
export function isAccessible({ ACCESSIBLE }: Environment): boolean {
  return ACCESSIBLE !== undefined && !['', '0', 'false', 'no'].includes(ACCESSIBLE.toLowerCase());
}

/** In cells. A terminal that does not know its size reports 0. */
export function widthOf({ columns }: { readonly columns?: number | undefined }): number {
  return columns || 80;
}

/** Erases the line of the cursor. */
export const clearedLine = '\r\u001b[K';

export function canRedraw(output: Pick<Output, 'isTerminal'>, environment: Environment): boolean {
  return output.isTerminal && !isAccessible(environment) && environment['TERM'] !== 'dumb';
}

/** On Windows always. Elsewhere the first of three variables that is set names the character set. */
export function canDrawLines(output: Pick<Output, 'isTerminal'>, environment: Environment, platform: string) {
  if (!canRedraw(output, environment)) return false;
  const locale = environment['LC_ALL'] || environment['LC_CTYPE'] || environment['LANG'];
  return platform === 'win32' || /utf-?8/i.test(locale ?? '');
}
