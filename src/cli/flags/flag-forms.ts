// How a flag can be typed: `--title`, `--no-follow`, `-y`. The parser and the completion of shells read the same forms.

import { negativeFlagNames } from './common-flags.ts';
import { type Flag, toKebabCase } from './flag.ts';

export interface TypedForms {
  /** `--title`; `--no-color` for a flag that exists only in that form. */
  readonly long: string;
  /** `--no-follow`, of a boolean flag that has both forms. */
  readonly opposite?: string;
  /** `-y` */
  readonly short?: string;
}

/** Every boolean flag has its opposite. `name` as a command has it: `addParents`. */
export function formsOf(name: string, { placeholder, short }: Flag<unknown>): TypedForms {
  const kebab = toKebabCase(name);
  if (negativeFlagNames.includes(name)) return { long: `--no-${kebab}` };
  return {
    long: `--${kebab}`,
    ...(placeholder === undefined ? { opposite: `--no-${kebab}` } : {}),
    ...(short === undefined ? {} : { short: `-${short}` }),
  };
}
