// Finds a command on Windows as its shell does, and runs batch files such as npx.cmd through cmd.exe, which parses its command line
// in its own way. docs/platforms.md says how this was tested.

import { existsSync } from 'node:fs';
import { win32 } from 'node:path';
import type { Environment } from './world.ts';

interface WindowsCommand {
  readonly file: string;
  readonly args: readonly string[];
  /** The arguments are quoted already. */
  readonly verbatim: boolean;
}

/** Throws for a line break in an argument of a batch file: cmd.exe would end the command there. */
export function resolveWindowsCommand(
  command: string,
  args: readonly string[],
  environment: Environment,
  exists: (path: string) => boolean = existsSync,
): WindowsCommand {
  const file = findFile(command, environment, exists);
  if (!file || !/\.(cmd|bat)$/i.test(file)) return { file: file ?? command, args, verbatim: false };
  const line = [file, ...args].map(quoteArgument).join(' ');
  const shell = findVariable(environment, 'ComSpec') ?? 'cmd.exe';
  // With extensions, without delayed expansion or AutoRun, whatever the registry says: `quoteArgument` relies on it.
  return { file: shell, args: ['/e:on', '/v:off', '/d', '/s', '/c', `"${line}"`], verbatim: true };
}

/** Passes a line to cmd.exe as the user typed it. With /s, cmd.exe removes only the quotes around the line. */
export function resolveWindowsLine(line: string, environment: Environment): WindowsCommand {
  const file = findVariable(environment, 'ComSpec') ?? 'cmd.exe';
  return { file, args: ['/d', '/s', '/c', `"${line}"`], verbatim: true };
}

function findFile(command: string, environment: Environment, exists: (path: string) => boolean) {
  const endings = (findVariable(environment, 'PATHEXT') ?? '.COM;.EXE;.BAT;.CMD').split(';').filter(Boolean);
  const isRunnable = endings.some((ending) => ending.toLowerCase() === win32.extname(command).toLowerCase());
  // The `.11` of `python3.11` is part of its name, not an extension.
  const names = [...(isRunnable ? [command] : []), ...endings.map((ending) => command + ending)];
  const folders = /[\\/:]/.test(command) ? [''] : splitPath(findVariable(environment, 'PATH') ?? '');
  return folders
    .flatMap((folder) => names.map((name) => (folder ? win32.join(folder, name) : name)))
    .find(exists);
}

/** A folder with a semicolon in its name is quoted. */
function splitPath(path: string): readonly string[] {
  const folders = path.match(/(?:"[^"]*"?|[^;"])+/g) ?? [];
  return folders.map((folder) => folder.replaceAll('"', '')).filter(Boolean);
}

/** Windows ignores case in the names of variables. A copy of process.env does not. */
function findVariable(environment: Environment, name: string): string | undefined {
  return Object.entries(environment).find(([key]) => key.toUpperCase() === name.toUpperCase())?.[1];
}

// Quotes for cmd.exe, however often it parses the text, and for the program's C runtime. In quotes only % is special, and has no
// escape: an empty substring of %cd% after it keeps the rest from being the name of a variable.
function quoteArgument(argument: string): string {
  if (/[\r\n]/.test(argument)) throw new Error('cmd.exe cannot take an argument with a line break');
  const inside = argument.replace(
    /(\\*)("|$)/g,
    (_, slashes: string, end: string) => slashes + slashes + end + end,
  );
  return `"${inside.replaceAll('%', '%%cd:~,%')}"`;
}
