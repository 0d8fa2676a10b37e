// A whole delivery for a user: when it came, its headers, and its body, indented if it is JSON. All of it is text from strangers.

import { parseJsonIfValid } from '../../../contract/json.ts';
import type { StoredDelivery } from '../../../receiver/stored-delivery.ts';
import { sanitizeLine } from '../../../terminal/sanitize.ts';
import { formatLocalTime } from '../../local-time.ts';

/** More would scroll away before anybody could read it. */
const mostLines = 200;
const mostBytes = 64 * 1024;

export function describeDetails(delivery: StoredDelivery): readonly string[] {
  const { sequence, receivedAt, path, headers, body } = delivery;
  const text = new TextDecoder().decode(body.subarray(0, mostBytes));
  const parsed = body.length <= mostBytes ? parseJsonIfValid(text) : undefined;
  const shown = (parsed === undefined ? text : JSON.stringify(parsed, null, 2)).split('\n');
  const isCut = body.length > mostBytes || shown.length > mostLines;
  return [
    `Delivery #${sequence}, received ${formatLocalTime(receivedAt)}`,
    `POST ${path}`,
    ...headers.map(([name, value]) => `${name}: ${value}`),
    '',
    ...shown.slice(0, mostLines),
    ...(isCut
      ? [`(the body has ${body.length} bytes; wm webhook log ${sequence} --body prints all of it)`]
      : []),
    '',
  ].map(sanitizeLine);
}
