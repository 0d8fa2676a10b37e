// What a label may be: visible text of one line that nobody takes for an id or a URL, since commands take labels in their place.

import { formatValue, ValidationError } from '../../../contract/schema.ts';
import { isIdShaped } from '../../resolve/id-shape.ts';

const mostCharacters = 100;

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
