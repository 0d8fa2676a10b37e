// Quotes values, so that a printed command works when pasted into sh, bash, zsh, fish, PowerShell and, if possible, cmd.exe.

import type { World } from '#world/world.ts';

/** Quotes the text only if a character in it is special for the shell. */
export function quoteForShell(text: string, platform: NodeJS.Platform): string {
  return platform === 'win32' ? quoteForWindows(text) : quoteForPosix(text);
}

/** For a POSIX shell on any system, such as in a script or a curl command. */
export function quoteForPosix(text: string): string {
  // zsh expands =ls to a program's path, and fish expands %self to its process id.
  return /^(?![=%])[\w@%+=:,./-]+$/.test(text) ? text : alwaysQuoteForPosix(text);
}

export function alwaysQuoteForPosix(text: string): string {
  // In single quotes, fish reads a backslash before a backslash or a quote as an escape.
  return `'${text.replace(/['\\]/g, "'\\$&'")}'`;
}

function quoteForWindows(text: string): string {
  if (/^[\w+=:./\\-][\w+=:./\\@-]*$/.test(text)) return text;
  // PowerShell accepts typographic quotes as quotes. A final backslash would escape the closing quote.
  if (/^[^"$`%\u201c-\u201e\r\n]+(?<!\\)$/.test(text)) return `"${text}"`;
  return `'${text.replace(/['\u2018-\u201b]/g, '$&$&')}'`;
}

/** Adds a file as standard input. PowerShell has no `<`; both it and cmd.exe have `type`. */
export function withStandardInput(line: string, file: string, world: Pick<World, 'process'>): string {
  return world.process.platform === 'win32' ? `type ${file} | ${line}` : `${line} < ${file}`;
}

type Variables = Readonly<Record<string, string>>;

/** Sets variables for a command; in PowerShell they stay set. */
export function withVariables(set: Variables, line: string, world: Pick<World, 'process'>): string {
  if (world.process.platform === 'win32') return `${setVariables(set, world)}; ${line}`;
  return `${formatAssignments(set)} ${line}`;
}

export function setVariables(set: Variables, { process: { platform } }: Pick<World, 'process'>): string {
  if (platform !== 'win32') return `export ${formatAssignments(set)}`;
  const assignments = Object.entries(set).map(
    ([name, text]) => `$env:${name} = '${text.replaceAll("'", "''")}'`,
  );
  return assignments.join('; ');
}

function formatAssignments(set: Variables): string {
  return Object.entries(set)
    .map(([name, text]) => `${name}=${quoteForPosix(text)}`)
    .join(' ');
}
