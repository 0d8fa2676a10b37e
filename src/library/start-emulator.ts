// Starts an emulator in a test's own process: what `wm emulator start` starts, without the command.

import type { EmulatorMode } from '#contract/assumption.ts';
import type { ConnectTo } from '#emulator/dispatch/send-to-receiver.ts';
import type { OwnApplication } from '#emulator/seed/initial-data.ts';
import type { SeedData } from '#emulator/seed/parse-seed.ts';
import { createEmulatorWorld } from '#world/create-emulator-world.ts';
import type { ListenFault } from '#world/world.ts';
import { EmulatorError } from './emulator-error.ts';
import { createHandle, type Emulator } from './emulator-handle.ts';
import { checkOptions } from './emulator-options.ts';

export interface EmulatorStartOptions {
  /** The port of the main data centre; the others use the next ones. By default free ones, so that emulators run side by side. */
  readonly port?: number;
  /** An application of your own, besides those of the sample. `clientId`, `clientSecret` and `token` of the emulator are then its. */
  readonly application?: OwnApplication;
  /**
   * Data of your own in place of the sample: the content of a seed file, as JSON has it, or what {@link Emulator.snapshot} gave.
   */
  readonly seed?: unknown;
  /** `bare` leaves out of responses what the contract does not show; `strict` rejects requests that go beyond its letter. */
  readonly mode?: EmulatorMode;
  /** Sends deliveries without white space. By default with two spaces, as the service does. */
  readonly compact?: boolean;
  /** Allows webhooks to this machine, on any port: what a test needs whose receiver runs beside it. By default no. */
  readonly allowLocalHooks?: boolean;
  /** Sends deliveries for a host to another address instead: `{ host: 'hooks.example.com', address: '127.0.0.1', port: 8080 }`. */
  readonly connectTo?: readonly ConnectTo[];
  /** The same sample tokens and dates each time, for tests that name them. By default tokens are random, and dates around now. */
  readonly fixedTokens?: boolean;
  /** Requests a minute for each token; then 429 with Retry-After. By default no limit. */
  readonly rateLimit?: number;
  /** Lifetime of an access token. By default 3,600. */
  readonly tokenSeconds?: number;
  /** Lifetime of an authorization code. By default 600. */
  readonly codeSeconds?: number;
  /** For a delivery's response, in milliseconds. By default 10,000. */
  readonly deliveryTimeoutMs?: number;
  /** The intervals before the second and the third attempt, in seconds. By default 30 and 60; `clock.advance` skips them. */
  readonly retrySeconds?: readonly [number, number];
  /** Gets what the emulator reports: internal errors, rejected pages. By default nobody does. */
  readonly log?: (line: string) => void;
}

/**
 * Starts an emulator. Each has its own ports, data and clock, so tests may start several. It keeps the process running until it is
 * stopped.
 * @throws {EmulatorError} `port_in_use` if another program listens on the port; `invalid_value` for an option that there is not or
 * that cannot be used, and for a seed with mistakes, all of which the message names.
 */
export async function startEmulator(given: EmulatorStartOptions = {}): Promise<Emulator> {
  checkOptions(given);
  // One that is undefined is left out, so that its default counts.
  const { seed, ...options }: EmulatorStartOptions = Object.fromEntries(
    Object.entries(given).filter(([, value]) => value !== undefined),
  );
  const { startEmulator: start } = await import('#emulator/emulator.ts');
  const data = seed === undefined ? undefined : await readOwnSeed(seed, options);
  const running = await start(createEmulatorWorld(), { ...options, ...(data && { seed: data }) });
  if ('fault' in running) throw cannotStart(options, running);
  return createHandle(running);
}

async function readOwnSeed(
  seed: unknown,
  { application, allowLocalHooks }: EmulatorStartOptions,
): Promise<SeedData> {
  const { readSeed } = await import('#emulator/seed/parse-seed.ts');
  const read = readSeed(seed, { applicationId: application?.clientId, allowLoopback: allowLocalHooks });
  if (!('problems' in read)) return read;
  const lines = read.problems.map(({ path, message }) => `  ${['seed', ...path].join('.')}: ${message}`);
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
