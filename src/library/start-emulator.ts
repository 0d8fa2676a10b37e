// Starts the emulator of `wm emulator start` in a test's own process.

import type { EmulatorOptions } from '#emulator/emulator.ts';
import type { SeedData } from '#emulator/seed/parse-seed.ts';
import { omitUndefined } from '#omit-undefined.ts';
import { createEmulatorWorld } from '#world/create-emulator-world.ts';
import type { ListenFault } from '#world/world.ts';
import { EmulatorError } from './emulator-error.ts';
import { createHandle, type Emulator } from './emulator-handle.ts';
import { checkOptions, type OptionName } from './emulator-options.ts';

export interface EmulatorStartOptions extends Omit<Pick<EmulatorOptions, OptionName>, 'seed'> {
  /** Your own data instead of the sample: the parsed content of a seed file, or a result of {@link Emulator.snapshot}. */
  readonly seed?: unknown;
}

/**
 * Starts an emulator with its own ports, data and clock. It keeps the process running until `stop`.
 * @throws {EmulatorError} `port_in_use` if another program listens on the port; `invalid_value` for an unknown or invalid option,
 * and for a seed with mistakes, which the message lists.
 */
export async function startEmulator(userOptions: EmulatorStartOptions = {}): Promise<Emulator> {
  checkOptions(userOptions);
  // So that the defaults apply to options that are undefined.
  const { seed, ...options }: EmulatorStartOptions = omitUndefined(userOptions);
  const { startEmulator: start } = await import('#emulator/emulator.ts');
  const data = seed === undefined ? undefined : await readOwnSeed(seed, options);
  const started = await start(createEmulatorWorld(), { ...options, ...(data && { seed: data }) });
  if ('fault' in started) throw cannotStart(options, started);
  return createHandle(started);
}

async function readOwnSeed(
  seed: unknown,
  { application, allowLocalHooks }: EmulatorStartOptions,
): Promise<SeedData> {
  const { readSeed } = await import('#emulator/seed/parse-seed.ts');
  const result = readSeed(seed, { applicationId: application?.clientId, allowLoopback: allowLocalHooks });
  if (!('problems' in result)) return result;
  const lines = result.problems.map(({ path, message }) => `  ${['seed', ...path].join('.')}: ${message}`);
  throw new EmulatorError('invalid_value', `The seed cannot be used:\n${lines.join('\n')}`);
}

function cannotStart({ port }: EmulatorStartOptions, { fault, detail }: ListenFault): EmulatorError {
  const where = port === undefined ? 'a free port' : `port ${port}`;
  const hint = port === undefined ? '' : '. Choose another port, or leave it out to get a free one';
  return new EmulatorError(
    fault === 'in-use' ? 'port_in_use' : 'cannot_start',
    `The emulator cannot listen on ${where}: ${detail}${hint}.`,
  );
}
