// What a proxy does with CONNECT in a test: it opens a tunnel to this machine, wherever it was asked to.

import { connect } from 'node:net';
import type { Duplex } from 'node:stream';

export function openTunnel(socket: Duplex, port: number): void {
  const onward = connect(port, '127.0.0.1', () => socket.write('HTTP/1.1 200 OK\r\n\r\n'));
  socket.pipe(onward).pipe(socket);
  for (const end of [socket, onward]) end.on('error', () => {});
}
