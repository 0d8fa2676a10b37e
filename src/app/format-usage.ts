// Formats arguments and flags for help and the reference: `wm task get ID... [flags]`, `-n, --dry-run`, `--title TEXT`.

import { type Arguments, needsDoubleDash } from '#cli/command.ts';
import { type Flag, toKebabCase } from '#cli/flags/flag.ts';
import { formsOf } from '#cli/flags/flag-forms.ts';

/** The arguments after the words of a command: `ID...` */
export function formatUsage(rows: Arguments): string {
  const labels = Object.entries(rows).map(([name, row]) => labelOf(name, row));
  return (needsDoubleDash(rows) ? ['[flags]', '--', ...labels] : [...labels, '[flags]']).join(' ');
}

/** `ID...`, or `[ID...]` */
export function labelOf(
  name: string,
  { many, optional }: Pick<Arguments[string], 'many' | 'optional'> = {},
): string {
  const label = `${toKebabCase(name).toUpperCase()}${many ? '...' : ''}`;
  return optional ? `[${label}]` : label;
}

/** A flag's names and value, as in help: `--[no-]verify`. */
export function formatFlag(name: string, flag: Flag<unknown>): string {
  const { long, opposite, short } = formsOf(name, flag);
  const shownLong = opposite !== undefined && flag.negatable ? long.replace('--', '--[no-]') : long;
  return `${short ? `${short}, ` : ''}${shownLong}${flag.placeholder === undefined ? '' : ` ${flag.placeholder}`}`;
}
