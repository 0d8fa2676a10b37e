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

/** True for a text that can only be a title, and not a mistyped id or link. */
export function isTitle(text: string): boolean {
  return !isLink(text) && !isIdentifier('TaskId', text) && text.trim() !== '' && !isSlipInIds(text);
}

/** Matches an id followed by a space or a line break, or several ids in one argument: not a title to search all tasks for. */
function isSlipInIds(text: string): boolean {
  return text
    .split(/[\s,;]+/)
    .filter((part) => part !== '')
    .every((part) => isIdShaped(part) && /\d/.test(part));
}
