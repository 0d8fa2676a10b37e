// Accepts permalinks of the web workspace in place of ids, with an id (`https://<workspace>/open?id=<id>`) or with a number
// that only the service can resolve.

import { formatValue, type Schema, ValidationError } from '#contract/schema.ts';

const shape = 'https://<workspace>/open?id=<id>';

/** The id in a permalink. Returns a permalink with a number, and any other text, unchanged. A link needs exactly one id. */
export function parseLink(text: string): { readonly id: string } | { readonly problem: string } {
  if (!isLink(text) || isPermalink(text)) return { id: text };
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

/** The workspace's number in a permalink. */
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
  if ('problem' in link) throw new ValidationError(formatValue(text), link.problem);
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
