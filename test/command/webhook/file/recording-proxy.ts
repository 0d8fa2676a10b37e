// Stands between `wm` and the emulator, and notes what each webhook was created with, which the service does not show: a test
// then sees the whole state. It can stop at the n-th request, before or after the service has it.

import { createServer } from 'node:http';
import type { TestContext } from 'node:test';
import { listening } from '../../../listening.ts';

export interface Stop {
  /** Counted from 1. */
  readonly at: number;
  readonly when: 'before' | 'after';
  /** Called instead of passing the request, or its response, on. */
  readonly stop: () => void;
}

export interface RecordingProxy {
  readonly host: string;
  /** How many requests came since the last call of `watch`. */
  count(): number;
  watch(stop?: Stop): void;
  /** Every webhook: where it delivers, its status and what it was created with. Sorted. */
  state(): Promise<readonly string[]>;
}

export async function recordingProxy(
  test: TestContext,
  upstream: string | undefined,
  token: string,
): Promise<RecordingProxy> {
  const createdWith = new Map<string, string>();
  let requests = 0;
  let stopping: Stop | undefined;
  const server = createServer(async (request, response) => {
    requests++;
    const stop = stopping?.at === requests ? stopping : undefined;
    const chunks: Uint8Array[] = [];
    for await (const chunk of request) chunks.push(chunk);
    if (stop?.when === 'before') return stop.stop();
    const body = Buffer.concat(chunks).toString();
    const passed = await fetch(`http://${upstream}${request.url}`, {
      method: request.method ?? 'GET',
      headers: {
        Authorization: request.headers.authorization ?? '',
        ...(body === '' ? {} : { 'Content-Type': request.headers['content-type'] ?? '' }),
      },
      ...(body === '' ? {} : { body }),
    });
    const text = await passed.text();
    if (request.method === 'POST' && passed.ok)
      createdWith.set(JSON.parse(text).data[0].id, `${request.url} ${decodeURIComponent(body)}`);
    if (stop) return stop.stop();
    response.writeHead(passed.status, { 'Content-Type': 'application/json' });
    response.end(text);
  });
  test.after(() => {
    server.close();
    server.closeAllConnections();
  });
  return {
    host: `127.0.0.1:${await listening(server)}`,
    count: () => requests,
    watch(stop) {
      requests = 0;
      stopping = stop;
    },
    async state() {
      const listed = await fetch(`http://${upstream}/api/v4/webhooks`, {
        headers: { Authorization: `Bearer ${token}` },
      });
      const { data }: { data: readonly { id: string; status: string }[] } = JSON.parse(await listed.text());
      return data.map(({ id, status }) => `${status} ${createdWith.get(id)}`).toSorted();
    },
  };
}
