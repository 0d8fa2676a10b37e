// What a start loads: `--version`, `--help`, a usage error and a dry run load no HTTP client, no keychain, no prompts and
// no emulator. How long a start takes is measured by `npm run bench`.

import assert from 'node:assert/strict';
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { cp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { after, before, test } from 'node:test';
import { ownFolder } from '#test/support/disk/own-folder.ts';
import type { Environment } from '#world/world.ts';

const folder = await ownFolder({ after });
const hook = join(folder, 'hook.cjs');

before(async () => {
  // At the end of the process: what it has asked for, packages, Node's own modules and parts of the program alike.
  await writeFile(
    hook,
    `const Module = require('node:module');
const asked = new Set();
const load = Module._load;
Module._load = function (request, ...rest) { asked.add(request); return load.call(this, request, ...rest); };
const fs = require('node:fs');
const open = fs.openSync;
fs.openSync = (path, ...rest) => { asked.add(String(path)); return open(path, ...rest); };
process.on('exit', () => require('node:fs').writeSync(3, [...asked].join('\\n')));`,
  );
});

/** `status`: what it ends with. Gives what it has asked for. */
function loaded(status: number, typed: readonly string[], more: Environment = {}): string[] {
  const { PATH } = process.env;
  const ran = spawnSync(process.execPath, ['-r', hook, resolve('bin/wm.js'), ...typed], {
    env: { PATH, HOME: folder, WM_CONFIG_DIR: join(folder, 'config'), ...more },
    stdio: ['ignore', 'pipe', 'pipe', 'pipe'],
    encoding: 'utf8',
  });
  // The folder of this clone may have any name.
  const here = `${resolve('.')}/`;
  assert.equal(ran.status, status, ran.stderr);
  return (ran.output[3] ?? '').split('\n').map((name) => name.replace(here, ''));
}

const heavy =
  /undici|keyring|prompt|read-html|emulator\.cjs|table\.cjs|(?:colour|csv|nats|receiver|yaml)\.cjs|fs-native-extensions|^(?:node:)?(?:https?|tls|dns|crypto)$/;

const id = 'IEAAAAAQKQAB5BNG';
const starts: readonly (readonly [status: number, ...typed: string[]])[] = [
  [0, '--version'],
  [0, '--help'],
  [0, 'webhook', 'suspend', '--help'],
  [2, 'task', 'update', id, '--status', 'Done'],
  [2, 'nonsense'],
  [0, '__complete', 'bash', 'wm task get I', 'I', '9', '80'],
  [0, '__complete', 'zsh', '80', 'wm', 'webhook', 'get', ''],
  [0, 'task', 'update', id, '--title', 'x', '--dry-run'],
  [0, 'task', 'update', id, '--description', 'x > y', '--dry-run'],
];

for (const [status, ...typed] of starts) {
  test(`wm ${typed.join(' ')} loads little`, () => {
    const asked = loaded(status, typed);
    assert.ok(asked.length > 2);
    assert.deepEqual(
      asked.filter((name) => heavy.test(name)),
      [],
    );
  });
}

test('only a description that may be HTML loads the HTML reader', () => {
  for (const text of ['<b>x</b>', 'x &amp; y']) {
    const asked = loaded(0, ['task', 'update', id, '--description', text, '--dry-run']);
    assert.match(asked.join(' '), /read-html\.cjs\b/);
  }
});

/** Nothing listens there. */
const nowhere = { WM_TOKEN: 'x', WM_HOST: '127.0.0.1:9' };

test('one update loads the small HTTP client, and the large one only for a proxy', () => {
  loaded(4, ['task', 'get', id]);
  const get = ['task', 'get', 'A', '--timeout', '1'];
  const direct = loaded(7, get, nowhere).join('\n');
  assert.match(direct, /^node:http$/m);
  assert.doesNotMatch(direct, /undici/);
  const proxied = { ...nowhere, WM_HOST: 'api.example.com', HTTPS_PROXY: 'http://127.0.0.1:9' };
  assert.match(loaded(7, get, proxied).join('\n'), /http-undici/);
});

test('recording one update loads nothing slow: node:crypto takes longer than the whole rest of a record', async () => {
  const WM_CONFIG_DIR = join(folder, 'recorded');
  const update = ['task', 'update', 'A', '--title', 'x', '--timeout', '1'];
  const asked = loaded(7, update, { ...nowhere, WM_CONFIG_DIR }).join('\n');
  assert.equal((await readdir(join(WM_CONFIG_DIR, 'state', 'history'))).length, 1);
  assert.match(asked, /^node:http$/m);
  assert.doesNotMatch(asked, /crypto|fs-native-extensions/);
});

test('recompiles a build of another Node, which then works', async () => {
  const copy = join(folder, 'copy');
  await cp('bin', join(copy, 'bin'), { recursive: true });
  await cp('dist', join(copy, 'dist'), { recursive: true });
  await cp('package.json', join(copy, 'package.json'));
  const exec = ['emulator', 'exec', '--', process.execPath, '-p', 'process.env.WM_EMULATOR_URL'];
  for (const { name, words, shows } of [
    { name: 'main.cache', words: ['--help'], shows: /webhook suspend/ },
    { name: 'emulator.cache', words: exec, shows: /^http:\/\/127\.0\.0\.1:\d+$/m },
  ]) {
    const cache = join(copy, 'dist', name);
    const bytes = await readFile(cache);
    // V8 writes its version and flags into the first bytes.
    bytes.fill(7, 0, 32);
    for (const broken of [bytes, Buffer.alloc(0), undefined]) {
      if (broken) await writeFile(cache, broken);
      else await rm(cache);
      const { status, stdout } = spawnSync(process.execPath, [join(copy, 'bin', 'wm.js'), ...words], {
        encoding: 'utf8',
      });
      assert.equal(status, 0);
      assert.match(stdout, shows);
    }
  }
});

test('files that V8 reads as one-byte text contain only ASCII', async () => {
  const files = (await readdir('dist')).filter((name) => name.endsWith('.cjs'));
  assert.ok(files.includes('main.cjs'));
  for (const name of files) {
    const bytes = await readFile(join('dist', name));
    const at = bytes.findIndex((byte) => byte > 127);
    assert.equal(at, -1, `${name}: ${bytes.subarray(Math.max(0, at - 60), at + 20)}`);
  }
});

test('without a build, says what to run', async () => {
  const copy = join(folder, 'unbuilt');
  await cp('bin', join(copy, 'bin'), { recursive: true });
  await cp('package.json', join(copy, 'package.json'));
  const run = (...typed: string[]) =>
    spawnSync(process.execPath, [join(copy, 'bin', 'wm.js'), ...typed], { encoding: 'utf8' });
  assert.match(run('--version').stdout, /^\d+\.\d+\.\d+\n$/);
  const { status, stderr } = run('webhook', 'list');
  assert.equal(status, 1);
  assert.match(stderr, /wm is not built yet\. Run: cd .*unbuilt && npm ci/);
});

test('a version that cannot be written is one sentence', { skip: !existsSync('/dev/full') }, () => {
  const version = (output: string) =>
    spawnSync('sh', ['-c', `exec "$0" bin/wm.js --version ${output}`, process.execPath], {
      encoding: 'utf8',
    });
  const full = version('> /dev/full');
  assert.equal(full.status, 1);
  assert.match(full.stderr, /^wm: Cannot write the version: ENOSPC.*\n$/);
  assert.equal(version('> /dev/full 2> /dev/full').status, 1);
});

test('prints no error if the reader of the version is gone', {
  skip: process.platform === 'win32',
}, async () => {
  const child = spawn(process.execPath, ['bin/wm.js', '--version'], { stdio: ['ignore', 'pipe', 'pipe'] });
  child.stdout.destroy();
  let errors = '';
  child.stderr.on('data', (bytes: Buffer) => {
    errors += bytes;
  });
  const [status] = await once(child, 'close');
  assert.deepEqual([status, errors], [0, '']);
});
