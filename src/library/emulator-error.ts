// The error of `wm-cli/emulator`: a test asked for something that the emulator cannot do.

/**
 * `port_in_use`, `cannot_start`: from the start. `stopped`: called after `stop`. `unexpected_requests`: a check of the log failed.
 * `invalid_value`, `not_found`: an invalid value, or an unknown id.
 */
export type EmulatorErrorCode =
  | 'port_in_use'
  | 'cannot_start'
  | 'stopped'
  | 'unexpected_requests'
  | 'invalid_value'
  | 'not_found';

export class EmulatorError extends Error {
  readonly code: EmulatorErrorCode;

  constructor(code: EmulatorErrorCode, message: string) {
    super(message);
    this.name = 'EmulatorError';
    this.code = code;
  }
}
