// Styles by meaning, so that no other file chooses a colour. The text alone carries the meaning too.

import type { Environment, Output } from '../world/world.ts';

type Format = (text: string) => string;

export interface Style {
  readonly strong: Format;
  readonly faint: Format;
  readonly good: Format;
  readonly bad: Format;
  readonly notice: Format;
}

const unchanged: Format = (text) => text;

export const plainStyle: Style = {
  strong: unchanged,
  faint: unchanged,
  good: unchanged,
  bad: unchanged,
  notice: unchanged,
};

/** NO_COLOR, CLICOLOR_FORCE, TERM=dumb and --no-color decide before the terminal does. */
export function wantsColour(output: Output, environment: Environment, flag: boolean | undefined): boolean {
  if (flag === false || environment['NO_COLOR']) return false;
  const force = environment['CLICOLOR_FORCE'];
  if (force !== undefined && force !== '' && force !== '0') return true;
  return output.isTerminal && environment['TERM'] !== 'dumb';
}
