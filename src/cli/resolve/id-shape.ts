// Distinguishes ids from names, titles, labels and links. Permalinks of the web workspace stand for ids: with an id
// (`https://<workspace>/open?id=<id>`), or with a number that only the service can resolve.

import { type IdentifierType, isIdentifier } from '#contract/identifier.ts';
import { invalidValue, type Schema, ValidationError } from '#contract/schema.ts';

/** A text of this shape needs no look-up. Other texts may be ids too, since the contract has no pattern for ids. */
export function isIdShaped(text: string): boolean {
  return /^[A-Z0-9]{8}[A-Za-z0-9]{4,}$/.test(text);
}

/** The id in spaces and quotes, as spreadsheets, JSON and shells leave them: `"IEAAAAAQKQAB5BNG"`. Returns any other text unchanged. */
export function unquoteId(text: string): string {
  const id = /^[\s"']*([A-Z0-9]{8}[A-Za-z0-9]{4,})[\s"']*$/.exec(text)?.[1];
  return id !== undefined && /\d/.test(id) ? id : text;
}

/** True if an unlisted name may be an id of another shape. A text without a digit is a word. */
export function mayBeId(type: IdentifierType, text: string): boolean {
  return isIdentifier(type, text) && isOneWord(text) && /[\d=]/.test(text);
}

/** False for a title or a link. An id that is not one word is found only in a list. */
export function isOneWord(text: string): boolean {
  return /^[^\s,/?#%\\]{1,256}$/.test(text);
}

/** True for a text that can only be a title, and not a mistyped id or link. */
export function isTitle(text: string): boolean {
  return !isLink(text) && !isIdentifier('TaskId', text) && text.trim() !== '' && !isSlipInIds(text);
}

/** Matches an id followed by a space or a line break, or several ids in one argument: not a title to search all tasks for. */
function isSlipInIds(text: string): boolean {
  return text
    .split(/[\s,;"']+/)
    .filter((part) => part !== '')
    .every((part) => isIdShaped(part) && /\d/.test(part));
}

const shape = 'https://<workspace>/open?id=<id>';

/** The id in a permalink. Returns a permalink with a number, and any other text, unchanged. A link needs exactly one id. */
export function parseLink(text: string): { readonly id: string } | { readonly problem: string } {
  if (isIdShaped(text) || isPermalink(text)) return { id: text };
  if (!isLink(text)) return { id: unquoteId(text) };
  const [id, ...moreIds] = idsIn(text);
  return id === undefined || moreIds.length > 0
    ? { problem: `is not a permalink with an id: ${shape}` }
    : { id };
}

export function isLink(text: string): boolean {
  return /^https?:\/\//i.test(text);
}

/** True for a permalink with a number, which has to be looked up. */
export function isPermalink(text: string): boolean {
  return numberIn(text) !== undefined;
}

export function numberIn(link: string): string | undefined {
  if (!isLink(link)) return undefined;
  const [id, ...moreIds] = idsIn(link);
  return id !== undefined && moreIds.length === 0 && /^\d+$/.test(id) ? id : undefined;
}

function idsIn(link: string): readonly string[] {
  if (!URL.canParse(link)) return [];
  const { pathname, searchParams } = new URL(link);
  return /^\/open(?:\.htm)?$/.test(pathname) ? searchParams.getAll('id') : [];
}

export type LinkedKind = 'task' | 'folder';

/** Like {@link parseLink}. Throws {@link ValidationError} for a link without exactly one id. */
export function idFromLink(text: string): string {
  const link = parseLink(text);
  if ('problem' in link) throw invalidValue(text, link.problem);
  return link.id;
}

/** Makes a schema accept permalinks. A permalink with a number stays as it is: the caller must look it up before a request. */
export function acceptLink(id: Schema<string>): Schema<string> {
  const validate = (input: unknown) => {
    const text = typeof input === 'string' ? idFromLink(input) : input;
    return typeof text === 'string' && isPermalink(text) ? text : id.validate(text);
  };
  return { ...id, validate, fromWire: validate };
}
