// What follows bytes that are not HTTP, and CONNECT: the requests before them on the same connection are answered first, as
// Node would not do; then the error. Knows for that which requests have no response yet. What the client still sends is read and dropped for a while: if the connection were
// closed over unread bytes, the system would reset it, and the client might lose responses that it has not read yet.
// @see [RFC 9112 §9.6]

import type { IncomingMessage, ServerResponse } from 'node:http';
import { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import type { ListenOptions } from './world.ts';

interface ConnectionState {
  /** Responses that have not been written whole yet, to requests that came whole. Not a Set: see receiver/intake/storing-limit.ts. */
  readonly waiting: ServerResponse[];
  /** The one of them that says that the connection ends. */
  last?: ServerResponse;
  /** The status that the connection ends with. */
  error?: number;
}

export interface MalformedRequestHandler {
  onRequest(request: IncomingMessage, response: ServerResponse): void;
  onClientError(error: NodeJS.ErrnoException, socket: Duplex): void;
  /** For the server's event `connect`: it is no proxy. */
  onConnect(request: IncomingMessage, socket: Duplex): void;
  /** Resolves once no request is without its response. */
  idle(): Promise<void>;
  /** From now on, each connection ends with its next response, or with the last one if there are several to come. */
  endConnections(): void;
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
  503: 'Service Unavailable',
};

/** How long, and how many bytes, a client may still send behind the error. */
const lingering = { milliseconds: 15_000, bytes: 16 * 1024 * 1024 };

export function createMalformedRequestHandler({
  never4xx = false,
  onOwnResponse = () => {},
  ownBody,
}: Pick<ListenOptions, 'never4xx' | 'onOwnResponse' | 'ownBody'> = {}): MalformedRequestHandler {
  const lines = new Map<Duplex, ConnectionState>();
  let isEnding = false;
  /** Requests without their response, on all connections. */
  let count = 0;
  let idlers: (() => void)[] = [];
  const drop = (waiting: ServerResponse[], response: ServerResponse) => {
    const at = waiting.indexOf(response);
    if (at === -1) return;
    waiting.splice(at, 1);
    count -= 1;
    if (count > 0 || idlers.length === 0) return;
    for (const resolve of idlers) resolve();
    idlers = [];
  };
  const lineOf = (socket: Duplex): ConnectionState => {
    const known = lines.get(socket);
    if (known) return known;
    const waiting: ServerResponse[] = [];
    const line = { waiting };
    if (!socket.closed) lines.set(socket, line);
    // Responses behind another on the same connection are not closed with it.
    socket.once('close', () => {
      lines.delete(socket);
      for (const response of [...waiting]) drop(waiting, response);
    });
    return line;
  };
  const endAfterLast = (line: ConnectionState) => {
    const { last } = line;
    const response = line.waiting.at(-1);
    // Where it is false already, the client wants it so.
    if (response === undefined || response === last || !response.shouldKeepAlive) return;
    if (last && !last.headersSent) last.shouldKeepAlive = true;
    response.shouldKeepAlive = false;
    line.last = response;
  };
  const formatBody = (status: number) => {
    if (ownBody === undefined) return 'Connection: close\r\n\r\n';
    const { contentType, body } = ownBody(status);
    const length = Buffer.byteLength(body);
    return `Content-Type: ${contentType}\r\nContent-Length: ${length}\r\nConnection: close\r\n\r\n${body}`;
  };
  const statusOf = (status: number) => (never4xx && status !== 408 ? 503 : status);
  const endIfDone = (socket: Duplex, { waiting, error }: ConnectionState) => {
    if (error === undefined || waiting.length > 0) return;
    if (!socket.writable) return void socket.destroy();
    socket.end(`HTTP/1.1 ${error} ${reasons[error]}\r\n${formatBody(error)}`);
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
      line.waiting.push(response);
      if (isEnding) endAfterLast(line);
      count += 1;
      response.on('close', () => {
        drop(line.waiting, response);
        if (line.error !== undefined) endIfDone(socket, line);
      });
    },
    onClientError(error, socket) {
      const line = lineOf(socket);
      if (line.error !== undefined) return;
      const broken = line.waiting.filter(({ req }) => !req.complete);
      if (error.code === 'ECONNRESET' || !socket.writable) {
        if (broken.length > 0) onOwnResponse(0, 'malformed');
        return void socket.destroy();
      }
      // A client that leaves in the midst of a request has broken off: what it still waited for, it no longer does.
      if (error.code === 'HPE_INVALID_EOF_STATE')
        for (const response of [...line.waiting]) drop(line.waiting, response);
      line.error = statusOf(statuses[error.code ?? ''] ?? 400);
      // The broken bytes are this request's own: it will never be whole, and ends with the connection.
      for (const response of broken) drop(line.waiting, response);
      // A connection on which nothing came, as browsers open them for later, is no malformed request.
      if (bytesRead(socket) > 0) onOwnResponse(line.error, 'malformed');
      endIfDone(socket, line);
    },
    onConnect(_, socket) {
      const line = lineOf(socket);
      socket.on('error', () => undefined);
      line.error ??= statusOf(405);
      onOwnResponse(line.error, 'malformed');
      endIfDone(socket, line);
    },
    endConnections() {
      isEnding = true;
      for (const line of lines.values()) endAfterLast(line);
    },
    idle: () => (count === 0 ? Promise.resolve() : new Promise((resolve) => idlers.push(resolve))),
  };
}

const bytesRead = (socket: Duplex) => (socket instanceof Socket ? socket.bytesRead : 0);
