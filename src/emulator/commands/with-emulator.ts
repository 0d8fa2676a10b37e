// Runs an emulator for as long as a command needs it, and reports data that could not be saved.

import { join } from 'node:path';
import type { Context } from '#cli/context.ts';
import type { ParsedFlags } from '#cli/flags/flag.ts';
import { Failure } from '#failure.ts';
import { omitUndefined } from '#omit-undefined.ts';
import type { World } from '#world/world.ts';
import type { RunningEmulator } from '../emulator.ts';
import { cannotStart, type emulatorFlags, emulatorOptions } from './flags.ts';
import { readOwnData } from './own-data.ts';

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
  const options = emulatorOptions(flags, certificate?.secure, report);
  const emulator = await startEmulator(world, { ...options, ...own, ...omitUndefined({ address }) });
  if ('fault' in emulator) throw cannotStart(flags, emulator);
  // A server that still listens would keep the process alive.
  await use(emulator, certificate).catch(async (error: unknown) => {
    await emulator.close();
    throw error;
  });
  const fault = await emulator.close();
  if (fault !== undefined)
    throw new Failure('other', {
      message: `${fault.file} could not be saved`,
      why: fault.detail,
      hint: `Changes since the last save at ${new Date(fault.lastSaved).toISOString()} are lost. Before the next start, make room for the file and check that you may write it.`,
    });
}

export type TlsCertificate = Awaited<ReturnType<typeof createTlsCertificate>>;

/** `path`: of the file with the authority that a client has to trust. Its key never leaves the memory of this process. */
async function createTlsCertificate(
  { clock, files }: Pick<World, 'clock' | 'files'>,
  folder: string,
  hostNames: readonly string[] | undefined,
) {
  const { createServerCertificate } = await import('../certificate.ts');
  const { authority, certificate, key } = await createServerCertificate(clock.now(), hostNames);
  const path = join(folder, 'certificate.pem');
  await files.write(path, authority, { mode: 0o600 });
  return { secure: { key, certificate }, authority, path };
}
