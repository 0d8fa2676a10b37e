// Runs other programs, and this one again, and reports Ctrl-C. Never forwards a signal by itself: the caller decides which process
// gets it. windows-command.ts finds commands on Windows.

import type { ChildProcess, SpawnOptions } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { constants, hostname } from 'node:os';
import { hasCode } from './file-error.ts';
import type { Child, Interruption, Processes, StartOptions } from './world.ts';

type Signal = Parameters<Child['kill']>[0];

export function createProcesses(platform: NodeJS.Platform = process.platform): Processes {
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
      ...process.argv.slice(1, 2).filter((script) => script !== process.execPath),
    ],
    start(command, options) {
      const pendingSignals: Signal[] = [];
      const send = (child: ChildProcess, signal: Signal) =>
        options.ownGroup ? killGroup(child, signal, platform) : child.kill(signal);
      let running: ChildProcess | undefined;
      let isDetached = false;
      let onStarted = () => {};
      const started = new Promise<void>((resolve) => {
        onStarted = resolve;
      });
      let onExited = (_status: number) => {};
      const exited = new Promise<number>((resolve) => {
        onExited = resolve;
      });
      const ended = runChild(command, options, platform, (child) => {
        running = child;
        child.once('exit', (code, signal) => afterNextPoll(() => onExited(statusOf(code, signal))));
        for (const signal of pendingSignals) send(child, signal);
        if (isDetached) detachChild(child);
        onStarted();
      }).finally(onStarted);
      void ended.then(onExited);
      return {
        started,
        ended,
        exited,
        release() {
          if (running) releaseChild(running);
        },
        pid: () => running?.pid,
        detach() {
          isDetached = true;
          if (running) detachChild(running);
        },
        kill(signal) {
          if (running) send(running, signal);
          else pendingSignals.push(signal);
        },
      };
    },
    isInForeground: () => isInForeground(platform),
    async preferSmallHeap() {
      const { setFlagsFromString } = await import('node:v8');
      // V8 consults this flag before each collection, so it can change at any time.
      setFlagsFromString('--optimize-for-size');
    },
    onInterrupt(listener) {
      const names: readonly (readonly [NodeJS.Signals, Interruption])[] = [
        ['SIGINT', 'SIGINT'],
        ['SIGTERM', 'SIGTERM'],
        ['SIGHUP', 'SIGHUP'],
        // Ctrl-Break on Windows.
        ...(platform === 'win32' ? [['SIGBREAK', 'SIGINT'] as const] : []),
      ];
      const stops = names.map(([signal, name]) => {
        const onSignal = () => listener(name);
        process.on(signal, onSignal);
        return () => process.off(signal, onSignal);
      });
      return () => {
        for (const stop of stops) stop();
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

/** The signals behind the exit statuses, as in a shell. */
const signalOfStatus: ReadonlyMap<number, NodeJS.Signals> = new Map([
  [129, 'SIGHUP'],
  [130, 'SIGINT'],
  [143, 'SIGTERM'],
]);

/** The group outlives its first process: other processes in it may continue. */
function killGroup({ pid }: ChildProcess, signal: Signal, platform: NodeJS.Platform): void {
  if (pid === undefined) return;
  if (platform === 'win32') {
    void import('node:child_process').then(({ spawn }) =>
      spawn('taskkill', ['/pid', String(pid), '/t', '/f'], { stdio: 'ignore', windowsHide: true }).on(
        'error',
        () => {},
      ),
    );
    return;
  }
  try {
    process.kill(-pid, signal);
  } catch {
    // The whole group has ended.
  }
}

/** An open pipe to the child would keep this process alive. */
function detachChild(child: ChildProcess): void {
  child.unref();
  for (const stream of [child.stdin, child.stdout, child.stderr]) stream?.destroy();
}

/** Still reads the child's output while this process runs, but no longer keeps it alive for that. */
function releaseChild({ stdin, stdout, stderr }: ChildProcess): void {
  stdin?.destroy();
  for (const stream of [stdout, stderr])
    if (stream && 'unref' in stream && typeof stream.unref === 'function') stream.unref();
}

/** Runs after each pipe with data has been read. Waits for two turns: this one may already be past reading. */
function afterNextPoll(run: () => void): void {
  setImmediate(() => setImmediate(run));
}

const statusOf = (code: number | null, signal: NodeJS.Signals | null): number =>
  code ?? 128 + (signal ? constants.signals[signal] : 0);

const inheritedStreams = ['inherit', 'inherit', 'inherit'] as const;

function pipes({ input }: StartOptions) {
  return [input === undefined ? 'ignore' : 'pipe', 'pipe', 'pipe'] as const;
}

async function runChild(
  command: readonly [string, ...string[]],
  options: StartOptions,
  platform: NodeJS.Platform,
  onStart: (child: ChildProcess) => void,
): Promise<number> {
  const { spawn } = await import('node:child_process');
  const [file, ...args] = command;
  const isPiped = options.streams === 'pipe';
  const spawning: SpawnOptions = {
    env: options.environment,
    stdio: [...(isPiped ? pipes(options) : inheritedStreams), ...(options.inherits ?? [])],
    windowsHide: isPiped,
    // On Windows this would open a window. There, `killGroup` ends the tree of processes instead.
    detached: options.detached === true || (options.ownGroup === true && platform !== 'win32'),
  };
  const windows = platform === 'win32' ? await import('./windows-command.ts') : undefined;
  return new Promise((resolve) => {
    try {
      const resolved = options.shell
        ? (windows?.resolveWindowsLine(file, options.environment) ?? direct('/bin/sh', ['-c', file]))
        : (windows?.resolveWindowsCommand(file, args, options.environment) ?? direct(file, args));
      const child = spawn(resolved.file, resolved.args, {
        ...spawning,
        windowsVerbatimArguments: resolved.verbatim,
      });
      onStart(child);
      // A child that ends without reading reports its problem by its status.
      child.stdin?.on('error', () => {}).end(options.input);
      // setEncoding decodes only whole characters, wherever the chunks of the pipe end.
      child.stdout?.setEncoding('utf8').on('data', (text: string) => options.onOutput?.(text));
      child.stderr?.setEncoding('utf8').on('data', (text: string) => options.onErrors?.(text));
      child.on('error', (error) => resolve(spawnErrorStatus(error)));
      child.on('close', (code, signal) => resolve(statusOf(code, signal)));
    } catch (error) {
      // This command can never start: a zero byte in an argument, too many arguments, a line break for a batch file.
      resolve(spawnErrorStatus(error));
    }
  });
}

const direct = (file: string, args: readonly string[]) => ({ file, args, verbatim: false });

function spawnErrorStatus(error: unknown): number {
  return hasCode(error, 'ENOENT') ? 127 : 126;
}

/** Returns true if the system cannot tell. */
function isInForeground(platform: NodeJS.Platform): boolean {
  if (platform === 'win32') return true;
  if (platform === 'linux') return hasTerminal(readOwnStatus());
  const { spawnSync } = process.getBuiltinModule('node:child_process');
  const state = spawnSync('ps', ['-o', 'stat=', '-p', String(process.pid)], { encoding: 'utf8' });
  return state.status !== 0 || state.stdout.includes('+');
}

/** `status`: Linux's status line of the process. Its second field, a name in brackets, may contain anything. */
function hasTerminal(status: string): boolean {
  const [, , group, , , foreground = '-1'] = status.slice(status.lastIndexOf(')') + 2).split(' ');
  // Without a terminal, the system never stops the process.
  return foreground === group || Number(foreground) < 0;
}

function readOwnStatus(): string {
  try {
    return readFileSync('/proc/self/stat', 'utf8');
  } catch {
    return '';
  }
}
