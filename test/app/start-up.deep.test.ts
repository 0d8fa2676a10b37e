// What a start loads: `--version`, `--help`, a usage error and a dry run load no HTTP client, no keychain, no prompts and
// no emulator. How long a start takes is measured by `npm run bench`.

import assert from 'node:assert/strict';
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { after, before, test } from 'node:test';

let folder: string;
let hook: string;

before(async () => {
  folder = await mkdtemp(join(tmpdir(), 'wm-start-'));
  hook = join(folder, 'hook.cjs');
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
after(() => rm(folder, { recursive: true }));

function loaded(...typed: string[]): { status: number | null; asked: string[] } {
  const { status, output } = spawnSync(process.execPath, ['-r', hook, resolve('bin/wm.js'), ...typed], {
    env: { PATH: process.env['PATH'], HOME: folder, WM_CONFIG_DIR: join(folder, 'config') },
    stdio: ['ignore', 'pipe', 'pipe', 'pipe'],
    encoding: 'utf8',
  });
  // The folder of this clone may have any name.
  const here = `${resolve('.')}/`;
  return { status, asked: (output[3] ?? '').split('\n').map((name) => name.replace(here, '')) };
}

const heavy =
  /undici|keyring|prompt|read-html|emulator\.cjs|table\.cjs|(?:colour|csv|nats|receiver|yaml)\.cjs|fs-native-extensions|^(?:node:)?(?:https?|tls|dns|crypto)$/;

const starts: readonly { readonly typed: readonly string[]; readonly status: number }[] = [
  { typed: ['--version'], status: 0 },
  { typed: ['--help'], status: 0 },
  { typed: ['webhook', 'suspend', '--help'], status: 0 },
  { typed: ['task', 'update', 'IEAAAAAQKQAB5BNG', '--status', 'Done'], status: 2 },
  { typed: ['nonsense'], status: 2 },
  { typed: ['__complete', 'bash', 'wm task get I', 'I', '9', '80'], status: 0 },
  { typed: ['__complete', 'zsh', '80', 'wm', 'webhook', 'get', ''], status: 0 },
  { typed: ['task', 'update', 'IEAAAAAQKQAB5BNG', '--title', 'x', '--dry-run'], status: 0 },
  { typed: ['task', 'update', 'IEAAAAAQKQAB5BNG', '--description', 'x > y', '--dry-run'], status: 0 },
];

for (const { typed, status } of starts) {
  test(`wm ${typed.join(' ')} loads little`, () => {
    const start = loaded(...typed);
    assert.equal(start.status, status);
    assert.ok(start.asked.length > 2);
    assert.deepEqual(
      start.asked.filter((name) => heavy.test(name)),
      [],
    );
  });
}

test('only a description that may be HTML loads the HTML reader', () => {
  for (const text of ['<b>x</b>', 'x &amp; y']) {
    const { asked } = loaded('task', 'update', 'IEAAAAAQKQAB5BNG', '--description', text, '--dry-run');
    assert.ok(
      asked.some((name) => name.endsWith('read-html.cjs')),
      asked.join(' '),
    );
  }
});

test('one update loads the small HTTP client, and the large one only for a proxy', () => {
  const direct = loaded('task', 'get', 'IEAAAAAQKQAB5BNG');
  assert.equal(direct.status, 4);
  const environment = { WM_TOKEN: 'x', WM_HOST: '127.0.0.1:9', PATH: process.env['PATH'] };
  const asked = (more: Record<string, string>) =>
    spawnSync(process.execPath, ['-r', hook, resolve('bin/wm.js'), 'task', 'get', 'A', '--timeout', '1'], {
      env: { ...environment, ...more },
      stdio: ['ignore', 'pipe', 'pipe', 'pipe'],
      encoding: 'utf8',
    }).output[3] ?? '';
  assert.match(asked({}), /^node:http$/m);
  assert.doesNotMatch(asked({}), /undici/);
  assert.match(asked({ WM_HOST: 'api.example.com', HTTPS_PROXY: 'http://127.0.0.1:9' }), /http-undici/);
});

test('recording one update loads nothing slow: node:crypto takes longer than the whole rest of a record', async () => {
  const config = join(folder, 'recorded');
  const { status, output } = spawnSync(
    process.execPath,
    ['-r', hook, resolve('bin/wm.js'), 'task', 'update', 'A', '--title', 'x', '--timeout', '1'],
    {
      env: { WM_TOKEN: 'x', WM_HOST: '127.0.0.1:9', WM_CONFIG_DIR: config, PATH: process.env['PATH'] },
      stdio: ['ignore', 'pipe', 'pipe', 'pipe'],
      encoding: 'utf8',
    },
  );
  assert.equal(status, 7);
  const { readdir } = await import('node:fs/promises');
  assert.equal((await readdir(join(config, 'state', 'history'))).length, 1);
  assert.match(output[3] ?? '', /^node:http$/m);
  assert.doesNotMatch(output[3] ?? '', /crypto|fs-native-extensions/);
});

test('recompiles a build of another Node, which then works', async () => {
  const { cp, readFile } = await import('node:fs/promises');
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
  const { readdir, readFile } = await import('node:fs/promises');
  const files = (await readdir('dist')).filter((name) => name.endsWith('.cjs'));
  assert.ok(files.includes('main.cjs'));
  for (const name of files) {
    const bytes = await readFile(join('dist', name));
    const at = bytes.findIndex((byte) => byte > 127);
    assert.equal(at, -1, `${name}: ${bytes.subarray(Math.max(0, at - 60), at + 20)}`);
  }
});

test('without a build, says what to run', async () => {
  const { cp } = await import('node:fs/promises');
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
