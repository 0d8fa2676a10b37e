// Starts the program that shows long output page by page (PAGER). It shares our terminal, gets Ctrl-C as we do, and reads our
// output from a pipe.

import { constants } from 'node:os';
import type { Environment, RunningPager } from './world.ts';

/** Like git, starts a single word directly. For anything else, the shell splits, quotes and expands. */
const oneWord = /^[\w@+:,./-]+$/;
const oneWindowsWord = /^[\w@+:,./\\-]+$/;

export async function startPager(
  platform: NodeJS.Platform,
  command: string,
  environment: Environment,
): Promise<RunningPager | undefined> {
  const isWindows = platform === 'win32';
  const { spawn } = await import('node:child_process');
  const isWord = (isWindows ? oneWindowsWord : oneWord).test(command);
  const direct = { file: command, args: [], verbatim: false };
  const { file, args, verbatim } =
    isWord && isWindows
      ? (await import('./windows-command.ts')).resolveWindowsCommand(command, [], environment)
      : direct;
  const child = spawn(file, args, {
    env: environment,
    stdio: ['pipe', 'inherit', 'inherit'],
    shell: !isWord,
    windowsVerbatimArguments: verbatim,
  });
  let isGone = false;
  let hasEnded = false;
  // The pager reads no more: the user has quit it, or it closed its input.
  child.stdin.on('error', () => {
    isGone = true;
  });
  const ended = new Promise<number>((resolve) => {
    child.once('exit', (code, signal) => {
      isGone = true;
      hasEnded = true;
      resolve(code ?? 128 + (signal ? constants.signals[signal] : 0));
    });
  });
  const hasStarted = await new Promise<boolean>((resolve) => {
    child.once('spawn', () => resolve(true));
    child.once('error', () => resolve(false));
  });
  if (!hasStarted) return undefined;
  return {
    async write(text) {
      if (isGone) return;
      const written = new Promise<void>((resolve) => child.stdin.write(text, () => resolve()));
      // Do not wait for the pipe alone: a program that the pager started may hold it open without reading.
      await Promise.race([written, ended]);
    },
    get isGone() {
      return isGone;
    },
    get hasEnded() {
      return hasEnded;
    },
    async end() {
      child.stdin.end();
      const status = await ended;
      child.stdin.destroy();
      return status;
    },
    kill: (signal) => void child.kill(signal),
  };
}
