// Runs an emulator for as long as a command needs it, and reports data that could not be saved.

import type { Context } from '#cli/context.ts';
import type { ParsedFlags } from '#cli/flags/flag.ts';
import { Failure } from '#failure.ts';
import { omitUndefined } from '#omit-undefined.ts';
import type { RunningEmulator, SaveFault } from '../emulator.ts';
import { cannotStart, type emulatorFlags, emulatorOptions } from './flags.ts';
import { readOwnData } from './own-data.ts';
import { createTlsCertificate, type TlsCertificate } from './tls-certificate.ts';

/** `folder`: for the files of --tls. Throws what `use` throws, or else a {@link Failure} if the data file was not written. */
export async function withEmulator(
  { world, report }: Pick<Context, 'world' | 'report'>,
  flags: ParsedFlags<typeof emulatorFlags>,
  { address, folder }: { readonly address?: string; readonly folder: string | undefined },
  use: (emulator: RunningEmulator, certificate: TlsCertificate | undefined) => Promise<void>,
): Promise<void> {
  const own = await readOwnData(world, flags);
  const { startEmulator } = await import('../emulator.ts');
  const certificate =
    flags.tls && folder ? await createTlsCertificate(world, folder, flags.allowHost) : undefined;
  const options = emulatorOptions(flags, certificate, report, own);
  const emulator = await startEmulator(world, { ...options, ...omitUndefined({ address }) });
  if ('fault' in emulator) throw cannotStart(flags, emulator);
  // A server that still listens would keep the process alive.
  await use(emulator, certificate).catch(async (error: unknown) => {
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
