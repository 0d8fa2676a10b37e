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

/** One form of a flag. */
export interface FlagForm {
  readonly name: string;
  /** `--title`, its alias, or `--no-follow`. */
  readonly long: string;
  readonly short?: string;
  readonly placeholder?: string;
  /** What this form of a boolean flag sets. */
  readonly value?: 'true' | 'false';
}

/** By each long and short form, as typed. */
export type FlagForms = ReadonlyMap<string, FlagForm>;

export function formsOfAll(flags: Flags): FlagForms {
  const forms = new Map<string, FlagForm>();
  for (const [name, flag] of Object.entries(flags)) {
    const { long, opposite, short } = formsOf(name, flag);
    const { placeholder, alias } = flag;
    const form: FlagForm = {
      name,
      long,
      ...(placeholder === undefined ? { value: opposite === undefined ? 'false' : 'true' } : { placeholder }),
      ...(short ? { short: short.slice(1) } : {}),
    };
    forms.set(long, form);
    if (short) forms.set(short, form);
    if (opposite) forms.set(opposite, { name, long: opposite, value: 'false' });
    if (alias && placeholder) forms.set(`--${alias}`, { name, long: `--${alias}`, placeholder });
  }
  return forms;
}
