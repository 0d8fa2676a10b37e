// Runs other programs, and this one again, and reports Ctrl-C. Never forwards a signal by itself: the caller decides which process
// gets it. windows-command.ts finds commands on Windows.

import type { ChildProcess } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { constants, hostname } from 'node:os';
import { hasCode } from './file-error.ts';
import { resolveWindowsCommand, resolveWindowsLine } from './windows-command.ts';
import type { Child, Interruption, Processes, StartOptions } from './world.ts';

export function createProcesses(platform: NodeJS.Platform = process.platform): Processes {
  let ignoresHangup = false;
  return {
    platform,
    nodeVersion: process.version,
    pid: process.pid,
    host: hostname(),
    self: [
      process.execPath,
      // Only one process can use the debugger's port.
      ...process.execArgv.filter((option) => !option.startsWith('--inspect')),
      // A single executable is its own script.
      ...(process.argv[1] === process.execPath ? [] : process.argv.slice(1, 2)),
    ],
    start: (command, options) => startChild(command, options, platform),
    holdsArgument(text, index) {
      // A zero byte ends each argument, also the last.
      const bytes = readOwn('cmdline')
        .split('\0')
        .at(index - 1);
      return bytes ? bytes === Buffer.from(text).toString('latin1') : undefined;
    },
    isInForeground: () => isInForeground(platform),
    async preferSmallHeap() {
      const { setFlagsFromString } = await import('node:v8');
      // V8 consults this flag before each collection, so it can change at any time.
      setFlagsFromString('--optimize-for-size');
    },
    onInterrupt(listener) {
      const signals = ['SIGINT', 'SIGTERM', 'SIGHUP', ...(platform === 'win32' ? ['SIGBREAK'] : [])];
      // SIGBREAK is Ctrl-Break.
      const onSignal = (signal: Interruption | 'SIGBREAK') => {
        if (signal !== 'SIGHUP' || !ignoresHangup) listener(signal === 'SIGBREAK' ? 'SIGINT' : signal);
      };
      for (const signal of signals) process.on(signal, onSignal);
      return () => {
        for (const signal of signals) process.off(signal, onSignal);
      };
    },
    ignoreHangup(listener) {
      ignoresHangup = true;
      process.on('SIGHUP', listener);
      return () => {
        ignoresHangup = false;
        process.off('SIGHUP', listener);
      };
    },
    onResume(listener) {
      process.on('SIGCONT', listener);
      return () => void process.off('SIGCONT', listener);
    },
    suspend() {
      // Stop the whole job, as the terminal does: a shell waits for each process in it.
      if (platform !== 'win32') process.kill(0, 'SIGTSTP');
    },
    giveUpDisk() {
      // Runs after all other exit listeners: by then the output is written and the terminal restored.
      process.once('exit', (status) => {
        const signal = signalOfStatus.get(status) ?? 'SIGKILL';
        process.removeAllListeners(signal);
        process.kill(process.pid, signal);
      });
    },
  };
}

const signalOfStatus: ReadonlyMap<number, NodeJS.Signals> = new Map([
  [129, 'SIGHUP'],
  [130, 'SIGINT'],
  [143, 'SIGTERM'],
]);

/** The group outlives its first process: other processes in it may continue. */
function killGroup({ pid }: ChildProcess, signal: NodeJS.Signals, platform: NodeJS.Platform): void {
  if (pid === undefined) return;
  if (platform === 'win32') {
    const kill = ['/pid', String(pid), '/t', '/f'];
    childProcess()
      .spawn('taskkill', kill, { stdio: 'ignore', windowsHide: true })
      .on('error', () => {});
    return;
  }
  try {
    process.kill(-pid, signal);
  } catch {
    // The whole group has ended.
  }
}

const statusOf = (code: number | null, signal: NodeJS.Signals | null): number =>
  code ?? 128 + (signal ? constants.signals[signal] : 0);

