// The entry point: joins the real world to the program. The only file outside world/ that touches `process`.

import { runProgram } from './app/program.ts';
import { isInterrupted } from './cli/interrupt.ts';
import { internalCommands } from './internal-commands.ts';
import { releaseClosedTerminal } from './world/closed-terminal.ts';
import { createWorld } from './world/create-world.ts';
import { suppressTlsWarning } from './world/node-warnings.ts';

/** If the event loop empties before the program has ended, the exit status must not report success. */
process.exitCode = 1;
process.on('exit', releaseClosedTerminal);

async function main(typed: readonly string[]): Promise<void> {
  suppressTlsWarning();
  if (typed[0] === internalCommands.keychainProcess) {
    const { runKeychainProcess } = await import('./world/keychain-process.ts');
    return runKeychainProcess();
  }
  if (typed[0] === internalCommands.refreshProcess) {
    const { runRefreshProcess } = await import('./login/refresh-process.ts');
    return runRefreshProcess(createWorld());
  }
  const world = createWorld();
  const status =
    typed[0] === internalCommands.simulatedTerminal
      ? await runProgram(
          typed.slice(2),
          (await import('./world/simulated-terminal.ts')).createSimulatedTerminal(world, Number(typed[1])),
        )
      : await runProgram(typed, world);
  // process.exit would lose output that a pipe has not taken yet. Only an interrupted command, which may still be running,
  // needs it, and one whose output nobody takes.
  const { output, errors } = world.streams;
  if (isInterrupted(status) || output.isAbandoned || errors.isAbandoned) process.exit(status);
  process.exitCode = status;
}

void main(process.argv.slice(2));
