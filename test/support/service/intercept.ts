// Something between `wm` and the emulator, as a proxy would be: a test says which requests it answers itself.

import { createServer, type IncomingMessage, type ServerResponse, request as sendRequest } from 'node:http';
import type { TestContext } from 'node:test';
import { listening } from './listening.ts';

/** The service's answer goes on unless `takes` says that it dealt with the request. Gives the host to ask. */
export async function inFront(
  test: TestContext,
  host: string | undefined,
  takes: (request: IncomingMessage, response: ServerResponse) => boolean,
): Promise<string> {
  const [hostname, port] = host?.split(':') ?? [];
  const server = createServer((request, response) => {
    // Who has ended the connection has dealt with it, too.
    if (takes(request, response) || request.socket.destroyed) return;
    const { url: path, method, headers } = request;
    const onward = sendRequest({ hostname, port, path, method, headers }, (upstream) => {
      response.writeHead(upstream.statusCode ?? 500, upstream.headers);
      upstream.pipe(response);
    });
    // The emulator is gone with its test.
    onward.on('error', () => response.destroy());
    request.pipe(onward);
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
