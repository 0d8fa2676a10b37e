// Finds a command on Windows as its shell would, and makes a batch file (npx.cmd, say) runnable: Windows starts those
// only through cmd.exe, which reads its command line by rules of its own.

import { existsSync } from 'node:fs';
import { win32 } from 'node:path';
import type { Environment } from './world.ts';

export interface WindowsCommand {
  readonly file: string;
  readonly rest: readonly string[];
  /** The arguments are quoted already. */
  readonly verbatim: boolean;
}

export function windowsCommand(
  command: string,
  rest: readonly string[],
  environment: Environment,
  exists: (path: string) => boolean = existsSync,
): WindowsCommand {
  const found = find(command, environment, exists);
  if (!found || !/\.(cmd|bat)$/i.test(found)) return { file: found ?? command, rest, verbatim: false };
  // The script's own name has no argument's quoting; its arguments are read twice, by cmd.exe and by the script.
  const line = [
    escapeForShell(found),
    ...rest.map((argument) => escapeForShell(escapeForShell(quote(argument)))),
  ];
  const shell = variable(environment, 'ComSpec') ?? 'cmd.exe';
  return { file: shell, rest: ['/d', '/s', '/c', `"${line.join(' ')}"`], verbatim: true };
}

function find(
  command: string,
  environment: Environment,
  exists: (path: string) => boolean,
): string | undefined {
  const endings = (variable(environment, 'PATHEXT') ?? '.COM;.EXE;.BAT;.CMD').split(';').filter(Boolean);
  const named = win32.extname(command) === '' ? endings.map((ending) => command + ending) : [command];
  const folders = /[\\/:]/.test(command)
    ? ['']
    : (variable(environment, 'PATH') ?? '').split(';').filter(Boolean);
  return folders
    .flatMap((folder) => named.map((name) => (folder ? win32.join(folder, name) : name)))
    .find(exists);
}

/** Windows's names of variables know no case; a copy of process.env does. */
function variable(environment: Environment, name: string): string | undefined {
  return Object.entries(environment).find(([key]) => key.toUpperCase() === name.toUpperCase())?.[1];
}

/** As programs written in C take their command line apart. */
function quote(argument: string): string {
  return `"${argument.replace(/(\\*)"/g, '$1$1\\"').replace(/(\\*)$/, '$1$1')}"`;
}

function escapeForShell(text: string): string {
  return text.replace(/[()\][%!^"`<>&|;, *?]/g, '^$&');
}
