// Something between `wm` and the emulator, as a proxy would be: a test says which requests it answers itself.

import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { TestContext } from 'node:test';
import { listening } from './listening.ts';

/** The service's answer goes on unless `takes` says that it dealt with the request. Gives the host to ask. */
export async function inFront(
  test: TestContext,
  host: string | undefined,
  takes: (request: IncomingMessage, response: ServerResponse) => boolean,
): Promise<string> {
  const server = createServer(async (request, response) => {
    // Who has ended the connection has dealt with it, too.
    if (takes(request, response) || request.socket.destroyed) return;
    const upstream = await fetch(`http://${host}${request.url}`, {
      method: request.method ?? 'GET',
      headers: { Authorization: request.headers.authorization ?? '' },
    }).catch(() => undefined);
    // The emulator is gone with its test.
    if (!upstream) return void response.destroy();
    response.writeHead(upstream.status, { 'Content-Type': 'application/json' });
    response.end(await upstream.text());
  });
  test.after(() => {
    server.close();
    server.closeAllConnections();
  });
  return `127.0.0.1:${await listening(server)}`;
}

export function fail(response: ServerResponse, status: number, error: string): true {
  response.writeHead(status, { 'Content-Type': 'application/json' });
  response.end(JSON.stringify({ error, errorDescription: 'A fault of the test' }));
  return true;
}
