// Writes an answer to its connection: whole, or faulty on purpose, as a test has asked for.

import type { ServerResponse } from 'node:http';
import type { OutgoingResponse } from './response.ts';

export function writeResponse(
  response: ServerResponse,
  { status, headers, body }: OutgoingResponse,
  head: boolean,
): void {
  response.writeHead(
    status,
    status === 204 ? headers : { ...headers, 'Content-Length': Buffer.byteLength(body) },
  );
  response.end(head || status === 204 ? undefined : body);
}

/** The first bytes of the answer, then the connection breaks. */
export function writeTruncated(
  response: ServerResponse,
  { status, headers, body }: OutgoingResponse,
  bytes: number,
  head: boolean,
): void {
  const lines = Object.entries({ ...headers, 'Content-Length': Buffer.byteLength(body) }).map(
    ([name, value]) => `${name}: ${value}`,
  );
  const whole = Buffer.from(
    `HTTP/1.1 ${status} ${statusText(status)}\r\n${lines.join('\r\n')}\r\n\r\n${head ? '' : body}`,
  );
  whenNextInLine(response, (socket) => {
    if (bytes === 0) socket.destroy();
    else socket.write(whole.subarray(0, bytes), () => socket.destroy());
  });
}

/** Nothing ever, until the client closes its end; what could still be said to it then is not to be said. */
export function writeNothing(response: ServerResponse): void {
  whenNextInLine(response, (socket) => {
    if (socket.readableEnded) socket.destroy();
    else socket.once('end', () => socket.destroy());
  });
}

type Connection = NonNullable<ServerResponse['socket']>;

/** Behind other answers on its connection it is not this one's turn yet. */
function whenNextInLine(response: ServerResponse, use: (connection: Connection) => void): void {
  if (response.socket === null) response.once('socket', use);
  else use(response.socket);
}

function statusText(status: number): string {
  return status < 400 ? 'OK' : 'Error';
}
