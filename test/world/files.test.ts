// Files in a real folder: whole or not at all, and their modes.

import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { lstat, mkdir, mkdtemp, readdir, readFile, rm, stat, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { MemoryDisk, userOf } from '#test/support/disk/memory-disk.ts';
import type { FileSystem } from '#world/file-system.ts';
import { createFiles } from '#world/files.ts';
import { createLock } from '#world/lock.ts';
import type { Files } from '#world/world.ts';
import { isWriter, testWholeFiles } from './endless-writer.ts';

const files = createFiles({}, process.platform);
const size = 300_000;
const posix = process.platform !== 'win32';

if (process.argv[2] === 'add') {
  // Adds lines until no more can be added.
  const file = await files.append(process.argv[3] ?? '', { mode: 0o600 });
  try {
    for (;;) file.write(`${'x'.repeat(1500)}\n`);
  } catch (error) {
    process.stderr.write(error instanceof Error && 'code' in error ? String(error.code) : String(error));
  }
} else if (!(await isWriter())) {
  runTests();
}

function runTests(): void {
  let folder = '';
  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'wm-files-'));
  });
  after(() => rm(folder, { recursive: true }));

  test('reads what was written; a missing file is undefined', async () => {
    const path = join(folder, 'a', 'b', 'settings.json');
    assert.equal(await files.read(path), undefined);
    await files.write(path, 'ä', { mode: 0o600 });
    assert.deepEqual(Buffer.from((await files.read(path)) ?? []), Buffer.from('ä'));
    await files.write(path, new Uint8Array([0, 255]).subarray(1), { mode: 0o600 });
    assert.deepEqual([...((await files.read(path)) ?? [])], [255]);
    assert.equal(await files.read(join(path, 'below-a-file')), undefined);
    assert.deepEqual(await readdir(join(folder, 'a', 'b')), ['settings.json']);
    assert.deepEqual([await files.remove(path), await files.remove(path)], [true, false]);
  });

  test('modes: the file as requested, even over an older one; new folders 0700', {
    skip: !posix,
  }, async () => {
    const path = join(folder, 'modes', 'secret');
    await files.write(path, 'x', { mode: 0o600 });
    assert.equal((await stat(path)).mode & 0o777, 0o600);
    assert.equal((await stat(join(folder, 'modes'))).mode & 0o777, 0o700);
    await mkdir(join(folder, 'theirs'), { mode: 0o755 });
    const old = join(folder, 'theirs', 'secret');
    await writeFile(old, 'old', { mode: 0o644 });
    await files.write(old, 'x', { mode: 0o600 });
    assert.equal((await stat(old)).mode & 0o777, 0o600);
    assert.equal((await stat(join(folder, 'theirs'))).mode & 0o777, 0o755);
  });

  testWholeFiles(fileURLToPath(import.meta.url), 1);

  test('many concurrent writes of one file end with one of them', async () => {
    const path = join(folder, 'many');
    await Promise.all(
      Array.from({ length: 20 }, (_, i) => files.write(path, `${i}`.repeat(1000), { mode: 0o600 })),
    );
    const content = await readFile(path, 'latin1');
    assert.match(content, /^(\d+?)\1*$/);
  });

  test('a failed write throws and keeps the old file', async () => {
    await writeFile(join(folder, 'plain'), 'old');
    await assert.rejects(files.write(join(folder, 'plain', 'below'), 'x', { mode: 0o600 }));
    assert.equal(await readFile(join(folder, 'plain'), 'utf8'), 'old');
  });

  test('overwrites a file in place, and cuts off what is after that', async () => {
    const path = join(folder, 'in-place');
    await writeFile(path, 'one two');
    const { ino } = await stat(path);
    await files.overwrite(path, Buffer.from('one'));
    assert.equal(await readFile(path, 'utf8'), 'one');
    assert.equal((await stat(path)).ino, ino);
    await assert.rejects(files.overwrite(join(folder, 'missing'), Buffer.from('one')), { code: 'ENOENT' });
  });

  test('replaces the target of a symbolic link, and keeps the link', { skip: !posix }, async () => {
    const path = join(folder, 'linked', 'profiles.json');
    const target = join(folder, 'dotfiles', 'profiles.json');
    await files.write(target, 'old', { mode: 0o600 });
    await mkdir(join(folder, 'linked'));
    await symlink('../dotfiles/profiles.json', path);
    await files.write(path, 'new', { mode: 0o600 });
    assert.equal((await lstat(path)).isSymbolicLink(), true);
    assert.equal(await readFile(target, 'utf8'), 'new');
    assert.deepEqual(await readdir(join(folder, 'dotfiles')), ['profiles.json']);
    await rm(target);
    await files.write(path, 'created', { mode: 0o600 });
    assert.equal((await lstat(path)).isSymbolicLink(), true);
    assert.equal(await readFile(target, 'utf8'), 'created');
  });

  test('the kind of a path, following links', { skip: !posix }, async () => {
    const path = join(folder, 'kinds');
    await files.write(join(path, 'file'), '', { mode: 0o600 });
    await symlink('file', join(path, 'link'));
    await symlink('nowhere', join(path, 'broken'));
    const kinds = ['file', 'link', 'broken', 'missing', 'file/below', '.'].map((name) =>
      files.kind(`${path}/${name}`),
    );
    assert.deepEqual(await Promise.all(kinds), ['file', 'file', undefined, undefined, undefined, 'folder']);
    assert.equal(await files.kind('/dev/null'), 'other');
  });

  test('a temporary folder is empty, ours alone, and can be removed with its contents', async () => {
    const made = await files.makeTemporaryFolder('wm-test-');
    assert.deepEqual(await readdir(made), []);
    if (posix) assert.equal((await stat(made)).mode & 0o777, 0o700);
    await writeFile(join(made, 'x'), '');
    await files.removeFolder(made);
    await files.removeFolder(made);
    await assert.rejects(stat(made));
  });

  test('appends at the end of a file, even when opened twice; reads a long one in chunks', async () => {
    const path = join(folder, 'grown', 'journal');
    assert.equal(await files.stream(path), undefined);
    const first = await files.append(path, { mode: 0o600 });
    first.write('ä\n');
    first.write('x'.repeat(size));
    await first.sync();
    await first.close();
    const second = await files.append(path, { mode: 0o600 });
    assert.deepEqual([first.size, second.size], [0, size + 3]);
    second.write('end');
    await second.close();
    const pieces: Uint8Array[] = [];
    for await (const piece of (await files.stream(path)) ?? []) pieces.push(piece);
    assert.equal(Buffer.concat(pieces).toString(), `ä\n${'x'.repeat(size)}end`);
    assert.ok(pieces.length > 1);
    if (posix) assert.equal((await stat(path)).mode & 0o777, 0o600);
  });

  test('an append on a full disk is written whole or not at all', { skip: !posix }, async () => {
    const path = join(folder, 'lines');
    const script = `trap '' XFSZ; ulimit -f 8; exec "$@"`;
    const self = fileURLToPath(import.meta.url);
    const child = spawn('sh', ['-c', script, 'sh', process.execPath, self, 'add', path], {
      stdio: ['ignore', 'ignore', 'pipe'],
    });
    let errors = '';
    child.stderr.on('data', (text) => (errors += text));
    await once(child, 'close');
    assert.equal(errors, 'EFBIG');
    const lines = (await readFile(path, 'utf8')).split('\n');
    assert.equal(lines.pop(), '');
    assert.ok(lines.length > 0 && lines.every((line) => line === 'x'.repeat(1500)));
  });

  test('a folder that cannot have subfolders is an error, and not an endless wait', {
    skip: process.platform !== 'linux' && 'no /proc there',
    timeout: 10_000,
  }, async () => {
    const path = '/proc/self/made/here';
    await assert.rejects(files.append(join(path, 'file'), { mode: 0o600 }), { code: 'ENOENT' });
    await assert.rejects(files.write(join(path, 'file'), 'x', { mode: 0o600 }), { code: 'ENOENT' });
    await assert.rejects(createLock().acquire(join(path, 'lock'), { timeoutMs: 0 }), { code: 'ENOENT' });
  });

  test('examines owners and permissions on the disk that it is given', async () => {
    const disk = new MemoryDisk();
    disk.put('/own/config', '{}');
    const system = disk.systemOf(userOf());
    const unsafeIn = (files: FileSystem) =>
      createFiles({}, 'linux', '/', () => '/', files, { uid: 7, gid: 7 }).unsafePermissions('/own/config', {
        includeParents: true,
      });
    assert.equal(await unsafeIn(system), undefined, 'all of root, which only root can change');
    const lstatSync: FileSystem['lstatSync'] = (path, options) => {
      const stats = system.lstatSync(path, options);
      return stats && path === '/own' ? { ...stats, uid: 8n } : stats;
    };
    assert.deepEqual(await unsafeIn({ ...system, lstatSync }), { path: '/own', owner: 8, user: 7 });
  });

  test('the names of new folders survive a power cut, even if a process was killed before it synced them', async () => {
    for (let killedAt = 0; ; killedAt++) {
      const disk = new MemoryDisk();
      let steps = 0;
      let stop = () => {};
      const killed = new Promise<'killed'>((resolve) => {
        stop = () => resolve('killed');
      });
      const filesWith = (step: () => Promise<void>) =>
        createFiles({}, 'linux', '/', () => '/', disk.systemOf(userOf(step)));
      const dying = filesWith(() => {
        if (steps++ < killedAt) return Promise.resolve();
        stop();
        return new Promise(() => {});
      });
      const writeTo = (files: Files) => files.write('/a/b/c/file', 'x', { mode: 0o600 });
      const ended = await Promise.race([writeTo(dying), killed]);
      // What a killed process did is still there.
      if (ended === 'killed') await writeTo(filesWith(async () => {}));
      disk.crash('power cut, lost');
      assert.equal(disk.text('/a/b/c/file'), 'x', `killed at step ${killedAt}`);
      if (ended !== 'killed') return assert.ok(killedAt > 6);
    }
  });

  test('creates folders at any depth, even concurrently', async () => {
    const path = join(folder, 'made', 'at', 'once', 'file');
    const opened = await Promise.all([1, 2, 3, 4].map(() => files.append(path, { mode: 0o600 })));
    for (const file of opened) await file.close();
    await assert.rejects(files.append(join(path, 'below', 'file'), { mode: 0o600 }), { code: 'ENOTDIR' });
  });
}
