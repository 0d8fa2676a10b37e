// Trouble with a file that is nobody's fault here: told with the path and the reason, in words, and not as a bug in wm.

import assert from 'node:assert/strict';
import { mkdir, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { sample } from '#emulator/state/sample-ids.ts';
import { emulated } from '#test/support/program/emulated.ts';

const update = ['task', 'update', sample.task, '--title', 'Another', '--undoable'];

const troubles: readonly [string, (state: string) => Promise<void>, RegExp][] = [
  [
    'a file where a folder belongs',
    (state) => writeFile(state, ''),
    /^wm: Cannot create \S+state\S*\n {2}a part of the path is not a folder \(ENOTDIR\)$/m,
  ],
  [
    'a link that leads to itself',
    (state) => symlink(state, state),
    /^wm: Cannot (?:create|read) \S+state\S*\n {2}its symbolic links form a loop \(ELOOP\)$/m,
  ],
];

for (const [name, make, message] of troubles) {
  test(name, { skip: process.platform === 'win32' }, async (t) => {
    const { wm, folder, task } = await emulated(t);
    const { title } = await task(sample.task);
    await mkdir(join(folder, 'config'), { recursive: true });
    await make(join(folder, 'config', 'state'));
    const ran = await wm(update, { exit: 1 });
    assert.match(ran.errors, message);
    assert.doesNotMatch(ran.errors, /bug in wm/);
    assert.equal((await task(sample.task)).title, title);
  });
}

test('has its own code in --json', { skip: process.platform === 'win32' }, async (t) => {
  const { wm, folder } = await emulated(t);
  await mkdir(join(folder, 'config'), { recursive: true });
  await writeFile(join(folder, 'config', 'state'), '');
  const ran = await wm([...update, '--json']);
  assert.equal(JSON.parse(ran.errors).error.code, 'other');
});

const readers: readonly (readonly string[])[] = [
  ['task', 'update', sample.task, '--description', '@folder'],
  ['task', 'comment', sample.task, '@folder'],
  ['task', 'update', '--ids', 'folder', '--title', 'x'],
  ['api', 'PUT', `/tasks/${sample.task}`, '--body', 'folder'],
  ['batch', 'folder'],
  ['webhook', 'diff', 'folder'],
  ['webhook', 'create', 'https://hooks.example.com/a', '--secret-file', 'folder'],
  ['emulator', 'start', '--seed', 'folder'],
  ['whoami', '--ca', 'folder'],
];

for (const line of readers) {
  test(`says that a folder is not a file: wm ${line.slice(0, 2).join(' ')}`, async (t) => {
    const { wm, folder } = await emulated(t);
    await mkdir(join(folder, 'folder'));
    const path = join(folder, 'folder');
    const ran = await wm(
      line.map((word) => word.replace(/^(@?)folder$/, (_, at) => at + path)),
      { exit: 2 },
    );
    assert.match(ran.errors, /^wm: .*\bcannot read \S+folder\n {2}it is a folder(?: \(EISDIR\))?$/im);
    assert.doesNotMatch(ran.errors, /EISDIR:|illegal/);
  });
}
