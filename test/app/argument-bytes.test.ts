// Arguments that are not UTF-8, or that have the character U+FFFD, which Node puts in the place of such bytes.

import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { type TestContext, test } from 'node:test';
import { sample } from '#emulator/state/sample-ids.ts';
import { emulated } from '#test/support/program/emulated.ts';

const skip = process.platform !== 'linux' && 'only Linux shows the bytes of a command line';
const { task: id } = sample;

/** Runs a line of a shell; `$cafe` in it is Latin-1. */
async function inShell(context: TestContext, line: string) {
  const service = await emulated(context);
  const script = `cafe=$(printf 'caf\\351'); exec "$NODE" "$WM" ${line}`;
  const child = spawn('sh', ['-c', script], {
    env: {
      PATH: process.env['PATH'],
      ...service.environment,
      NODE: process.execPath,
      WM: resolve('bin/wm.js'),
    },
    cwd: service.folder,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let errors = '';
  child.stdout.resume();
  child.stderr.on('data', (text) => {
    errors += text;
  });
  const [status] = await once(child, 'close');
  return { ...service, status, errors };
}

for (const [line, position] of [
  [`task update ${id} --title "$cafe"`, 5],
  [`task update ${id} --title="$cafe" --yes`, 4],
  [`task update ${id} --metadata "k=$cafe" --json`, 5],
  [`task update ${id} --custom-field "${sample.text}=$cafe"`, 5],
  [`task update ${id} --title \ufffd --description "$cafe"`, 7],
  [`task update ${id} --description "$cafe" --title \ufffd`, 5],
  [`api PUT /tasks/${id} -f "title=$cafe" --yes`, 5],
  ['webhook create "https://hooks.example.com/$cafe" --yes', 3],
  ['task update --from "$cafe.csv" --yes', 4],
] as const)
  test(`does not send an argument that is not UTF-8: ${line}`, { skip }, async (context) => {
    const ran = await inShell(context, line);
    assert.equal(ran.status, 2, ran.errors);
    assert.ok(ran.errors.includes(`Argument ${position} is not UTF-8`), ran.errors);
    assert.equal((await ran.task(id)).title, 'Write the launch page');
    assert.deepEqual(JSON.parse((await ran.wm(['webhook', 'list', '--json'])).output), []);
  });

test('sends an argument with U+FFFD in its bytes, with a warning', { skip }, async (context) => {
  const ran = await inShell(context, `task update ${id} --title 'caf\ufffd'`);
  assert.equal(ran.status, 0, ran.errors);
  assert.equal(ran.errors.match(/An argument has the character U\+FFFD/g)?.length, 1, ran.errors);
  assert.equal((await ran.task(id)).title, 'caf\ufffd');
});

test('warns of U+FFFD in an argument if the system does not show the bytes', async (context) => {
  const { wm, task } = await emulated(context);
  const ran = await wm(['task', 'update', id, '--title', 'caf\ufffd'], { exit: 0 });
  assert.match(ran.errors, /^An argument has the character U\+FFFD/m);
  assert.equal((await task(id)).title, 'caf\ufffd');
  assert.equal((await wm(['task', 'update', id, '--title', 'café'])).errors, '');
});

test('a file of ids that is not UTF-8 is an error, like any other file', async (context) => {
  const { wm, folder } = await emulated(context);
  const path = join(folder, 'ids.txt');
  await writeFile(path, 'caf\xe9 menu\n', 'latin1');
  const ran = await wm(['task', 'update', '--ids', path, '--title', 'x', '--yes'], { exit: 2 });
  assert.ok(ran.errors.startsWith(`wm: --ids ${path} is neither UTF-8 nor UTF-16 text\n`), ran.errors);
});
