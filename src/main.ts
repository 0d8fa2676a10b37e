// Joins the real world to the program. The only file, beside the real world's own, that touches `process`.

import { isInterrupted } from './command/interrupt.ts';
import { runProgram } from './command/program.ts';
import { internalCommands } from './internal-commands.ts';
import { leaveClosedTerminal } from './world/closed-terminal.ts';
import { createWorld } from './world/real.ts';
import { dropUntrueWarning } from './world/warnings.ts';

/** What the shell is told where the process runs dry before the program has come to its end: never that all is well. */
process.exitCode = 1;
process.on('exit', leaveClosedTerminal);

async function main(typed: readonly string[]): Promise<void> {
  dropUntrueWarning();
  if (typed[0] === internalCommands.keychainHelper) {
    const { keychainChild } = await import('./world/keychain-child.ts');
    return keychainChild();
  }
  if (typed[0] === internalCommands.refreshHelper) {
    const { runRefreshHelper } = await import('./login/refresh-helper.ts');
    return runRefreshHelper(createWorld());
  }
  const world = createWorld();
  const status =
    typed[0] === internalCommands.simulatedTerminal
      ? await runProgram(
          typed.slice(2),
          (await import('./world/shown.ts')).shownWorld(world, Number(typed[1])),
        )
      : await runProgram(typed, world);
  // Not process.exit, or what a pipe has not taken yet would be lost. But what was interrupted may still be running.
  if (isInterrupted(status)) process.exit(status);
  process.exitCode = status;
}

void main(process.argv.slice(2));
