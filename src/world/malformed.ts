// What follows bytes that are not HTTP: the requests before them on the same connection are answered first, as Node would
// not do; then the error, and the connection ends.

import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';

interface Line {
  /** Responses that have not been written whole yet, to requests that came whole. */
  readonly waiting: Set<ServerResponse>;
  /** The status that the connection ends with. */
  error?: number;
}

export interface MalformedRequests {
  /** For the server's event `request`. */
  request(request: IncomingMessage, response: ServerResponse): void;
  /** For the server's event `clientError`. */
  error(error: NodeJS.ErrnoException, socket: Duplex): void;
}

/** Node's own statuses for what it cannot read. */
const statuses: Readonly<Record<string, number>> = {
  HPE_HEADER_OVERFLOW: 431,
  HPE_CHUNK_EXTENSIONS_OVERFLOW: 413,
  ERR_HTTP_REQUEST_TIMEOUT: 408,
};
const reasons: Readonly<Record<number, string>> = {
  400: 'Bad Request',
  408: 'Request Timeout',
  413: 'Payload Too Large',
  431: 'Request Header Fields Too Large',
};

export function createMalformedRequests(): MalformedRequests {
  const lines = new WeakMap<Duplex, Line>();
  const lineOf = (socket: Duplex): Line => {
    const line = lines.get(socket) ?? { waiting: new Set<ServerResponse>() };
    lines.set(socket, line);
    return line;
  };
  const endIfDone = (socket: Duplex, { waiting, error }: Line) => {
    if (error === undefined || waiting.size > 0) return;
    if (!socket.writable) return void socket.destroy();
    // The rest of what comes is not read: without the destruction a client could send for ever.
    socket.end(`HTTP/1.1 ${error} ${reasons[error]}\r\nConnection: close\r\n\r\n`, () => socket.destroy());
  };
  return {
    request({ socket }, response) {
      const line = lineOf(socket);
      line.waiting.add(response);
      response.once('close', () => {
        line.waiting.delete(response);
        endIfDone(socket, line);
      });
    },
    error(error, socket) {
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
  };
}
