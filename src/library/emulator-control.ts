// The control requests of an emulator in this process, for its functions: with the library's own error, and results that are
// copies, so that neither a test changes the emulator's records nor the emulator those of the test.

import type { Control } from '../emulator/emulator.ts';
import { EmulatorError } from './emulator-error.ts';

/** `isStopped`: what a stopped emulator would do, nobody would see. */
export function createLibraryControl(control: Control, isStopped: () => boolean): Control {
  return async (name, given) => {
    if (isStopped()) throw new EmulatorError('stopped', 'The emulator was stopped: start another one');
    try {
      return structuredClone(await control(name, given));
    } catch (error) {
      throw toEmulatorError(error);
    }
  };
}

/** An ErrorResponse is of another copy of its class; whatever else was thrown is a fault of the emulator, and stays as it is. */
function toEmulatorError(error: unknown): unknown {
  if (!(error instanceof Error) || !('because' in error && 'error' in error)) return error;
  return new EmulatorError(
    error.error === 'resource_not_found' ? 'not_found' : 'invalid_value',
    error.message,
  );
}
