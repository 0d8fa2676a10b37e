// Runs the built `wm` as a process of its own: a command to its end, or a receiver or forwarder until it is killed.

import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { resolve } from 'node:path';
import { within } from './bounded.ts';

export const secret = 'a secret for the trials';

interface Place {
  /** The home folder. */
  readonly home: string;
  readonly environment?: Readonly<Record<string, string | undefined>>;
}

/** Nothing waits for it. */
export function start(words: readonly string[], place: Place): ChildProcess {
  return startProgram(process.execPath, [resolve('bin/wm.js'), ...words], place);
}

function startProgram(program: string, words: readonly string[], { home, environment }: Place): ChildProcess {
  return spawn(program, words, {
    env: {
      PATH: process.env['PATH'],
      HOME: home,
      WM_WEBHOOK_SECRET: secret,
      WM_TOKEN_STORE: 'file',
      ...environment,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
}

export interface Ended {
  readonly status: number | null;
  readonly output: string;
  readonly errors: string;
}

export function wm(words: readonly string[], place: Place): Promise<Ended> {
  return toEnd(start(words, place), `wm ${words.join(' ')}`);
}

/** A command line that wm has printed, as a user pastes it. */
export function paste(line: string, place: Place): Promise<Ended> {
  const script = 'node=$0 program=$1; wm() { "$node" "$program" "$@"; }; eval "$2"';
  return toEnd(startProgram('sh', ['-c', script, process.execPath, resolve('bin/wm.js'), line], place), line);
}

async function toEnd(child: ChildProcess, call: string): Promise<Ended> {
  let output = '';
  let errors = '';
  child.stdout?.setEncoding('utf8').on('data', (piece) => {
    output += piece;
  });
  child.stderr?.setEncoding('utf8').on('data', (piece) => {
    errors += piece;
  });
  const said = () => `${output}${errors}`;
  try {
    const [status] = await within(`${call} ends`, once(child, 'close'), said);
    return { status, output, errors };
  } finally {
    child.kill('SIGKILL');
  }
}

export interface RunningWm {
  readonly pid: number;
  /** Standard error so far. */
  errors(): string;
  output(): string;
  /** Resolves once standard error has this, or what was last printed on standard output. */
  says(pattern: RegExp): Promise<void>;
  kill(): Promise<void>;
  /** As Ctrl-C does; resolves with the exit status. */
  end(): Promise<number | null>;
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
  ready: RegExp,
  place: Place,
): Promise<RunningWm | { readonly failed: string; readonly status: number | null }> {
  const child = start(words, place);
  let errors = '';
  let output = '';
  const waiting = new Set<() => void>();
  child.stdout?.setEncoding('utf8').on('data', (piece) => {
    output = (output + piece).slice(-100_000);
    for (const check of waiting) check();
  });
  child.stderr?.setEncoding('utf8').on('data', (piece) => {
    errors += piece;
    for (const check of waiting) check();
  });
  const call = `wm ${words.join(' ')}`;
  const said = () => `${output}${errors}`;
  const says = async (pattern: RegExp) => {
    let check = () => {};
    const printed = new Promise<void>((done) => {
      check = () => {
        if (pattern.test(errors) || pattern.test(output)) done();
      };
      waiting.add(check);
      check();
    });
    await within(`${call} says ${pattern}`, printed, said).finally(() => waiting.delete(check));
  };
  const exited = once(child, 'exit');
  try {
    // Not at `exit`: what it printed last may still be on its way then.
    const closed = once(child, 'close');
    const first = await Promise.race([says(ready).then(() => 'ready' as const), closed]);
    if (first !== 'ready') return { failed: errors, status: child.exitCode };
  } catch (error) {
    child.kill('SIGKILL');
    throw error;
  }
  return {
    pid: child.pid ?? 0,
    errors: () => errors,
    output: () => output,
    says,
    async kill() {
      child.kill('SIGKILL');
      await exited;
    },
    async end() {
      child.kill('SIGINT');
      await within(`${call} ends`, exited, said);
      return child.exitCode;
    },
  };
}
