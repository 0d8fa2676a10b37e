// A file that is read at any position while it grows, and a folder whose names must be on the disk.

import assert from 'node:assert/strict';
import { appendFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { createFaultySystem } from '#test/support/disk/faulty-system.ts';
import { ownFolder } from '#test/support/disk/own-folder.ts';
import { createFiles } from '#world/files.ts';

const filesWith = (system = createFaultySystem().system, platform: NodeJS.Platform = process.platform) =>
  createFiles({ WM_CONFIG_DIR: '/nowhere' }, platform, '/', () => '/', system);

test('reads at any position, including data added later', async (context) => {
  const path = join(await ownFolder(context), 'file');
  const files = filesWith();
  assert.equal(await files.openForReading(path), undefined);
  await writeFile(path, '0123456789');
  const file = await files.openForReading(path);
  assert.ok(file);
  const read = async (position: number, length: number) =>
    Buffer.from(await file.read(position, length)).toString();
  assert.equal(await read(3, 4), '3456');
  assert.equal(await read(8, 4), '89');
  assert.equal(await read(10, 4), '');
  await appendFile(path, 'abc');
  assert.equal(await read(8, 100), '89abc');
  await file.close();
});

test('reads to the end from a disk that gives partial reads; an error names the file', async (context) => {
  const path = join(await ownFolder(context), 'file');
  await writeFile(path, '0123456789');
  const { system } = createFaultySystem();
  const slow = {
    ...system,
    promises: {
      ...system.promises,
      async open(name: string, flags: string, mode?: number) {
        const file = await system.promises.open(name, flags, mode);
        return {
          ...file,
          read: (into: Uint8Array, offset: number, length: number, position: number) =>
            file.read(into, offset, Math.min(3, length), position),
        };
      },
    },
  };
  const file = await filesWith(slow).openForReading(path);
  assert.equal(Buffer.from((await file?.read(1, 8)) ?? []).toString(), '12345678');
  await file?.close();
  for (const at of [0, 1]) {
    const faulty = createFaultySystem({ at, fault: 'EIO' });
    const reading = async () => {
      const opened = await filesWith(faulty.system).openForReading(path);
      await opened?.read(0, 1);
    };
    await assert.rejects(reading, { code: 'EIO', path });
    await faulty.close();
  }
});

test('a folder that cannot be synced is an error, unless its file system never syncs folders', async (context) => {
  const folder = await ownFolder(context);
  await filesWith().syncFolder(folder);
  const { system } = createFaultySystem();
  const failing = (code: string) => ({
    ...system,
    promises: {
      ...system.promises,
      async open(name: string, flags: string, mode?: number) {
        const file = await system.promises.open(name, flags, mode);
        return { ...file, sync: () => Promise.reject(Object.assign(new Error(code), { code })) };
      },
    },
  });
  await assert.rejects(filesWith(failing('EIO'), 'linux').syncFolder(folder), { code: 'EIO', path: folder });
  await filesWith(failing('EINVAL'), 'linux').syncFolder(folder);
  // Windows has no such call.
  await filesWith(failing('EPERM'), 'win32').syncFolder(folder);
});

test('truncates a file that is appended to, and continues from there', async (context) => {
  const path = join(await ownFolder(context), 'file');
  const files = filesWith();
  const file = await files.append(path, { mode: 0o600 });
  file.write('0123456789');
  file.truncate(4);
  file.write('ab');
  assert.equal(Buffer.from((await files.read(path)) ?? []).toString(), '0123ab');
  await file.close();
  const { system, calls } = createFaultySystem();
  await (await filesWith(system).append(path, { mode: 0o600 })).close();
  // All calls but the last, which closes the file.
  const faulty = createFaultySystem({ at: calls.length - 1, fault: 'EIO for good' });
  const again = await filesWith(faulty.system).append(path, { mode: 0o600 });
  assert.throws(() => again.truncate(1), { code: 'EIO', path });
  await faulty.close();
});
