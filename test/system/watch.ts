// A running `wm`, watched: what it writes, the address it wants opened, and how it ends.

import type { ChildProcessByStdio } from 'node:child_process';
import type { Readable, Writable } from 'node:stream';

export interface Ended {
  readonly status: number | null;
  readonly output: string;
  readonly errors: string;
  /** From the start of watching. */
  readonly milliseconds: number;
}

export interface Running {
  /** The first address that it prints. */
  readonly address: Promise<string>;
  readonly ended: Promise<Ended>;
}

export function watch(child: ChildProcessByStdio<Writable | null, Readable, Readable>): Running {
  const began = performance.now();
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
  const ended = new Promise<Ended>((resolve, reject) => {
    child.on('error', reject);
    child.on('close', (status) => {
      resolve({ status, output, errors, milliseconds: performance.now() - began });
    });
  });
  return { address, ended };
}
