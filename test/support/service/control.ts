// Control requests for tests.

import assert from 'node:assert/strict';
import { once } from 'node:events';
import { type IncomingHttpHeaders, type IncomingMessage, type RequestOptions, request } from 'node:http';
import { text as textOf } from 'node:stream/consumers';
import { agent, send } from './send.ts';
import type { Started } from './start-emulator.ts';

export async function control(
  emulator: Pick<Started, 'controlUrl'>,
  method: string,
  path: string,
  body?: unknown,
) {
  const { status, text } = await send(`${emulator.controlUrl}${path}`, {
    method,
    ...(body === undefined
      ? {}
      : { body: JSON.stringify(body), headers: { 'Content-Type': 'application/json' } }),
  });
  // biome-ignore lint/suspicious/noExplicitAny: tests look into answers of every shape
  const decoded: any = JSON.parse(text);
  assert.equal(status, 200, text);
  return decoded;
}

/** Sends a control request that must be rejected, and gives back the reason. */
export async function rejectedControl(
  { controlUrl }: Pick<Started, 'controlUrl'>,
  path: string,
  body: object,
  expected = 400,
): Promise<string> {
  const { status, text } = await send(`${controlUrl}${path}`, { method: 'POST', body: JSON.stringify(body) });
  assert.equal(status, expected, `${JSON.stringify(body).slice(0, 80)}: ${text.slice(0, 200)}`);
  return JSON.parse(text).errorDescription;
}

/** Waits until no delivery is in flight. */
export const settled = (emulator: Started) => control(emulator, 'GET', '/deliveries?settled=true');

/** Sends headers that fetch would set itself. */
export async function sendRaw(
  options: RequestOptions,
  body = '',
): Promise<{ status: number; headers: IncomingHttpHeaders; body: string }> {
  const [response]: IncomingMessage[] = await once(request({ ...options, agent }).end(body), 'response');
  assert.ok(response);
  return { status: response.statusCode ?? 0, headers: response.headers, body: await textOf(response) };
}
