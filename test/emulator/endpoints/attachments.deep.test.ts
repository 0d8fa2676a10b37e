// Files as long as the emulator keeps them.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { started } from '#test/support/service/start-emulator.ts';
import { shows } from '../shows.ts';
import { download, mebibytes, upload, urlOf } from './files.ts';

test('stores files up to 16 MiB each, and the latest 64 MiB in all', async (t) => {
  shows('file-contents', 'default');
  const emulator = await started(t);
  const [long] = (await upload(emulator, new Uint8Array(16 * 1024 * 1024 + 1))).body.data;
  assert.equal(long.size, 16 * 1024 * 1024 + 1);
  assert.equal((await download(emulator, await urlOf(emulator, long.id))).status, 404);
  const made: { id: string }[] = [];
  for (let count = 0; count < 5; count++) made.push((await upload(emulator, mebibytes(16))).body.data[0]);
  const [first, second, , , last] = made;
  assert.ok(first && second && last);
  const gone = await download(emulator, await urlOf(emulator, first.id));
  assert.equal(gone.status, 404);
  assert.match(gone.bytes.toString(), /keeps them in memory, up to a limit/);
  assert.ok((await download(emulator, await urlOf(emulator, second.id))).bytes.equals(mebibytes(16)));
  assert.ok((await download(emulator, await urlOf(emulator, last.id))).bytes.equals(mebibytes(16)));
});
