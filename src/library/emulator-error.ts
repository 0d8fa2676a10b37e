// The one error of `wm-cli/emulator`: what a test did that the emulator cannot do.

/**
 * `port_in_use`, `cannot_start`: from the start. `stopped`: the emulator was stopped before the call. `unexpected_requests`: a check
 * of the log failed. The others: a value that the emulator does not accept, or an id that it does not have.
 */
export type EmulatorErrorCode =
  | 'port_in_use'
  | 'cannot_start'
  | 'stopped'
  | 'unexpected_requests'
  | 'invalid_value'
  | 'not_found';

/** Its message says what is wrong, and what to do. */
export class EmulatorError extends Error {
  readonly code: EmulatorErrorCode;

  constructor(code: EmulatorErrorCode, message: string) {
    super(message);
    this.name = 'EmulatorError';
    this.code = code;
  }
}
