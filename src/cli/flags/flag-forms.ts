// The forms of a flag: `--title`, `--no-follow`, `-y`. The parser and shell completion use the same forms.

import { negativeFlagNames } from './common-flags.ts';
import { type Flag, type Flags, toKebabCase } from './flag.ts';

export interface TypedForms {
  /** `--title`; `--no-color` for a flag with only this form. */
  readonly long: string;
  /** `--no-follow`, for a boolean flag with both forms. */
  readonly opposite?: string;
  /** `-y` */
  readonly short?: string;
}

/** Every boolean flag has its opposite. `name`: as in the code, `addParents`. */
export function formsOf(name: string, { placeholder, short }: Flag<unknown>): TypedForms {
  const kebab = toKebabCase(name);
  if (negativeFlagNames.includes(name)) return { long: `--no-${kebab}` };
  return {
    long: `--${kebab}`,
    ...(placeholder === undefined ? { opposite: `--no-${kebab}` } : {}),
    ...(short === undefined ? {} : { short: `-${short}` }),
  };
}

/** One form of a flag, and the value that it gives. */
export interface FlagForm {
  readonly name: string;
  /** `--title`, its alias, or `--no-follow`. */
  readonly long: string;
  readonly short?: string;
  readonly placeholder?: string;
  /** For a switch only. */
  readonly says?: 'true' | 'false';
}

/** By each long and short form, as typed. */
export type FlagForms = ReadonlyMap<string, FlagForm>;

export function formsOfAll(flags: Flags): FlagForms {
  const all = new Map<string, FlagForm>();
  for (const [name, flag] of Object.entries(flags)) {
    const { long, opposite, short } = formsOf(name, flag);
    const { placeholder, alias } = flag;
    const form: FlagForm =
      placeholder === undefined
        ? {
            name,
            long,
            says: opposite === undefined ? 'false' : 'true',
            ...(short ? { short: short.slice(1) } : {}),
          }
        : { name, long, placeholder, ...(short ? { short: short.slice(1) } : {}) };
    all.set(long, form);
    if (short) all.set(short, form);
    if (opposite) all.set(opposite, { name, long: opposite, says: 'false' });
    if (alias && placeholder) all.set(`--${alias}`, { name, long: `--${alias}`, placeholder });
  }
  return all;
}
