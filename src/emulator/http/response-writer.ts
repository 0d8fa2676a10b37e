// Writes a response to its connection, complete, or cut off or withheld for an injected fault.

import type { ServerResponse } from 'node:http';
import type { OutgoingResponse } from './response.ts';

export function writeResponse(
  response: ServerResponse,
  { status, headers, body, file }: OutgoingResponse,
): void {
  const content = file ?? body;
  response.writeHead(
    status,
    status === 204 ? headers : { ...headers, 'Content-Length': Buffer.byteLength(content) },
  );
  // Node omits the content for HEAD and for 204.
  response.end(content);
}

/** Writes the first bytes of the response, then closes the connection. */
export function writeTruncated(
  response: ServerResponse,
  { status, headers, body, file }: OutgoingResponse,
  bytes: number,
): void {
  const content = Buffer.from(file ?? body);
  const lines = Object.entries({ ...headers, 'Content-Length': content.length }).map(
    ([name, value]) => `${name}: ${value}`,
  );
  const statusLine = `HTTP/1.1 ${status} ${status < 400 ? 'OK' : 'Error'}`;
  const start = Buffer.from(`${statusLine}\r\n${lines.join('\r\n')}\r\n\r\n`);
  const complete = response.req.method === 'HEAD' ? start : Buffer.concat([start, content]);
  whenSocketAssigned(response, (socket) => {
    if (bytes === 0) socket.destroy();
    else socket.write(complete.subarray(0, bytes), () => socket.destroy());
  });
}

/** Writes nothing, and closes the connection once the client has closed its end. */
export function writeNothing(response: ServerResponse): void {
  whenSocketAssigned(response, (socket) => {
    if (socket.readableEnded) socket.destroy();
    else socket.once('end', () => socket.destroy());
  });
}

/** A response has no socket until the earlier responses on its connection are written. */
function whenSocketAssigned(
  response: ServerResponse,
  use: (socket: NonNullable<ServerResponse['socket']>) => void,
): void {
  if (response.socket === null) response.once('socket', use);
  else use(response.socket);
}
