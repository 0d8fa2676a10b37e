// Styles by meaning: other files choose no colours. The text carries the meaning even without styles.

import type { Environment, Output } from '#world/world.ts';

export type Format = (text: string) => string;

export interface Style {
  readonly strong: Format;
  readonly faint: Format;
  readonly good: Format;
  readonly bad: Format;
  readonly notice: Format;
}

export const unchanged: Format = (text) => text;

export const plainStyle: Style = {
  strong: unchanged,
  faint: unchanged,
  good: unchanged,
  bad: unchanged,
  notice: unchanged,
};

/** Decides in this order: --no-color, NO_COLOR, CLICOLOR_FORCE, the setting, TERM=dumb, and then the terminal. */
export function wantsColour(output: Output, environment: Environment, flag?: boolean, setting?: boolean) {
  if (flag === false || environment['NO_COLOR']) return false;
  const force = environment['CLICOLOR_FORCE'];
  if (force !== undefined && force !== '' && force !== '0') return true;
  if (flag === undefined && setting === false) return false;
  return output.isTerminal && environment['TERM'] !== 'dumb';
}
