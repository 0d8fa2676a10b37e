// Starts the emulator of `wm emulator start` in a test's own process.

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
  /**
   * The port of the main data centre; the others use the next ones. Default: free ports, so that emulators can run side by side.
   */
  readonly port?: number;
  /** Your own application, besides the sample's. Sets `clientId`, `clientSecret` and `token` of the emulator. */
  readonly application?: OwnApplication;
  /** Your own data instead of the sample: the parsed content of a seed file, or a result of {@link Emulator.snapshot}. */
  readonly seed?: unknown;
  /** `bare` omits from responses what the contract does not show; `strict` rejects requests that the contract does not show. */
  readonly mode?: EmulatorMode;
  /** Sends deliveries without white space. By default they are indented by two spaces, like the service's. */
  readonly compact?: boolean;
  /** Allows webhooks to any port of this machine, for a receiver beside the test. Default: false. */
  readonly allowLocalHooks?: boolean;
  /** Sends deliveries for a host to another address: `{ host: 'hooks.example.com', address: '127.0.0.1', port: 8080 }`. */
  readonly connectTo?: readonly ConnectTo[];
  /**
   * Uses the same sample tokens and dates each time, for tests that name them. By default tokens are random, and dates near today.
   */
  readonly fixedTokens?: boolean;
  /** Requests per minute for each token; beyond that 429 with Retry-After. Default: no limit. */
  readonly rateLimit?: number;
  /** Lifetime of an access token. Default: 3,600. */
  readonly tokenSeconds?: number;
  /** Lifetime of an authorization code. Default: 600. */
  readonly codeSeconds?: number;
  /** The time limit for the response to a delivery, in milliseconds. Default: 10,000. */
  readonly deliveryTimeoutMs?: number;
  /** The intervals before the second and third attempt, in seconds. Default: 30 and 60; `clock.advance` skips them. */
  readonly retrySeconds?: readonly [number, number];
  /** Called with each line that the emulator reports: internal errors, rejected pages. By default, reports nothing. */
  readonly log?: (line: string) => void;
}

/**
 * Starts an emulator with its own ports, data and clock. It keeps the process running until `stop`.
 * @throws {EmulatorError} `port_in_use` if another program listens on the port; `invalid_value` for an unknown or invalid option,
 * and for a seed with mistakes, which the message lists.
 */
export async function startEmulator(userOptions: EmulatorStartOptions = {}): Promise<Emulator> {
  checkOptions(userOptions);
  // Drops options that are undefined, so that their defaults apply.
  const { seed, ...options }: EmulatorStartOptions = Object.fromEntries(
    Object.entries(userOptions).filter(([, value]) => value !== undefined),
  );
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
