// What `npm ci` leaves behind: a program, and libraries that another project can import from this folder; without the tools of
// the build, a reason and the command that helps, instead of silence.

import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { cp, mkdir, symlink, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { type TestContext, test } from 'node:test';
import { ownFolder } from '#test/support/disk/own-folder.ts';

async function clone(context: TestContext): Promise<string> {
  const folder = await ownFolder(context);
  const copy = join(folder, 'wm');
  for (const path of ['bin', 'scripts', 'src', 'package.json', 'tsconfig.json'])
    await cp(path, join(copy, path), { recursive: true });
  return copy;
}

const node = (cwd: string, ...typed: readonly string[]) =>
  spawnSync(process.execPath, typed, { cwd, encoding: 'utf8' });

test('a project that depends on a clone can import each of its libraries', async (context) => {
  const copy = await clone(context);
  await symlink(resolve('node_modules'), join(copy, 'node_modules'));
  const prepared = node(copy, 'scripts/prepare.mjs');
  assert.equal(prepared.status, 0, prepared.stderr);
  const dependent = join(copy, '..', 'dependent');
  await mkdir(join(dependent, 'node_modules'), { recursive: true });
  await symlink(copy, join(dependent, 'node_modules', 'wm-cli'));
  const program = `import { createClient } from 'wm-cli';
import { createReceiver } from 'wm-cli/webhooks';
import { startEmulator } from 'wm-cli/emulator';
console.log([createClient, createReceiver, startEmulator].map((one) => typeof one).join());
`;
  await writeFile(join(dependent, 'main.mjs'), program);
  const ran = node(dependent, 'main.mjs');
  assert.deepEqual([ran.stdout, ran.stderr], ['function,function,function\n', '']);
});

test('without the build tools it says why, and wm says what to run', async (context) => {
  const copy = await clone(context);
  const prepared = node(copy, 'scripts/prepare.mjs');
  assert.equal(prepared.status, 0);
  assert.match(prepared.stderr, /^wm is not built: .*NODE_ENV=production.* Run: npm ci --include=dev\n$/);
  const ran = node(copy, 'bin/wm.js', 'whoami');
  assert.equal(ran.status, 1);
  assert.equal(
    ran.stderr,
    `wm is not built yet. Run: cd ${copy} && npm ci --include=dev --ignore-scripts=false\n`,
  );
});
