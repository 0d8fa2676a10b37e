// Checks the options of startEmulator: a JavaScript program has no compiler to report a misspelt or wrong option.

import { emulatorModes } from '#contract/assumption.ts';
import {
  anyJson,
  boolean,
  choice,
  invalidValue,
  list,
  number,
  object,
  optional,
  replaceError,
  type TypeOf,
  text,
  ValidationError,
} from '#contract/schema.ts';
import { parseHost } from '#emulator/http/same-origin.ts';
import { wholeNumber } from '#emulator/http/whole-number.ts';
import { maxValues } from '#emulator/service/settings.ts';
import { ownApplication } from '#emulator/state/redirect-uri.ts';
import { EmulatorError } from './emulator-error.ts';

const notEmpty = text('text', { notEmpty: true });

const integer = (type: string, from: number, below: number) => wholeNumber(type, { from, below });

const host = {
  ...notEmpty,
  validate(input: unknown) {
    const name = parseHost(notEmpty.validate(input));
    if (name === undefined) throw invalidValue(input, 'is not a host name without a port');
    return name;
  },
};

const port = integer('port', 1, 65_536);
const seconds = integer('seconds', 1, maxValues.seconds + 1);
const retryAfter = number('seconds', { from: 0, below: maxValues.seconds + 1 });
const pair = {
  ...list(retryAfter),
  validate(input: unknown) {
    const [first, second, ...rest] = list(retryAfter).validate(input);
    if (first === undefined || second === undefined || rest.length > 0)
      throw invalidValue(input, 'is not a list of two numbers');
    return [first, second];
  },
};

const options = object('the options of startEmulator', {
  port: optional(integer('port', 0, 65_536)),
  application: optional(ownApplication),
  mode: optional(choice('mode', emulatorModes)),
  allowLocalHooks: optional(boolean),
  connectTo: optional(list(object('a route', { host, address: host, port }))),
  fixedTokens: optional(boolean),
  compact: optional(boolean),
  rateLimit: optional(integer('requests', 1, maxValues.rateLimit + 1)),
  tokenSeconds: optional(seconds),
  codeSeconds: optional(seconds),
  deliveryTimeoutMs: optional(integer('milliseconds', 1, 86_400_001)),
  retrySeconds: optional(pair),
  /** The reader of the seed validates it. */
  seed: optional(anyJson),
  log: optional(anyJson),
});

export type OptionName = keyof TypeOf<typeof options>;

/** Throws an {@link EmulatorError}. */
export function checkOptions(userOptions: unknown): void {
  const toError = ({ message }: Error) =>
    new EmulatorError('invalid_value', `The emulator was not started: ${message}`);
  const { log } = replaceError(ValidationError, () => options.validate(userOptions), toError);
  if (log !== undefined && typeof log !== 'function') throw toError(new Error('log is not a function'));
}
