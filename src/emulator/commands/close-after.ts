// Closes an emulator when the command that started it ends or fails, and reports data that could not be saved.

import { Failure } from '#failure.ts';
import type { RunningEmulator, SaveFault } from '../emulator.ts';

/** Throws what `use` throws, or else a {@link Failure} if the data file was not written. */
export async function closeAfter(emulator: RunningEmulator, use: () => Promise<void>): Promise<void> {
  // A server that still listens would keep the process alive.
  await use().catch(async (error: unknown) => {
    await emulator.close();
    throw error;
  });
  const fault = await emulator.close();
  if (fault !== undefined) throw notSaved(fault);
}

function notSaved({ file, detail, lastSaved }: SaveFault): Failure {
  const when = new Date(lastSaved).toISOString();
  return new Failure('other', {
    message: `${file} could not be saved`,
    why: detail,
    hint: `Changes since the last save at ${when} are lost. Before the next start, make room for the file and check that you may write it.`,
  });
}
