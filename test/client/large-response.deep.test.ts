// Responses that are large or endless: what they cost in memory, measured with the real command.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { measured, serve, testTooLarge } from './large-response.ts';
import { lines } from './service.ts';

testTooLarge('with its length');

test('a response in chunks of one byte takes no more memory than any other', async (context) => {
  const chunks = Buffer.from('1\r\nx\r\n'.repeat(100_000));
  const host = await serve(context, (_, { socket }) => {
    socket?.write('HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n');
    // A megabyte of them.
    let left = 10;
    const more = () => {
      while (left > 0 && socket?.writable) {
        left -= 1;
        if (!socket.write(chunks)) return;
      }
      socket?.end('0\r\n\r\n');
    };
    socket?.on('drain', more);
    more();
  });
  const { status, errors, most } = await measured(context, host, lines.GET);
  assert.equal(status, 1, errors);
  assert.match(errors, /not a JSON object/);
  assert.ok(most < 200, `${most} MB`);
});
