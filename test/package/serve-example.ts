// Puts the examples of docs/webhook-library.md behind a server, as the frameworks that they are written for do, and prints its
// address. Compiled together with each of them by package.test.ts.

import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Readable } from 'node:stream';

export function tellPort(server: Server): void {
  const tell = () =>
    process.stdout.write(`http://127.0.0.1:${(server.address() as AddressInfo).port}/hook\n`);
  if (server.listening) tell();
  else server.on('listening', tell);
}

type Handler = (request: IncomingMessage, response: ServerResponse) => Promise<void>;

const serve = (handle: Handler) =>
  tellPort(createServer((request, response) => void handle(request, response)).listen(0, '127.0.0.1'));

/** As a server does that passes on WHATWG requests. */
export function throughFetch(fetch: (request: Request) => Promise<Response>): Handler {
  return async (request, response) => {
    const { method = '', headersDistinct } = request;
    const headers = Object.entries(headersDistinct).flatMap(([name, values = []]) =>
      values.map((value): [string, string] => [name, value]),
    );
    const body = method === 'GET' || method === 'HEAD' ? null : (Readable.toWeb(request) as ReadableStream);
    const init = { method, headers, body, duplex: 'half' } as const;
    const { status, headers: given } = await fetch(
      new Request(`http://receiver.example${request.url}`, init),
    );
    response.writeHead(status, [...given].flat()).end();
  };
}

export const serveFetch = (fetch: (request: Request) => Promise<Response>) => serve(throughFetch(fetch));

interface GatewayRequest {
  headers: Record<string, string | undefined>;
  body?: string;
  isBase64Encoded: boolean;
}

/** As a gateway does that calls a function with the body in base64. */
export function serveGateway(
  handler: (
    request: GatewayRequest,
  ) => Promise<{ statusCode: number; headers?: Readonly<Record<string, string>> }>,
): void {
  serve(async (request, response) => {
    const pieces: Uint8Array[] = [];
    for await (const piece of request) pieces.push(piece);
    const headers = Object.fromEntries(
      // As many gateways write them.
      Object.entries(request.headersDistinct).map(([name, values = []]) => [
        name.replace(/\b[a-z]/g, (letter) => letter.toUpperCase()),
        values.join(','),
      ]),
    );
    const body = Buffer.concat(pieces).toString('base64');
    const result = await handler({ headers, body, isBase64Encoded: true });
    response.writeHead(result.statusCode, { ...result.headers }).end();
  });
}
