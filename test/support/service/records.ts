// The records of responses, and their members, for assertions of one line.

import assert from 'node:assert/strict';
import type { RunningEmulator } from '#emulator/emulator.ts';
import { type Body, call, rejectedUpdate } from './start-emulator.ts';

/** The records that a request of the API responds with; fails unless its status is 200. */
export async function records(...request: Parameters<typeof call>): Promise<Body['data']> {
  const { status, body } = await call(...request);
  assert.equal(status, 200, `${request[2]}: ${JSON.stringify(body)}`);
  return body.data;
}

/** The status and the error code of a request of the API; the most usual ones have names. */
export async function outcome(...request: Parameters<typeof call>): Promise<[number, string | undefined]> {
  const { status, body } = await call(...request);
  return [status, body.error];
}

export const invalid = [400, 'invalid_parameter'] as const;
export const forbidden = [403, 'access_forbidden'] as const;
export const notFound = [404, 'resource_not_found'] as const;

/** Sends a task update that must be invalid, and gives back the reason. */
export async function invalidUpdate(
  emulator: RunningEmulator,
  parameters: Record<string, unknown>,
  taskId: string = emulator.sampleTask,
): Promise<string> {
  const { status, error, description } = await rejectedUpdate(emulator, parameters, taskId);
  assert.deepEqual([status, error], invalid, JSON.stringify(parameters).slice(0, 80));
  return description;
}

/** One member of each record. */
export const valuesOf = (list: readonly object[], name: string) =>
  list.map((record) => Reflect.get(record, name));

/** Several members of each record. */
export const rowsOf = (list: readonly object[], ...names: readonly string[]) =>
  list.map((record) => names.map((name) => Reflect.get(record, name)));
