// Responds to CONNECT, and to bytes that are not HTTP. Unlike Node, first sends the responses that the same connection still owes.
// Then reads on for a while, because closing over unread bytes would reset the connection (RFC 9112 §9.6).

import { type IncomingMessage, type ServerResponse, STATUS_CODES } from 'node:http';
import { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import type { ListenOptions } from './world.ts';

interface ConnectionState {
  /** Complete requests whose response has not been written completely. Not a Set, whose old tables keep responses alive. */
  readonly waiting: ServerResponse[];
  /** The response that announces the end of the connection. */
  last?: ServerResponse;
  error?: number;
}

/** The status that Node sends for each of its parser errors. */
const statuses: Readonly<Record<string, number>> = {
  HPE_HEADER_OVERFLOW: 431,
  HPE_CHUNK_EXTENSIONS_OVERFLOW: 413,
  ERR_HTTP_REQUEST_TIMEOUT: 408,
};

/** How much, and for how long, a client may still send after the error. */
const lingering = { milliseconds: 15_000, bytes: 16 * 1024 * 1024 };

export function createMalformedRequestHandler({
  never4xx = false,
  onOwnResponse = () => {},
  ownBody,
}: Pick<ListenOptions, 'never4xx' | 'onOwnResponse' | 'ownBody'>) {
  const connections = new Map<Duplex, ConnectionState>();
  let isEnding = false;
  /** Requests on all connections that wait for their response. */
  let waitingCount = 0;
  const idleListeners: (() => void)[] = [];
  const drop = (waiting: ServerResponse[], response: ServerResponse) => {
    const index = waiting.indexOf(response);
    if (index === -1) return;
    waiting.splice(index, 1);
    waitingCount -= 1;
    if (waitingCount === 0) for (const resolve of idleListeners.splice(0)) resolve();
  };
  const dropAll = (waiting: ServerResponse[]) => {
    for (const response of [...waiting]) drop(waiting, response);
  };
  const connectionOf = (socket: Duplex): ConnectionState => {
    const existing = connections.get(socket);
    if (existing) return existing;
    const connection: ConnectionState = { waiting: [] };
    if (!socket.closed) connections.set(socket, connection);
    // Node does not close a response that is queued behind another on the same connection.
    socket.once('close', () => {
      connections.delete(socket);
      dropAll(connection.waiting);
    });
    return connection;
  };
  const endAfterLast = (connection: ConnectionState) => {
    const { last } = connection;
    const response = connection.waiting.at(-1);
    // If it is already false, the client asked for that.
    if (response === undefined || response === last || !response.shouldKeepAlive) return;
    if (last && !last.headersSent) last.shouldKeepAlive = true;
    response.shouldKeepAlive = false;
    connection.last = response;
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
    socket.end(`HTTP/1.1 ${error} ${STATUS_CODES[error]}\r\n${formatBody(error)}`);
    // Without a limit, a client could send forever.
    const timer = setTimeout(() => socket.destroy(), lingering.milliseconds);
    socket.once('close', () => clearTimeout(timer));
    const bytesBefore = bytesRead(socket);
    socket.on('data', () => {
      if (bytesRead(socket) - bytesBefore > lingering.bytes) socket.destroy();
    });
    socket.once('end', () => socket.destroy());
    socket.resume();
  };
  return {
    onRequest({ socket }: IncomingMessage, response: ServerResponse) {
      const connection = connectionOf(socket);
      connection.waiting.push(response);
      if (isEnding) endAfterLast(connection);
      waitingCount += 1;
      response.on('close', () => {
        drop(connection.waiting, response);
        endIfDone(socket, connection);
      });
    },
    onClientError(error: NodeJS.ErrnoException, socket: Duplex) {
      const connection = connectionOf(socket);
      if (connection.error !== undefined) return;
      const broken = connection.waiting.filter(({ req }) => !req.complete);
      if (error.code === 'ECONNRESET' || !socket.writable) {
        if (broken.length > 0) onOwnResponse(0, 'malformed');
        return void socket.destroy();
      }
      // A client that leaves during a request no longer waits for its other responses.
      if (error.code === 'HPE_INVALID_EOF_STATE') dropAll(connection.waiting);
      connection.error = statusOf(statuses[error.code ?? ''] ?? 400);
      // The malformed bytes belong to this request: it will never be complete, and ends with the connection.
      for (const response of broken) drop(connection.waiting, response);
      // Browsers open connections for later. One without a byte is not a malformed request.
      if (bytesRead(socket) > 0) onOwnResponse(connection.error, 'malformed');
      endIfDone(socket, connection);
    },
    /** For the server's event `connect`: this server is not a proxy. */
    onConnect(_: IncomingMessage, socket: Duplex) {
      const connection = connectionOf(socket);
      socket.on('error', () => undefined);
      connection.error ??= statusOf(405);
      onOwnResponse(connection.error, 'malformed');
      endIfDone(socket, connection);
    },
    /** From now on, ends each connection with its next response, or with its last if several are due. */
    endConnections() {
      isEnding = true;
      for (const connection of connections.values()) endAfterLast(connection);
    },
    async idle() {
      if (waitingCount > 0) await new Promise<void>((resolve) => idleListeners.push(resolve));
    },
  };
}

const bytesRead = (socket: Duplex) => (socket instanceof Socket ? socket.bytesRead : 0);
