// Requests that arrive slowly, in real time: a trickle ends, and what makes progress is answered, however long it takes.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openConnection, statusesIn } from '#test/support/service/raw-exchange.ts';
import { createServer } from '#world/server.ts';

const head = (length: number) =>
  `POST / HTTP/1.1\r\nHost: a\r\nConnection: close\r\nContent-Length: ${length}\r\n\r\n`;
const limits = { connections: 10, stallMs: 1_000 };

for (const [description, begun, piece, pieces, status] of [
  ['a head, a byte at a time', 'POST / HTTP/1.1\r\nX: ', 'x', 100, 408],
  ['a body, a byte at a time', head(9_999), 'x', 100, 408],
  ['a body, 2 kB at a time', head(60 * 2_048), 'x'.repeat(2_048), 60, 204],
] as const)
  test(`${description}: ${status}`, async (t) => {
    const server = await createServer().listen(
      { host: '127.0.0.1', port: 0, never4xx: true, limits },
      (request, response) => {
        request.resume().on('end', () => response.writeHead(204).end());
      },
    );
    if ('fault' in server) assert.fail(server.detail);
    t.after(() => server.close());
    const { socket, all } = openConnection(server.port);
    socket.write(begun);
    let sent = 0;
    const timer = setInterval(() => {
      if (sent++ < pieces) socket.write(piece);
    }, 50);
    t.after(() => clearInterval(timer));
    assert.deepEqual(statusesIn(await all), [status]);
    assert.ok(status === 408 ? sent < pieces : sent >= pieces);
  });
