// The built `wm` as a process beside a browser: what it wrote, the address it wants opened, and how it ended.

import { spawn } from 'node:child_process';
import type { TestContext } from 'node:test';
import type { Stage } from '../transcript/stage.ts';

export interface Ran {
  readonly status: number | null;
  readonly output: string;
  readonly errors: string;
}

export interface Running {
  /** The first address that it prints. */
  readonly address: Promise<string>;
  readonly ended: Promise<Ran>;
}

export function run(
  test: TestContext,
  { folder, environment }: Stage,
  args: readonly string[],
  more: Readonly<Record<string, string>> = {},
): Running {
  const child = spawn('wm', args, {
    cwd: folder,
    env: { ...environment, ...more },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  test.after(() => child.kill('SIGKILL'));
  let output = '';
  let errors = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    output += text;
  });
  const address = new Promise<string>((resolve, reject) => {
    child.stderr.setEncoding('utf8').on('data', (text: string) => {
      errors += text;
      const found = /^ {2}(http\S+)\n/m.exec(errors)?.[1];
      if (found !== undefined) resolve(found);
    });
    child.on('close', () => reject(new Error(`no address was printed: ${errors}`)));
  });
  // Not everybody asks for it.
  address.catch(() => undefined);
  const ended = new Promise<Ran>((resolve, reject) => {
    child.on('error', reject);
    child.on('close', (status) => resolve({ status, output, errors }));
  });
  return { address, ended };
}
