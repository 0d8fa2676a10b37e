// Joins the real world to the program. The only file, beside the real world's own, that touches `process`.

import { runProgram } from './command/program.ts';
import { inner } from './inner.ts';
import { createWorld } from './world/real.ts';

/** As a shell counts SIGHUP, Ctrl-C and SIGTERM. */
const interrupted: readonly number[] = [129, 130, 143];

/** What the shell is told where the process runs dry before the program has come to its end: never that all is well. */
process.exitCode = 1;

async function main(typed: readonly string[]): Promise<void> {
  if (typed[0] === inner.keychain) {
    const { keychainChild } = await import('./world/keychain-child.ts');
    return keychainChild();
  }
  if (typed[0] === inner.renewal) {
    const { renewalHelper } = await import('./login/renewal-process.ts');
    return renewalHelper(createWorld());
  }
  const status = await runProgram(typed, createWorld());
  // Not process.exit, or what a pipe has not taken yet would be lost. But what was interrupted may still be running.
  if (interrupted.includes(status)) process.exit(status);
  process.exitCode = status;
}

void main(process.argv.slice(2));
