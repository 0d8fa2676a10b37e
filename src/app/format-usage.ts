// Formats arguments and flags for help and the reference: `wm task get ID... [flags]`, `-n, --dry-run`, `--title TEXT`.

import { type Argument, type Arguments, needsDoubleDash } from '#cli/command.ts';
import { type Flag, toKebabCase } from '#cli/flags/flag.ts';
import { formsOf } from '#cli/flags/flag-forms.ts';

/** `ID...` */
export function formatArgument(name: string, { many }: Argument): string {
  return `${toKebabCase(name).toUpperCase()}${many ? '...' : ''}`;
}

/** The arguments after the words of a command. */
export function formatUsage(rows: Arguments): string {
  const labels = Object.entries(rows).map(([name, row]) => {
    const label = formatArgument(name, row);
    return row.optional ? `[${label}]` : label;
  });
  return (needsDoubleDash(rows) ? ['[flags]', '--', ...labels] : [...labels, '[flags]']).join(' ');
}

/** A flag's names and value, as in help: `--[no-]verify`. */
export function formatFlag(name: string, flag: Flag<unknown>): string {
  const { long, opposite, short } = formsOf(name, flag);
  const shownLong = opposite !== undefined && flag.negatable ? long.replace('--', '--[no-]') : long;
  return `${short ? `${short}, ` : ''}${shownLong}${flag.placeholder === undefined ? '' : ` ${flag.placeholder}`}`;
}
