// A disk that is full, as far as a process without rights can make one: a limit on the length of a file, which ends a
// write in its middle with a short count, as a full disk does.

import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { test } from 'node:test';

const quoted = (text: string) => `'${text.replaceAll("'", "'\\''")}'`;

/** Runs the built program where no file grows beyond eight blocks. */
function wmWithLittleRoom(
  typed: readonly string[],
  folder: string,
): Promise<{ status: number | null; errors: string }> {
  const words = [process.execPath, resolve('bin/wm.js'), ...typed].map(quoted).join(' ');
  const child = spawn('sh', ['-c', `trap '' XFSZ; ulimit -f 8; exec ${words}`], {
    env: { PATH: process.env['PATH'], HOME: folder, WM_CONFIG_DIR: folder },
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  let errors = '';
  child.stderr.on('data', (text) => (errors += text));
  return new Promise((done) => child.on('close', (status) => done({ status, errors })));
}

test('no room for a file: the command fails, the file is unchanged, and nothing is left beside it', {
  skip: process.platform === 'win32',
}, async (t) => {
  const folder = await mkdtemp(join(tmpdir(), 'wm-full-'));
  t.after(() => rm(folder, { recursive: true }));
  await mkdir(join(folder, 'locks'));
  const path = join(folder, 'profiles.json');
  const profiles = Array.from({ length: 300 }, (_, i) => ({
    name: `p${i}`,
    host: 'api.example.com',
    hostSuffixes: [],
    signedInAt: 0,
  }));
  const content = JSON.stringify({ format: 1, current: 'p0', profiles });
  await writeFile(path, content);
  const { status, errors } = await wmWithLittleRoom(['auth', 'switch', 'p7'], folder);
  assert.equal(status, 1, errors);
  assert.match(errors, /^wm: Cannot write .*profiles\.json\n/);
  assert.equal(await readFile(path, 'utf8'), content);
  const leftovers = (await readdir(folder)).filter((name) => !name.endsWith('.lock'));
  assert.deepEqual(leftovers.toSorted(), ['locks', 'profiles.json']);
});
