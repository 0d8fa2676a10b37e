// Describes flags as data. Reads the default and the variables of a flag from its help, where they have the forms in
// CONTRIBUTING.md: `(default: 30)`, `(or WM_HOST)`.

import type { Flag, Flags } from '#cli/flags/flag.ts';
import { formsOf } from '#cli/flags/flag-forms.ts';
import type { FlagDescription } from '#cli/program-description.ts';
import { omitUndefined } from '#omit-undefined.ts';
import { formatFlag } from '../format-usage.ts';

export function describeFlags(flags: Flags): readonly FlagDescription[] {
  return Object.entries(flags).map(([name, flag]) => describeFlag(name, flag));
}

function describeFlag(name: string, flag: Flag<unknown>): FlagDescription {
  const { help, placeholder, choices, minimum, maximum } = flag;
  const environment = readVariables(help);
  const { long, opposite, short } = formsOf(name, flag);
  return {
    flag: long,
    ...omitUndefined({ short }),
    usage: formatFlag(name, flag),
    help,
    type: placeholder === undefined ? 'boolean' : (flag.type ?? 'text'),
    ...omitUndefined({ choices, minimum, maximum, default: readDefault(help) }),
    ...(environment.length === 0 ? {} : { environment }),
    ...(flag.required === undefined ? {} : { required: true }),
    ...(flag.repeats ? { repeatable: true } : {}),
    ...(opposite !== undefined && flag.negatable ? { negatable: true } : {}),
    ...(flag.acceptsFile ? { acceptsFile: true } : {}),
  };
}

const notes = /\((or WM_[^)]*|default: [^)]*)\)/;

function readDefault(help: string): string | undefined {
  return /\bdefault: (.*)$/.exec(notes.exec(help)?.[1] ?? '')?.[1];
}

function readVariables(help: string): readonly string[] {
  return notes.exec(help)?.[1]?.match(/\bWM_[A-Z_]+/g) ?? [];
}
