// Accepts permalinks of the web workspace in place of ids. The contract shows no permalink, so we assume the form that the
// emulator uses, `https://<workspace>/open?id=<id>`, and reject anything else rather than guess.

import { formatValue, type Schema, ValidationError } from '../../../contract/schema.ts';

const shape = 'https://<workspace>/open?id=<id>';

/** The id in a permalink; any other text unchanged. Throws {@link ValidationError} for a link without exactly one id. */
export function idFromLink(text: string): string {
  if (!/^https?:\/\//i.test(text)) return text;
  const url = URL.canParse(text) ? new URL(text) : undefined;
  const ids = url?.searchParams.getAll('id') ?? [];
  const [id] = ids;
  if (url === undefined || !/^\/open(?:\.htm)?$/.test(url.pathname) || id === undefined || ids.length > 1)
    throw new ValidationError(formatValue(text), `is not a permalink with an id: ${shape}`);
  // The web workspace also uses numbers, which look like ids but are not ids of the service.
  if (/^\d+$/.test(id))
    throw new ValidationError(
      formatValue(text),
      "contains the workspace's own number, not an id of the service",
    );
  return id;
}

/** The same schema, which also accepts a permalink. */
export function acceptLink(id: Schema<string>): Schema<string> {
  const check = (input: unknown) => id.validate(typeof input === 'string' ? idFromLink(input) : input);
  return { ...id, validate: check, fromWire: check };
}
