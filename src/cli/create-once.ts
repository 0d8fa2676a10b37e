// Creates one thing although `wm` runs several times at once, for --if-not-exists: a lock keeps out the other runs on this machine,
// and a second look finds what another machine created meanwhile.

import { Failure, toFailure } from '#failure.ts';
import { acquireLock } from '#login/lock-wait.ts';
import type { Context } from './context.ts';

/** Until the command ends. Only warns if the lock cannot be created (a full disk): the run continues. */
export async function lockOutOtherRuns(context: Context, path: string, things: string): Promise<void> {
  const { commandLine, report, world } = context;
  const activity = `running wm ${commandLine.words}`;
  try {
    const lock = await acquireLock(world, path, { activity, unchanged: 'Nothing was changed.' });
    context.atEnd(() => lock.release());
  } catch (error) {
    if (error instanceof Failure) throw error;
    await report.warn(`Cannot lock out other runs that create ${things}: ${toFailure(error).sentence}`);
  }
}

/** `id`: what this run created. Empty, with a warning, if the look-up fails. */
export async function lookAgain<T>(
  { report }: Context,
  noun: string,
  id: string,
  find: () => Promise<readonly T[]>,
): Promise<readonly T[]> {
  const found = await find().catch((error: unknown) =>
    report.warn(
      `Cannot check whether another ${noun} was created at the same time as ${id}: ${toFailure(error).sentence}`,
    ),
  );
  return found ?? [];
}
