// Accepts permalinks of the web workspace in place of ids: with an id, `https://<workspace>/open?id=<id>`, or with a number of the
// workspace's own, by which only the service finds the record. Anything else is rejected.

import { formatValue, type Schema, ValidationError } from '#contract/schema.ts';

const shape = 'https://<workspace>/open?id=<id>';

/** The id in a permalink; a permalink with a number, and any other text, unchanged. A link without exactly one id is a problem. */
export function parseLink(text: string): { readonly id: string } | { readonly problem: string } {
  if (!isLink(text) || isPermalink(text)) return { id: text };
  const [id, ...others] = idsIn(text);
  return id === undefined || others.length > 0
    ? { problem: `is not a permalink with an id: ${shape}` }
    : { id };
}

export function isLink(text: string): boolean {
  return /^https?:\/\//i.test(text);
}

/** True for a permalink that holds a number, so that it has to be looked up. */
export function isPermalink(text: string): boolean {
  return numberIn(text) !== undefined;
}

/** The number of the workspace's own that a permalink holds. */
export function numberIn(link: string): string | undefined {
  if (!isLink(link)) return undefined;
  const [id, ...others] = idsIn(link);
  return id !== undefined && others.length === 0 && /^\d+$/.test(id) ? id : undefined;
}

function idsIn(link: string): readonly string[] {
  if (!URL.canParse(link)) return [];
  const { pathname, searchParams } = new URL(link);
  return /^\/open(?:\.htm)?$/.test(pathname) ? searchParams.getAll('id') : [];
}

export type LinkedKind = 'task' | 'folder';

/** The same. Throws {@link ValidationError} for a link without exactly one id. */
export function idFromLink(text: string): string {
  const link = parseLink(text);
  if ('problem' in link) throw new ValidationError(formatValue(text), link.problem);
  return link.id;
}

/** The same schema, which also accepts a permalink. One that has to be looked up stays, and no request accepts it. */
export function acceptLink(id: Schema<string>): Schema<string> {
  const check = (input: unknown) => {
    const given = typeof input === 'string' ? idFromLink(input) : input;
    return typeof given === 'string' && isPermalink(given) ? given : id.validate(given);
  };
  return { ...id, validate: check, fromWire: check };
}
