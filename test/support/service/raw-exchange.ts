// Connections on which a test writes bytes of its own, and reads all that comes back.

import { connect, type Socket } from 'node:net';

export interface RawConnection {
  readonly socket: Socket;
  /** What has come so far, a character for each byte. */
  text(): string;
  /** All that came, once the connection is closed. */
  readonly all: Promise<string>;
}

export function openConnection(port: number): RawConnection {
  let text = '';
  const socket = connect({ host: '127.0.0.1', port, allowHalfOpen: true });
  const all = new Promise<string>((resolve) => {
    socket
      .setEncoding('latin1')
      .on('data', (piece: string) => {
        text += piece;
      })
      .on('end', () => socket.end())
      .on('error', () => {})
      .on('close', () => resolve(text));
  });
  return { socket, all, text: () => text };
}

/** Sends these bytes on a connection of its own, and ends its side if told so. */
export function exchangeBytes(
  port: number,
  bytes: string | Uint8Array,
  { end = false } = {},
): Promise<string> {
  const { socket, all } = openConnection(port);
  const content = typeof bytes === 'string' ? Buffer.from(bytes) : bytes;
  if (end) socket.end(content);
  else socket.write(content);
  return all;
}

/** The status codes in what came back. */
export const statusesIn = (text: string) =>
  [...text.matchAll(/^HTTP\/1\.1 (\d{3}) /gm)].map(([, status]) => Number(status));
