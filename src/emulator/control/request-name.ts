// The names of requests, as faults and the log of requests have them. A misspelt one is an error: it would concern nothing.

import { nearestWords } from '../../contract/did-you-mean.ts';
import { joinWithOr } from '../../contract/format-list.ts';
import { formatValue, invalidChoice, ValidationError } from '../../contract/schema.ts';
import { requestNames } from '../endpoints/api.ts';

/** `more`: names besides those of all requests. Throws {@link ValidationError}. */
export function requireRequestName(name: string, more: readonly string[]): void {
  const known = [...requestNames, ...more];
  if (known.includes(name)) return;
  const near = nearestWords(name, known);
  // There are dozens: all of them only where none is close.
  if (near.length === 0) throw invalidChoice(name, known);
  throw new ValidationError(
    formatValue(name),
    `is not the name of a request; did you mean ${joinWithOr(near)}?`,
  );
}
