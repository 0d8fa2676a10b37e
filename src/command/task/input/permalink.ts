// An id, or a permalink of the web workspace that carries it. Assumed is the shape that the emulator's permalinks have,
// `https://<workspace>/open?id=<id>`, since the contract shows none; anything else is refused rather than guessed at.

import { formatValue, type Schema, ValidationError } from '../../../contract/schema.ts';

const shape = 'https://<workspace>/open?id=<id>';

/** The id of a link, and any other text as it is. Throws {@link ValidationError} for a link without exactly one id. */
export function idFromLink(text: string): string {
  if (!/^https?:\/\//i.test(text)) return text;
  const url = URL.canParse(text) ? new URL(text) : undefined;
  const ids = url?.searchParams.getAll('id') ?? [];
  const [id] = ids;
  if (url === undefined || !/^\/open(?:\.htm)?$/.test(url.pathname) || id === undefined || ids.length > 1)
    throw new ValidationError(formatValue(text), `is not a permalink with an id: ${shape}`);
  // The workspace also has numbers of its own, which look like an id and are another one.
  if (/^\d+$/.test(id))
    throw new ValidationError(
      formatValue(text),
      "contains the workspace's own number, not an id of the service",
    );
  return id;
}

/** The same identifier, which may be said by its link. */
export function acceptLink(id: Schema<string>): Schema<string> {
  const check = (input: unknown) => id.validate(typeof input === 'string' ? idFromLink(input) : input);
  return { ...id, validate: check, fromWire: check };
}
