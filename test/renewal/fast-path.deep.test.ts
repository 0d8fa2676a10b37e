// A token that is still good: the system calls of a command, as strace sees them, take no lock and write no file.

import assert from 'node:assert/strict';
import { execFile, spawnSync } from 'node:child_process';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { test } from 'node:test';
import { promisify } from 'node:util';
import { startService } from '#test/support/service/rotating-service.ts';
import { makeStage } from './stage.ts';

const skip = spawnSync('strace', ['-V']).status !== 0 && 'no strace here';

test('no lock, no write, no rename, no other process', { skip }, async (t) => {
  const service = await startService();
  const stage = await makeStage(service);
  const trace = await mkdtemp(join(tmpdir(), 'wm-strace-'));
  t.after(async () => {
    await stage.close();
    await service.close();
    await rm(trace, { recursive: true });
  });
  const calls = async (): Promise<readonly string[]> => {
    const output = join(trace, 'calls');
    const which =
      'trace=flock,fcntl,openat,creat,rename,renameat,renameat2,unlink,unlinkat,mkdir,mkdirat,execve';
    const wm = [process.execPath, resolve('bin/wm.js'), 'whoami'];
    await promisify(execFile)('strace', ['-f', '-qq', '-e', which, '-o', output, ...wm], {
      env: {
        PATH: process.env['PATH'],
        HOME: stage.folder,
        WM_CONFIG_DIR: stage.folder,
        WM_TOKEN_STORE: 'file',
      },
    });
    return (await readFile(output, 'utf8')).split('\n');
  };
  const locks = (all: readonly string[]) => all.filter((line) => /flock\(|F_(?:OFD_)?SETLKW?\b/.test(line));
  const writes = (all: readonly string[]) =>
    all.filter(
      (line) =>
        line.includes(stage.folder) && /O_WRONLY|O_RDWR|O_CREAT|rename|unlink|mkdir|creat\(/.test(line),
    );
  const starts = (all: readonly string[]) => all.filter((line) => line.includes('execve('));

  // The first command of a day says where the tokens are, and notes that.
  await stage.run('whoami');
  const good = await calls();
  assert.ok(
    good.some((line) => line.includes('default.json') && line.includes('O_RDONLY')),
    'it is seen at work',
  );
  assert.deepEqual([locks(good), writes(good)], [[], []]);
  assert.equal(starts(good).length, 1);
  // And that the same look sees them where they are.
  await stage.expire();
  const renewed = await calls();
  assert.equal(service.counts.rotated, 1);
  assert.ok(locks(renewed).length > 0);
  assert.ok(writes(renewed).length > 0);
  assert.equal(starts(renewed).length, 2);
});
