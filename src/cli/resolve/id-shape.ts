// Whether a text is an id, where a command takes names, titles and labels too.

import { type IdentifierType, isIdentifier } from '#contract/identifier.ts';
import { isLink } from './permalink.ts';

/** A text of this shape needs no look-up. The contract has no pattern of ids, so another text may be one too. */
export function isIdShaped(text: string): boolean {
  return /^[A-Z0-9]{8}[A-Za-z0-9]{4,}$/.test(text);
}

/** Whether a text that names nothing that is listed may still be an id of another shape. One without a digit is a word. */
export function mayBeId(type: IdentifierType, text: string): boolean {
  return isIdentifier(type, text) && /[\d=]/.test(text);
}

/** True for what no id and no link can be. */
export function isTitleOnly(text: string): boolean {
  return /[^\w\-:.=]/.test(text) && !isLink(text) && text.trim() !== '' && !/[\r\n\0]/.test(text);
}
