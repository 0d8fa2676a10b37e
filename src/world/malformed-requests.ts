// What follows bytes that are not HTTP, and CONNECT: the requests before them on the same connection are answered first, as
// Node would not do; then the error. What the client still sends is read and dropped for a while: if the connection were
// closed over unread bytes, the system would reset it, and the client might lose responses that it has not read yet.
// @see [RFC 9112 §9.6]

import type { IncomingMessage, ServerResponse } from 'node:http';
import { Socket } from 'node:net';
import type { Duplex } from 'node:stream';

interface ConnectionState {
  /** Responses that have not been written whole yet, to requests that came whole. */
  readonly waiting: Set<ServerResponse>;
  /** The status that the connection ends with. */
  error?: number;
}

export interface MalformedRequestHandler {
  /** For the server's event `request`. */
  onRequest(request: IncomingMessage, response: ServerResponse): void;
  /** For the server's event `clientError`. */
  onClientError(error: NodeJS.ErrnoException, socket: Duplex): void;
  /** For the server's event `connect`: it is no proxy. */
  onConnect(request: IncomingMessage, socket: Duplex): void;
}

/** Node's own statuses for what it cannot read. */
const statuses: Readonly<Record<string, number>> = {
  HPE_HEADER_OVERFLOW: 431,
  HPE_CHUNK_EXTENSIONS_OVERFLOW: 413,
  ERR_HTTP_REQUEST_TIMEOUT: 408,
};
const reasons: Readonly<Record<number, string>> = {
  400: 'Bad Request',
  405: 'Method Not Allowed',
  408: 'Request Timeout',
  413: 'Payload Too Large',
  431: 'Request Header Fields Too Large',
};

/** How long, and how many bytes, a client may still send behind the error. */
const lingering = { milliseconds: 15_000, bytes: 16 * 1024 * 1024 };

export function createMalformedRequestHandler(): MalformedRequestHandler {
  const lines = new WeakMap<Duplex, ConnectionState>();
  const lineOf = (socket: Duplex): ConnectionState => {
    const line = lines.get(socket) ?? { waiting: new Set<ServerResponse>() };
    lines.set(socket, line);
    return line;
  };
  const endIfDone = (socket: Duplex, { waiting, error }: ConnectionState) => {
    if (error === undefined || waiting.size > 0) return;
    if (!socket.writable) return void socket.destroy();
    socket.end(`HTTP/1.1 ${error} ${reasons[error]}\r\nConnection: close\r\n\r\n`);
    // Without a limit a client could send for ever.
    const timer = setTimeout(() => socket.destroy(), lingering.milliseconds);
    socket.once('close', () => clearTimeout(timer));
    const already = bytesRead(socket);
    socket.on('data', () => {
      if (bytesRead(socket) - already > lingering.bytes) socket.destroy();
    });
    socket.once('end', () => socket.destroy());
    socket.resume();
  };
  return {
    onRequest({ socket }, response) {
      const line = lineOf(socket);
      line.waiting.add(response);
      response.once('close', () => {
        line.waiting.delete(response);
        endIfDone(socket, line);
      });
    },
    onClientError(error, socket) {
      const line = lineOf(socket);
      if (line.error !== undefined) return;
      if (error.code === 'ECONNRESET' || !socket.writable) return void socket.destroy();
      // A client that leaves in the midst of a request has broken off: what it still waited for, it no longer does.
      if (error.code === 'HPE_INVALID_EOF_STATE') line.waiting.clear();
      line.error = statuses[error.code ?? ''] ?? 400;
      // The broken bytes are this request's own: it will never be whole, and ends with the connection.
      for (const response of line.waiting) if (!response.req.complete) line.waiting.delete(response);
      endIfDone(socket, line);
    },
    onConnect(_, socket) {
      const line = lineOf(socket);
      socket.on('error', () => undefined);
      line.error ??= 405;
      endIfDone(socket, line);
    },
  };
}

const bytesRead = (socket: Duplex) => (socket instanceof Socket ? socket.bytesRead : 0);
