// Runs the built `wm` as a process of its own: a command to its end, or a receiver or forwarder until it is killed.

import { type ChildProcessByStdio, spawn } from 'node:child_process';
import { once } from 'node:events';
import { resolve } from 'node:path';
import type { Readable, Writable } from 'node:stream';
import { createChanges, within } from './bounded.ts';

export const secret = 'a secret for the trials';

interface Place {
  /** The home folder. */
  readonly home: string;
  readonly environment?: Readonly<Record<string, string | undefined>>;
}

export type RunningWm = ReturnType<typeof start>;

/** Nothing waits for it. */
export function start(words: readonly string[], place: Place) {
  return startProgram(`wm ${words.join(' ')}`, process.execPath, [resolve('bin/wm.js'), ...words], place);
}

function startProgram(call: string, program: string, words: readonly string[], { home, environment }: Place) {
  const own = { PATH: process.env['PATH'], HOME: home, WM_WEBHOOK_SECRET: secret, WM_TOKEN_STORE: 'file' };
  const env = { ...own, ...environment };
  return follow(call, spawn(program, words, { env, stdio: ['ignore', 'pipe', 'pipe'] }));
}

/** `call`: its name in errors. */
export function follow(call: string, child: ChildProcessByStdio<Writable | null, Readable, Readable>) {
  const exited = once(child, 'exit');
  const closed = once(child, 'close');
  const printed = { output: '', errors: '' };
  const { changed, until } = createChanges();
  for (const [name, stream] of [
    ['output', child.stdout],
    ['errors', child.stderr],
  ] as const)
    stream.setEncoding('utf8').on('data', (piece) => {
      printed[name] += piece;
      changed();
    });
  const untilOver = <T>(what: string, waited: Promise<T>) =>
    within(`${call} ${what}`, waited, () => `${printed.output}${printed.errors}`);
  const untilEnd = async () => {
    await untilOver('ends', closed);
    return child.exitCode;
  };
  return {
    pid: child.pid ?? 0,
    /** Standard output and standard error so far. */
    output: () => printed.output,
    errors: () => printed.errors,
    /** Resolves with the match once standard error has this, or what was last printed on standard output, or is from there on. */
    async says(pattern: RegExp, from = -100_000) {
      const find = () => pattern.exec(printed.errors) ?? pattern.exec(printed.output.slice(from));
      await untilOver(
        `says ${pattern}`,
        until(() => find() !== null),
      );
      return find() ?? [];
    },
    /** Resolves once it has ended, and all that it printed has come. */
    closed,
    /** The same, in time; resolves with the exit status. */
    untilEnd,
    async kill() {
      child.kill('SIGKILL');
      await exited;
    },
    /** As Ctrl-C does. */
    interrupt: () => void child.kill('SIGINT'),
    /** The same; resolves with the exit status. */
    end() {
      child.kill('SIGINT');
      return untilEnd();
    },
  };
}

export interface Ended {
  readonly status: number | null;
  readonly output: string;
  readonly errors: string;
}

export const wm = (words: readonly string[], place: Place): Promise<Ended> => toEnd(start(words, place));

/** A command line that wm has printed, as a user pastes it. */
export function paste(line: string, place: Place): Promise<Ended> {
  const script = 'node=$0 program=$1; wm() { "$node" "$program" "$@"; }; eval "$2"';
  const words = ['-c', script, process.execPath, resolve('bin/wm.js'), line];
  return toEnd(startProgram(line, 'sh', words, place));
}

async function toEnd(started: RunningWm): Promise<Ended> {
  try {
    const status = await started.untilEnd();
    return { status, output: started.output(), errors: started.errors() };
  } finally {
    await started.kill();
  }
}

/** How long a supervisor would try: the servers may be gone, or choose a leader. */
const startMs = 60_000;

/** Resolves once it says that it is ready; tries again if it ends before, as a supervisor does. */
export async function run(words: readonly string[], ready: RegExp, place: Place): Promise<RunningWm> {
  const end = performance.now() + startMs;
  for (;;) {
    const started = await runOnce(words, ready, place);
    if (!('failed' in started)) return started;
    if (performance.now() > end)
      throw new Error(
        `wm ${words.join(' ')} never ran, at last with status ${started.status}: ${started.failed}`,
      );
  }
}

export async function runOnce(
  words: readonly string[],
  pattern: RegExp,
  place: Place,
): Promise<RunningWm | { readonly failed: string; readonly status: number | null }> {
  const started = start(words, place);
  try {
    const ready = started.says(pattern).then(() => true);
    const isReady = await Promise.race([ready, started.closed.then(() => false)]);
    return isReady ? started : { failed: started.errors(), status: await started.untilEnd() };
  } catch (error) {
    await started.kill();
    throw error;
  }
}
