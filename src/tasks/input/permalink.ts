// Accepts permalinks of the web workspace in place of ids. The contract shows no permalink, so we assume the form that the
// emulator uses, `https://<workspace>/open?id=<id>`, and reject anything else rather than guess.

import { formatValue, type Schema, ValidationError } from '#contract/schema.ts';

const shape = 'https://<workspace>/open?id=<id>';

/** The help of an argument that names a task by one of the two. */
export const taskIdHelp = 'the id or permalink of the task';

/** The id in a permalink; any other text unchanged. A link without exactly one id is a problem. */
export function parseLink(text: string): { readonly id: string } | { readonly problem: string } {
  if (!/^https?:\/\//i.test(text)) return { id: text };
  const [id, ...others] = URL.canParse(text) ? idsIn(new URL(text)) : [];
  if (id === undefined || others.length > 0) return { problem: `is not a permalink with an id: ${shape}` };
  // The web workspace also uses numbers, which look like ids but are not ids of the service.
  return /^\d+$/.test(id)
    ? { problem: "contains the workspace's own number, not an id of the service" }
    : { id };
}

function idsIn({ pathname, searchParams }: URL): readonly string[] {
  return /^\/open(?:\.htm)?$/.test(pathname) ? searchParams.getAll('id') : [];
}

/** The same. Throws {@link ValidationError} for a link without exactly one id. */
export function idFromLink(text: string): string {
  const link = parseLink(text);
  if ('problem' in link) throw new ValidationError(formatValue(text), link.problem);
  return link.id;
}

/** The same schema, which also accepts a permalink. */
export function acceptLink(id: Schema<string>): Schema<string> {
  const check = (input: unknown) => id.validate(typeof input === 'string' ? idFromLink(input) : input);
  return { ...id, validate: check, fromWire: check };
}
