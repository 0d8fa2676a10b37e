// Shows a whole delivery to a user: its time, its headers, and its body, indented if it is JSON. All of it is text from strangers.

import { formatLocalTime } from '#cli/local-time.ts';
import { reindentJson } from '#contract/reindent-json.ts';
import type { StoredDelivery } from '#receiver/intake/stored-delivery.ts';
import { sanitizeLine } from '#terminal/sanitize.ts';

/** More lines would scroll away unread. */
const mostLines = 200;
const mostBytes = 64 * 1024;
/** The most characters of a line: a terminal needs seconds to break one of 64 kB. */
const mostCharacters = 1_000;

export function describeDetails(delivery: StoredDelivery, showBody: (sequence: number) => string) {
  const { sequence, receivedAt, path, headers, body } = delivery;
  const text = new TextDecoder().decode(body.subarray(0, mostBytes));
  const shown = ((body.length <= mostBytes && reindentJson(text)) || text).split('\n');
  const lines = shown.slice(0, mostLines).map((line) => line.slice(0, mostCharacters));
  const isCut = body.length > mostBytes || lines.join('\n') !== shown.join('\n');
  return [
    `Delivery #${sequence}, received ${formatLocalTime(receivedAt)}`,
    `POST ${path}`,
    ...headers.map(([name, value]) => `${name}: ${value}`),
    '',
    ...lines.map((line) => line.toWellFormed()),
    ...(isCut ? [describeCut(body, showBody(sequence))] : []),
    '',
  ].map(sanitizeLine);
}

export function describeCut(body: Uint8Array, command: string): string {
  return `(the body has ${body.length} bytes; ${command} prints all of it)`;
}