function startChild(
  command: readonly [string, ...string[]],
  options: StartOptions,
  platform: NodeJS.Platform,
): Child {
  let child: ChildProcess;
  try {
    child = spawnChild(command, options, platform);
  } catch (error) {
    // This command can never start: a zero byte in an argument, too many arguments, a line break for a batch file.
    const ended = Promise.resolve(spawnErrorStatus(error));
    return { ended, exited: ended, release() {}, pid: () => undefined, detach() {}, kill() {} };
  }
  const { stdin, stdout, stderr } = child;
  const isFed = options.streams === 'feed';
  // A child that ends without reading reports its problem by its status.
  stdin?.on('error', () => {});
  if (!isFed) stdin?.end(options.input);
  // setEncoding decodes only whole characters, wherever the chunks of the pipe end.
  stdout?.setEncoding('utf8').on('data', (text: string) => options.onOutput?.(text));
  stderr?.setEncoding('utf8').on('data', (text: string) => options.onErrors?.(text));
  const ended = new Promise<number>((resolve) => {
    child.on('error', (error) => resolve(spawnErrorStatus(error)));
    child.on('close', (code, signal) => resolve(statusOf(code, signal)));
  });
  const exited = new Promise<number>((resolve) => {
    child.once('exit', (code, signal) => {
      // By then each pipe with data has been read. Two turns: this one may already be past reading.
      setImmediate(() => setImmediate(() => resolve(statusOf(code, signal))));
    });
    void ended.then(resolve);
  });
  return {
    ...(isFed && stdin && child.pid !== undefined ? { input: stdin } : {}),
    ended,
    exited,
    release() {
      // Still reads its output while this process runs, but no longer keeps it alive for that.
      stdin?.destroy();
      for (const stream of [stdout, stderr])
        if (stream && 'unref' in stream && typeof stream.unref === 'function') stream.unref();
    },
    pid: () => child.pid,
    detach() {
      child.unref();
      // An open pipe to the child would keep this process alive.
      for (const stream of [stdin, stdout, stderr]) stream?.destroy();
    },
    kill: (signal) => void (options.ownGroup ? killGroup(child, signal, platform) : child.kill(signal)),
  };
}

function spawnChild(
  [file, ...args]: readonly [string, ...string[]],
  { environment, streams, input, shell, detached, ownGroup, inherits = [] }: StartOptions,
  platform: NodeJS.Platform,
): ChildProcess {
  const isWindows = platform === 'win32';
  const isPiped = streams === 'pipe';
  const stdin = streams === 'feed' || input !== undefined ? 'pipe' : isPiped ? 'ignore' : 'inherit';
  const command = isWindows
    ? shell
      ? resolveWindowsLine(file, environment)
      : resolveWindowsCommand(file, args, environment)
    : { ...(shell ? { file: '/bin/sh', args: ['-c', file] } : { file, args }), verbatim: false };
  return childProcess().spawn(command.file, command.args, {
    env: environment,
    stdio: [stdin, isPiped ? 'pipe' : 'inherit', isPiped ? 'pipe' : 'inherit', ...inherits],
    windowsHide: isPiped,
    // On Windows this would open a window. There, `killGroup` ends the tree of processes instead.
    detached: detached === true || (ownGroup === true && !isWindows),
    windowsVerbatimArguments: command.verbatim,
  });
}

/** Loaded on first use. */
const childProcess = () => process.getBuiltinModule('node:child_process');

function spawnErrorStatus(error: unknown): number {
  return hasCode(error, 'ENOENT') ? 127 : 126;
}

/** Returns true if the system cannot tell. */
function isInForeground(platform: NodeJS.Platform): boolean {
  if (platform === 'win32') return true;
  if (platform === 'linux') return hasTerminal(readOwn('stat'));
  const state = childProcess().spawnSync('ps', ['-o', 'stat=', '-p', String(process.pid)], {
    encoding: 'utf8',
  });
  return state.status !== 0 || state.stdout.includes('+');
}

/** `status`: Linux's status line of the process. Its second field, a name in brackets, may contain anything. */
function hasTerminal(status: string): boolean {
  const [, , group, , , foreground = '-1'] = status.slice(status.lastIndexOf(')') + 2).split(' ');
  // Without a terminal, the system never stops the process.
  return foreground === group || Number(foreground) < 0;
}

/** One character for each byte; empty where the system has no such file. */
function readOwn(file: 'stat' | 'cmdline'): string {
  try {
    return readFileSync(`/proc/self/${file}`, 'latin1');
  } catch {
    return '';
  }
}
