// Runs the user's command for one change (--exec), with the event as JSON on its standard input. What it prints goes to standard
// error, since standard output has the events; how it ended is reported, and ends nothing.

import type { Context } from '../../context.ts';
import { shellCommand } from '../../shell-command.ts';
import { eventVariables, type WatchEvent } from './watch-event.ts';

/** For each run. */
const mostOutput = 64 * 1024;
/** Then the watch goes on without it: while a command runs, no change is seen. */
const mostMs = 5 * 60_000;

export async function runOnChange(
  { world, report }: Pick<Context, 'world' | 'report'>,
  command: string,
  event: WatchEvent,
): Promise<void> {
  let printed = '';
  const collect = (text: string) => {
    printed = (printed + text).slice(0, mostOutput);
  };
  const child = world.process.start(shellCommand(world, command), {
    environment: { ...world.environment, ...eventVariables(event) },
    streams: 'pipe',
    input: `${JSON.stringify(event)}\n`,
    onOutput: collect,
    onErrors: collect,
  });
  // At a terminal, Ctrl-C reaches it by itself.
  const stopListening = world.process.onInterrupt((signal) => child.kill(signal));
  let isLate = (): void => {};
  const late = new Promise<undefined>((resolve) => {
    isLate = () => resolve(undefined);
  });
  const limit = world.clock.limit(mostMs, isLate);
  const status = await Promise.race([child.ended, late]).finally(() => {
    limit.cancel();
    stopListening();
  });
  if (status === undefined) {
    child.kill('SIGTERM');
    // What it has started may keep its output open for ever.
    child.detach();
  }
  if (printed !== '') await report.info(printed.trimEnd());
  if (status === undefined)
    await report.warn(
      `--exec has not ended ${mostMs / 60_000} minutes after the change of ${event.id}; wm goes on without it. For what takes longer, start it in the background with its output redirected.`,
    );
  else if (status !== 0)
    await report.warn(`--exec exited with status ${status} for the change of ${event.id}; wm goes on.`);
}
