// Quotes a value for a command line, so that a printed command works when pasted into sh, bash, zsh or fish, and on
// Windows into PowerShell. Where the syntax of cmd.exe allows it, it works there too.

import type { World } from '#world/world.ts';

/** As it stands where no character of it means anything to the shell, and quoted otherwise. */
export function quoteForShell(text: string, platform: NodeJS.Platform): string {
  return platform === 'win32' ? quoteForWindows(text) : quoteForPosix(text);
}

/** For a POSIX shell on any system: a script, a line for curl. */
export function quoteForPosix(text: string): string {
  // zsh takes =ls for the path of a program, fish %self for its own number.
  return /^(?![=%])[\w@%+=:,./-]+$/.test(text) ? text : alwaysQuoteForPosix(text);
}

/** The same in quotes, whatever it is. */
export function alwaysQuoteForPosix(text: string): string {
  // fish takes a backslash within the quotes for an escape before another one, or before a quote.
  return `'${text.replace(/['\\]/g, "'\\$&'")}'`;
}

function quoteForWindows(text: string): string {
  if (/^[\w+=:./\\-][\w+=:./\\@-]*$/.test(text)) return text;
  // PowerShell takes typographic quotes for quotes. A backslash at the end would escape the quote behind it.
  if (/^[^"$`%\u201c-\u201e\r\n]+(?<!\\)$/.test(text)) return `"${text}"`;
  return `'${text.replace(/['\u2018-\u201b]/g, '$&$&')}'`;
}

/** A command that reads standard input, with a file as that. PowerShell has no `<`; cmd.exe knows `type`, too. */
export function withStandardInput(
  line: string,
  file: string,
  { process: { platform } }: Pick<World, 'process'>,
): string {
  return platform === 'win32' ? `type ${file} | ${line}` : `${line} < ${file}`;
}

type Variables = Readonly<Record<string, string>>;

/** A command with variables of its own; in PowerShell they stay set. */
export function withVariables(set: Variables, line: string, world: Pick<World, 'process'>): string {
  if (world.process.platform === 'win32') return `${setVariables(set, world)}; ${line}`;
  return `${formatAssignments(set)} ${line}`;
}

export function setVariables(set: Variables, { process: { platform } }: Pick<World, 'process'>): string {
  if (platform !== 'win32') return `export ${formatAssignments(set)}`;
  const each = Object.entries(set).map(([name, text]) => `$env:${name} = '${text.replaceAll("'", "''")}'`);
  return each.join('; ');
}

function formatAssignments(set: Variables): string {
  return Object.entries(set)
    .map(([name, text]) => `${name}=${quoteForPosix(text)}`)
    .join(' ');
}
