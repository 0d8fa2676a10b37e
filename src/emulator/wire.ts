// Writes an answer to its connection: whole, or faulty on purpose, as a test has asked for.

import type { ServerResponse } from 'node:http';
import type { Answer } from './answer.ts';

export function send(response: ServerResponse, { status, headers, body }: Answer, head: boolean): void {
  response.writeHead(
    status,
    status === 204 ? headers : { ...headers, 'Content-Length': Buffer.byteLength(body) },
  );
  response.end(head || status === 204 ? undefined : body);
}

/** The first bytes of the answer, then the connection breaks. */
export function sendCut(
  response: ServerResponse,
  { status, headers, body }: Answer,
  bytes: number,
  head: boolean,
): void {
  const lines = Object.entries({ ...headers, 'Content-Length': Buffer.byteLength(body) }).map(
    ([name, value]) => `${name}: ${value}`,
  );
  const whole = Buffer.from(
    `HTTP/1.1 ${status} ${statusText(status)}\r\n${lines.join('\r\n')}\r\n\r\n${head ? '' : body}`,
  );
  const cut = (socket: NonNullable<ServerResponse['socket']>) => {
    if (bytes === 0) socket.destroy();
    else socket.write(whole.subarray(0, bytes), () => socket.destroy());
  };
  // Behind other answers on its connection it is not its turn yet.
  if (response.socket === null) response.once('socket', cut);
  else cut(response.socket);
}

function statusText(status: number): string {
  return status < 400 ? 'OK' : 'Error';
}
