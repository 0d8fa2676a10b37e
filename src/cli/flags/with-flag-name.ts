// Adds the flag's name to the error of a schema or rule, which does not know where its value came from.

import { replaceError, ValidationError } from '#contract/schema.ts';
import { usageError } from '#failure.ts';

/** Turns a {@link ValidationError} of `check` into a usage failure that names the flag. */
export function withFlagName<T>(flag: string, check: () => T): T {
  return replaceError(ValidationError, check, ({ message }) => usageError(`--${flag}: ${message}`));
}
