// Control requests for tests.

import assert from 'node:assert/strict';
import { once } from 'node:events';
import { type IncomingHttpHeaders, type IncomingMessage, type RequestOptions, request } from 'node:http';
import { text } from 'node:stream/consumers';
import type { Started } from '../start.ts';

export async function control(
  emulator: Pick<Started, 'controlUrl'>,
  method: string,
  path: string,
  body?: unknown,
) {
  const response = await fetch(`${emulator.controlUrl}${path}`, {
    method,
    ...(body === undefined
      ? {}
      : { body: JSON.stringify(body), headers: { 'Content-Type': 'application/json' } }),
  });
  // biome-ignore lint/suspicious/noExplicitAny: tests look into answers of every shape
  const decoded: any = await response.json();
  assert.equal(response.status, 200, JSON.stringify(decoded));
  return decoded;
}

/** Waits until no delivery is in flight. */
export const settled = (emulator: Started) => control(emulator, 'GET', '/deliveries?settled=true');

/** Sends headers that fetch would set itself. */
export async function sendRaw(
  options: RequestOptions,
  body = '',
): Promise<{ status: number; headers: IncomingHttpHeaders; body: string }> {
  const [response]: IncomingMessage[] = await once(
    request({ ...options, agent: false }).end(body),
    'response',
  );
  assert.ok(response);
  return { status: response.statusCode ?? 0, headers: response.headers, body: await text(response) };
}
