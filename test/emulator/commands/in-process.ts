// `wm emulator start` and `exec` in the process of the test, for tests in which neither program nor command needs one of its own.

import { handSignals } from '#test/support/program/manual-signals.ts';
import { type Ran, run } from '#test/support/program/program.ts';
import { createWorld } from '#world/create-world.ts';
import type { Environment, World } from '#world/world.ts';

/** Runs `emulator exec`, with `use` in the place of its command; `use` gets the environment of the command, and returns its status. */
export function execWith(
  args: readonly string[],
  use: (environment: Environment) => Promise<number>,
  world: Partial<World> = {},
  inherited: Environment = {},
): Promise<Ran> {
  const start: World['process']['start'] = (_, { environment }) => {
    const ended = use(environment);
    const nothing = () => {};
    return {
      started: Promise.resolve(),
      ended,
      exited: ended,
      pid: () => undefined,
      detach: nothing,
      release: nothing,
      kill: nothing,
    };
  };
  const process = { ...createWorld().process, onInterrupt: () => () => {}, start };
  return run(['emulator', 'exec', ...args], { environment: inherited, world: { process, ...world } });
}

/** Runs `emulator start` until `stop`. Returns the first text that it prints. */
export async function startWith(
  flags: readonly string[],
): Promise<{ readonly printed: string; readonly stop: () => Promise<Ran> }> {
  const { process, interrupt, listeners } = handSignals();
  let onOutput = (_: string) => {};
  const first = new Promise<string>((resolve) => {
    onOutput = resolve;
  });
  const world = { process: { ...process, preferSmallHeap: async () => {} } };
  const ended = run(['emulator', 'start', ...flags], { world, onOutput });
  const failed = ended.then(({ errors }) => Promise.reject(new Error(errors)));
  const printed = await Promise.race([first, failed]);
  const stop = () => {
    if (listeners.size > 0) interrupt('SIGTERM');
    return ended;
  };
  return { printed, stop };
}
