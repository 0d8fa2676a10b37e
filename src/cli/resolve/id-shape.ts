// Distinguishes ids from names, titles and labels, where a command accepts any of them.

import { type IdentifierType, isIdentifier } from '#contract/identifier.ts';
import { isLink } from './permalink.ts';

/** A text of this shape needs no look-up. Other texts may be ids too, since the contract has no pattern for ids. */
export function isIdShaped(text: string): boolean {
  return /^[A-Z0-9]{8}[A-Za-z0-9]{4,}$/.test(text);
}

/** True if an unlisted name may be an id of another shape. A text without a digit is a word. */
export function mayBeId(type: IdentifierType, text: string): boolean {
  return isIdentifier(type, text) && /[\d=]/.test(text);
}

/** True for a text that can be neither an id nor a link. */
export function isTitleOnly(text: string): boolean {
  return /[^\w\-:.=]/.test(text) && !isLink(text) && text.trim() !== '' && !/[\r\n\0]/.test(text);
}
