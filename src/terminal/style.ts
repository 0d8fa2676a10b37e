// How words stand out: by meaning, so that nobody below asks for a colour. Meaning never hangs on the look alone.

import type { Environment, Output } from '../world/world.ts';

type Look = (text: string) => string;

export interface Style {
  readonly strong: Look;
  readonly faint: Look;
  readonly good: Look;
  readonly bad: Look;
  readonly notice: Look;
}

const asIs: Look = (text) => text;

export const plainStyle: Style = { strong: asIs, faint: asIs, good: asIs, bad: asIs, notice: asIs };

/** NO_COLOR, CLICOLOR_FORCE, TERM=dumb and --no-color decide before the terminal does. */
export function wantsColour(output: Output, environment: Environment, flag: boolean | undefined): boolean {
  if (flag === false || environment['NO_COLOR']) return false;
  const force = environment['CLICOLOR_FORCE'];
  if (force !== undefined && force !== '' && force !== '0') return true;
  return output.isTerminal && environment['TERM'] !== 'dumb';
}
