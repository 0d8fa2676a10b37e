// Responds to CONNECT, and to bytes that are not HTTP. Unlike Node, first sends the responses that the same connection still owes.
// Then reads on for a while, because closing over unread bytes would reset the connection (RFC 9112 §9.6).

import type { IncomingMessage, ServerResponse } from 'node:http';
import { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import type { ListenOptions } from './world.ts';

interface ConnectionState {
  /** Complete requests whose response has not been written completely. Not a Set: see receiver/intake/storing-limit.ts. */
  readonly waiting: ServerResponse[];
  /** The response that announces the end of the connection. */
  last?: ServerResponse;
  /** The status that ends the connection. */
  error?: number;
}

export interface MalformedRequestHandler {
  onRequest(request: IncomingMessage, response: ServerResponse): void;
  onClientError(error: NodeJS.ErrnoException, socket: Duplex): void;
  /** For the server's event `connect`: this server is not a proxy. */
  onConnect(request: IncomingMessage, socket: Duplex): void;
  /** Resolves when every request has its response. */
  idle(): Promise<void>;
  /** From now on, ends each connection with its next response, or with its last if several are due. */
  endConnections(): void;
}

/** The status that Node sends for each of its parser errors. */
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

/** How much, and for how long, a client may still send after the error. */
const lingering = { milliseconds: 15_000, bytes: 16 * 1024 * 1024 };

export function createMalformedRequestHandler({
  never4xx = false,
  onOwnResponse = () => {},
  ownBody,
}: Pick<ListenOptions, 'never4xx' | 'onOwnResponse' | 'ownBody'> = {}): MalformedRequestHandler {
  const lines = new Map<Duplex, ConnectionState>();
  let isEnding = false;
  /** Requests on all connections that wait for their response. */
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
    const existing = lines.get(socket);
    if (existing) return existing;
    const waiting: ServerResponse[] = [];
    const line = { waiting };
    if (!socket.closed) lines.set(socket, line);
    // Node does not close a response that is queued behind another on the same connection.
    socket.once('close', () => {
      lines.delete(socket);
      for (const response of [...waiting]) drop(waiting, response);
    });
    return line;
  };
  const endAfterLast = (line: ConnectionState) => {
    const { last } = line;
    const response = line.waiting.at(-1);
    // If it is already false, the client asked for that.
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
    // Without a limit, a client could send forever.
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
      // A client that leaves during a request no longer waits for its other responses.
      if (error.code === 'HPE_INVALID_EOF_STATE')
        for (const response of [...line.waiting]) drop(line.waiting, response);
      line.error = statusOf(statuses[error.code ?? ''] ?? 400);
      // The malformed bytes belong to this request: it will never be complete, and ends with the connection.
      for (const response of broken) drop(line.waiting, response);
      // Browsers open connections for later. One without a byte is not a malformed request.
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
