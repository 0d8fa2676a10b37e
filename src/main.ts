// The entry point: starts the program with the real world. The only file outside world/ that uses `process`.

import { runProgram } from './app/program.ts';
import { isInterruptionStatus } from './failure.ts';
import { internalCommands } from './internal-commands.ts';
import { createWorld } from './world/create-world.ts';
import { releaseClosedTerminal } from './world/streams.ts';

/** If the event loop empties too early, the exit status must not report success. */
process.exitCode = 1;
process.on('exit', releaseClosedTerminal);

async function main(typed: readonly string[]): Promise<void> {
  if (process.env['NODE_TLS_REJECT_UNAUTHORIZED'] === '0') suppressTlsWarning();
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
  // process.exit would lose output that a pipe has not taken yet. Use it only if an interrupted command may still be running, or
  // the output is blocked.
  const { output, errors } = world.streams;
  if (isInterruptionStatus(status) || output.isAbandoned || errors.isAbandoned) process.exit(status);
  process.exitCode = status;
}

/**
 * Hides Node's warning that NODE_TLS_REJECT_UNAUTHORIZED=0 makes TLS insecure: wm always verifies (world/tls-certificates.ts). Node
 * prints all other warnings as usual.
 */
function suppressTlsWarning(): void {
  const printers = process.listeners('warning');
  process.removeAllListeners('warning');
  process.on('warning', (warning) => {
    if (warning.message.includes('NODE_TLS_REJECT_UNAUTHORIZED')) return;
    for (const print of printers) print.call(process, warning);
  });
}

void main(process.argv.slice(2));
