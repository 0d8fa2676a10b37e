// Formats arguments and flags for help and the reference: `wm task get ID... [flags]`, `-n, --dry-run`, `--title TEXT`.

import type { Argument, Arguments } from '#cli/command.ts';
import { negativeFlagNames } from '#cli/flags/common-flags.ts';
import { type Flag, toKebabCase } from '#cli/flags/flag.ts';

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

export function needsDoubleDash(rows: Arguments): boolean {
  return Object.values(rows).some(({ afterDoubleDash }) => afterDoubleDash);
}

/** A flag's names and value, as in help: `--[no-]verify`. */
export function formatFlag(name: string, { short, placeholder, negatable }: Flag<unknown>): string {
  const long = `--${isNegative(name) ? 'no-' : placeholder === undefined && negatable ? '[no-]' : ''}${toKebabCase(name)}`;
  return `${short ? `-${short}, ` : ''}${long}${placeholder === undefined ? '' : ` ${placeholder}`}`;
}

/** The typed form; `--no-color` for a flag with only this form. */
export function longForm(name: string): string {
  return `--${isNegative(name) ? 'no-' : ''}${toKebabCase(name)}`;
}

function isNegative(name: string): boolean {
  return negativeFlagNames.includes(name);
}
