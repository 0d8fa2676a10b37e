// Replaces the error of a schema or rule, which does not know where its value came from, with one that names the flag,
// the column or the text that was typed. Any other error is a bug and stays as it is.

import { ValidationError } from '../../../contract/schema.ts';
import { usageError } from '../../../failure.ts';

/** What `check` returns. Where it throws a `kind`, throws what `replace` returns. */
export function replaceError<T, E extends Error>(
  kind: abstract new (...given: never[]) => E,
  check: () => T,
  replace: (error: E) => Error,
): T {
  try {
    return check();
  } catch (error) {
    throw error instanceof kind ? replace(error) : error;
  }
}

/** A {@link ValidationError} of `check` names the column or the parameter before the value. */
export function withName<T>(name: string, check: () => T): T {
  return replaceError(
    ValidationError,
    check,
    ({ value, problem }) => new ValidationError(`${name}: ${value}`, problem),
  );
}

/** A {@link ValidationError} of `check` becomes a usage failure that names the flag. */
export function withFlagName<T>(flag: string, check: () => T): T {
  return replaceError(ValidationError, check, ({ message }) => usageError(`--${flag}: ${message}`));
}
