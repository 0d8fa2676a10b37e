// Responses that are large or endless: what they cost in memory, measured with the real command; and several records that are too large
// together.

import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { askAt, lines } from '#test/support/service/scripted-service.ts';
import { createWorld } from '#world/create-world.ts';
import { createFiles } from '#world/files.ts';
import { ids, largeTasks, measured, serve, testTooLarge } from './large-response.ts';

testTooLarge('with its length');

test('a response in one-byte chunks takes no more memory than any other', async (context) => {
  const chunks = Buffer.from('1\r\nx\r\n'.repeat(100_000));
  const host = await serve(context, (_, { socket }) => {
    socket?.write('HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n');
    // A megabyte of them.
    let remaining = 10;
    const more = () => {
      while (remaining > 0 && socket?.writable) {
        remaining -= 1;
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

test('reads several records separately if they are too large together', async (context) => {
  const { host, read } = await largeTasks(context, [12, 12, 12]);
  const ran = await askAt({ host }, ['task', 'get', ...ids]);
  assert.equal(ran.status, 0, ran.errors);
  assert.deepEqual(
    ran.output.split('\n').map((line) => line.slice(0, 16)),
    [...ids, ''],
  );
  assert.deepEqual(read, [3, 2, 1]);
});

test('names a record that is too large alone, and prints the others', async (context) => {
  const { host } = await largeTasks(context, [0, 33, 0]);
  const ran = await askAt({ host }, ['task', 'get', ...ids]);
  assert.equal(ran.status, 5, ran.errors);
  assert.match(ran.errors, new RegExp(`1 of 3 tasks was too large: ${ids[1]}`));
  assert.equal(ran.output.trim().split('\n').length, 2);
});

test('reads the previous values of a bulk update separately, too', async (context) => {
  const folder = await mkdtemp(join(tmpdir(), 'wm-large-'));
  context.after(() => rm(folder, { recursive: true }));
  const { host, read, updated } = await largeTasks(context, [12, 12, 12]);
  const typed = ['task', 'update', ...ids, '--title', 'new', '--undoable', '--yes'];
  const files = createFiles({ WM_CONFIG_DIR: folder }, process.platform, folder);
  const ran = await askAt({ host }, typed, { world: { files, clock: createWorld().clock } });
  assert.equal(ran.status, 0, ran.errors);
  assert.deepEqual(read, [3, 2, 1]);
  assert.deepEqual(updated.toSorted(), ids);
});
