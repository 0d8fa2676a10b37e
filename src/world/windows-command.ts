// Finds a command on Windows as its shell would, and makes a batch file (npx.cmd, say) runnable: Windows starts those
// only through cmd.exe, which reads its command line by rules of its own. docs/platforms.md says how this was tested.

import { existsSync } from 'node:fs';
import { win32 } from 'node:path';
import type { Environment } from './world.ts';

export interface WindowsCommand {
  readonly file: string;
  readonly rest: readonly string[];
  /** The arguments are quoted already. */
  readonly verbatim: boolean;
}

/** Throws for an argument with a line break that would have to pass through cmd.exe: it ends a command there. */
export function resolveWindowsCommand(
  command: string,
  rest: readonly string[],
  environment: Environment,
  exists: (path: string) => boolean = existsSync,
): WindowsCommand {
  const found = findFile(command, environment, exists);
  if (!found || !/\.(cmd|bat)$/i.test(found)) return { file: found ?? command, rest, verbatim: false };
  const line = [found, ...rest].map(quoteArgument).join(' ');
  const shell = findVariable(environment, 'ComSpec') ?? 'cmd.exe';
  // With extensions, without delayed expansion and without AutoRun, whatever the registry says: `quote` relies on it.
  return { file: shell, rest: ['/e:on', '/v:off', '/d', '/s', '/c', `"${line}"`], verbatim: true };
}

function findFile(
  command: string,
  environment: Environment,
  exists: (path: string) => boolean,
): string | undefined {
  const endings = (findVariable(environment, 'PATHEXT') ?? '.COM;.EXE;.BAT;.CMD').split(';').filter(Boolean);
  const isRunnable = endings.some((ending) => ending.toLowerCase() === win32.extname(command).toLowerCase());
  // The end of `python3.11` is a part of its name.
  const named = [...(isRunnable ? [command] : []), ...endings.map((ending) => command + ending)];
  const folders = /[\\/:]/.test(command) ? [''] : splitPath(findVariable(environment, 'PATH') ?? '');
  return folders
    .flatMap((folder) => named.map((name) => (folder ? win32.join(folder, name) : name)))
    .find(exists);
}

/** A folder with a semicolon in its name stands in quotes. */
function splitPath(path: string): readonly string[] {
  const folders = path.match(/(?:"[^"]*"?|[^;"])+/g) ?? [];
  return folders.map((folder) => folder.replaceAll('"', '')).filter(Boolean);
}

/** Windows's names of variables know no case; a copy of process.env does. */
function findVariable(environment: Environment, name: string): string | undefined {
  return Object.entries(environment).find(([key]) => key.toUpperCase() === name.toUpperCase())?.[1];
}

/**
 * For cmd.exe, however often it reads it, and for a program written in C behind it. In quotes nothing means anything to
 * cmd.exe but a percent sign, and that cannot be escaped: a part of the current folder of no length is put behind it, so
 * that what follows is never the name of a variable.
 */
function quoteArgument(argument: string): string {
  if (/[\r\n]/.test(argument)) throw new Error('cmd.exe takes no argument with a line break');
  const inside = argument.replace(
    /(\\*)("|$)/g,
    (_, slashes: string, end: string) => slashes + slashes + end + end,
  );
  return `"${inside.replaceAll('%', '%%cd:~,%')}"`;
}
