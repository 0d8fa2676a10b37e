// The control calls as tests use them.

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
  const answer = await fetch(`${emulator.controlUrl}${path}`, {
    method,
    ...(body === undefined
      ? {}
      : { body: JSON.stringify(body), headers: { 'Content-Type': 'application/json' } }),
  });
  // biome-ignore lint/suspicious/noExplicitAny: tests look into answers of every shape
  const decoded: any = await answer.json();
  assert.equal(answer.status, 200, JSON.stringify(decoded));
  return decoded;
}

/** Waits until nothing is on its way. */
export const settled = (emulator: Started) => control(emulator, 'GET', '/deliveries?settled=true');

/** With headers that fetch sets by itself. */
export async function sendRaw(
  options: RequestOptions,
  body = '',
): Promise<{ status: number; headers: IncomingHttpHeaders; body: string }> {
  const [answer]: IncomingMessage[] = await once(request({ ...options, agent: false }).end(body), 'response');
  assert.ok(answer);
  return { status: answer.statusCode ?? 0, headers: answer.headers, body: await text(answer) };
}
