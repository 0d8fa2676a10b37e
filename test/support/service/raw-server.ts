// A server that understands no HTTP: it keeps every byte that comes and answers each request with the bytes it was told
// to. What a test reads here is what was really sent, not what a library made of it.

import { createServer, type Socket } from 'node:net';
import { listening } from './listening.ts';

export interface RawServer {
  readonly port: number;
  /** As WM_HOST takes it. */
  readonly host: string;
  /** Each request, byte for byte (as Latin-1, so that a byte is a character). */
  readonly requests: string[];
  close(): Promise<void>;
}

export type Reply = (request: string, count: number) => string | 'cut' | 'silence';

/** A JSON answer with the length it needs. */
export function jsonReply(status: number, body: unknown, headers: readonly string[] = []): string {
  const text = typeof body === 'string' ? body : JSON.stringify(body);
  return [
    `HTTP/1.1 ${status} X`,
    'Content-Type: application/json',
    `Content-Length: ${Buffer.byteLength(text)}`,
    'Connection: close',
    ...headers,
    '',
    text,
  ].join('\r\n');
}

export async function startRawServer(reply: Reply): Promise<RawServer> {
  const requests: string[] = [];
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket);
    socket.on('close', () => sockets.delete(socket));
    socket.on('error', () => {});
    let received = '';
    socket.on('data', (bytes: Buffer) => {
      received += bytes.toString('latin1');
      const head = received.indexOf('\r\n\r\n');
      if (head === -1) return;
      const length = Number(/^content-length: (\d+)$/im.exec(received.slice(0, head))?.[1] ?? 0);
      if (received.length < head + 4 + length) return;
      const request = received;
      received = '';
      requests.push(request);
      const answer = reply(request, requests.length);
      if (answer === 'cut') socket.destroy();
      else if (answer !== 'silence') socket.end(answer);
    });
  });
  const port = await listening(server);
  return {
    port,
    host: `127.0.0.1:${port}`,
    requests,
    close: () =>
      new Promise((resolve) => {
        for (const socket of sockets) socket.destroy();
        server.close(() => resolve());
      }),
  };
}
