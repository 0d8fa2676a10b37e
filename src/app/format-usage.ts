// How arguments and flags are written in usage lines: `wm task get ID... [flags]`, `-n, --dry-run`, `--title TEXT`. Help on
// the terminal and the reference read it here.

import type { Argument, Arguments } from '#cli/command.ts';
import { negativeFlagNames } from '#cli/flags/common-flags.ts';
import { type Flag, toKebabCase } from '#cli/flags/flag.ts';

/** `ID...` */
export function formatArgument(name: string, { many }: Argument): string {
  return `${toKebabCase(name).toUpperCase()}${many ? '...' : ''}`;
}

/** What follows the words of a command. */
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

/** Its names and its value, as help shows them: `--[no-]verify`. */
export function formatFlag(name: string, { short, placeholder, negatable }: Flag<unknown>): string {
  const long = `--${isNegative(name) ? 'no-' : placeholder === undefined && negatable ? '[no-]' : ''}${toKebabCase(name)}`;
  return `${short ? `-${short}, ` : ''}${long}${placeholder === undefined ? '' : ` ${placeholder}`}`;
}

/** As it is typed, where only the no is a form of its own: `--no-color`. */
export function longForm(name: string): string {
  return `--${isNegative(name) ? 'no-' : ''}${toKebabCase(name)}`;
}

function isNegative(name: string): boolean {
  return negativeFlagNames.includes(name);
}
