// What a label may be: visible text of one line that nobody takes for an id or a URL, since commands take labels in their place.

import { type IdentifierType, isIdentifier } from '../../../contract/identifier.ts';
import { formatValue, ValidationError } from '../../../contract/schema.ts';

const mostCharacters = 100;

/**
 * As the service writes ids: a text of this shape needs no look-up, which matters when the service is in trouble. The contract has
 * no pattern of them, so another text may be one too.
 */
export function isIdShaped(text: string): boolean {
  return /^[A-Z0-9]{8}[A-Za-z0-9]{4,}$/.test(text);
}

/** Whether a text that names nothing that is listed may still be an id of another shape. One without a digit is a word. */
export function mayBeId(type: IdentifierType, text: string): boolean {
  return isIdentifier(type, text) && /[\d=]/.test(text);
}

/** Without the spaces around it. Throws a {@link ValidationError}. */
export function parseLabel(text: string): string {
  const label = text.trim();
  const invalid = (why: string) => new ValidationError(formatValue(label), why);
  if (label === '') throw invalid('is empty');
  if ([...label].length > mostCharacters) throw invalid(`is longer than ${mostCharacters} characters`);
  if (/[\p{Cc}\p{Cf}\p{Cs}\u2028\u2029]/u.test(label)) throw invalid('has a character that cannot be seen');
  if (isIdShaped(label)) throw invalid('looks like an id');
  if (/^https?:/i.test(label)) throw invalid('looks like a URL');
  return label;
}
