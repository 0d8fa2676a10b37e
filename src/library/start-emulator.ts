// Starts the emulator of `wm emulator start` in a test's own process, with options that are checked first.

import { emulatorModes } from '#contract/assumption.ts';
import * as schema from '#contract/schema.ts';
import type { EmulatorOptions } from '#emulator/emulator.ts';
import { parseHost } from '#emulator/http/same-origin.ts';
import { wholeNumber } from '#emulator/http/whole-number.ts';
import { maxValues } from '#emulator/service/settings.ts';
import { ownApplication } from '#emulator/state/redirect-uri.ts';
import { omitUndefined } from '#omit-undefined.ts';
import { createEmulatorWorld } from '#world/create-emulator-world.ts';
import type { ListenFault } from '#world/world.ts';
import { createHandle, type Emulator } from './emulator-handle.ts';
import { EmulatorError } from './emulator-parts.ts';

const notEmpty = schema.text('text', { notEmpty: true });

const integer = (type: string, from: number, below: number) => wholeNumber(type, { from, below });

const host = {
  ...notEmpty,
  validate(input: unknown) {
    const name = parseHost(notEmpty.validate(input));
    if (name === undefined) throw schema.invalidValue(input, 'is not a host name without a port');
    return name;
  },
};

const port = integer('port', 1, 65_536);
const seconds = integer('seconds', 1, maxValues.seconds + 1);
const retryAfter = schema.number('seconds', { from: 0, below: maxValues.seconds + 1 });
const pair = {
  ...schema.list(retryAfter),
  validate(input: unknown) {
    const [first, second, ...rest] = schema.list(retryAfter).validate(input);
    if (first === undefined || second === undefined || rest.length > 0)
      throw schema.invalidValue(input, 'is not a list of two numbers');
    return [first, second];
  },
};

const options = schema.object('the options of startEmulator', {
  port: schema.optional(integer('port', 0, 65_536)),
  application: schema.optional(ownApplication),
  mode: schema.optional(schema.choice('mode', emulatorModes)),
  allowLocalHooks: schema.optional(schema.boolean),
  connectTo: schema.optional(schema.list(schema.object('a route', { host, address: host, port }))),
  fixedTokens: schema.optional(schema.boolean),
  compact: schema.optional(schema.boolean),
  rateLimit: schema.optional(integer('requests', 1, maxValues.rateLimit + 1)),
  tokenSeconds: schema.optional(seconds),
  codeSeconds: schema.optional(seconds),
  deliveryTimeoutMs: schema.optional(integer('milliseconds', 1, 86_400_001)),
  retrySeconds: schema.optional(pair),
  /** The reader of the seed validates it. */
  seed: schema.optional(schema.anyJson),
  log: schema.optional(schema.anyJson),
});

type OptionName = keyof schema.TypeOf<typeof options>;

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

/** A JavaScript program has no compiler to report a misspelt or wrong option. @throws {EmulatorError} */
function checkOptions(userOptions: unknown): void {
  const toError = ({ message }: Error) =>
    new EmulatorError('invalid_value', `The emulator was not started: ${message}`);
  const { log } = schema.replaceError(schema.ValidationError, () => options.validate(userOptions), toError);
  if (log !== undefined && typeof log !== 'function') throw toError(new Error('log is not a function'));
}

async function readOwnSeed(seed: unknown, { application, allowLocalHooks }: EmulatorStartOptions) {
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
