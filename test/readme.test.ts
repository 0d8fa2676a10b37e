// Runs the commands that README shows, as a reader would: in a shell, with `wm` on the PATH, against an emulator. What
// installs is run in a fresh clone by .ci/run, since here it would pull the floor from under the tests.

import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { mkdtemp, readFile, rm, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { after, before, test } from 'node:test';
import { commands } from '#app/commands.ts';
import { emulatorEnvironment } from '#emulator/commands/environment.ts';
import { type RunningEmulator, startEmulator } from '#emulator/emulator.ts';
import { createWorld } from '#world/create-world.ts';

const readme = await readFile('README.md', 'utf8');
const blocks = [...readme.matchAll(/^```sh\n([\s\S]*?)^```$/gm)].map(([, block = '']) => block.trim());
const manifest: { scripts: Record<string, string> } = JSON.parse(await readFile('package.json', 'utf8'));

let emulator: RunningEmulator;
let folder: string;

before(async () => {
  const started = await startEmulator(createWorld());
  assert.ok(!('fault' in started));
  emulator = started;
  folder = await mkdtemp(join(tmpdir(), 'wm-readme-'));
  await symlink(resolve('bin/wm.js'), join(folder, 'wm'));
});
after(async () => {
  await emulator.close();
  await rm(folder, { recursive: true });
});

function sh(
  line: string,
  more: Record<string, string> = {},
): Promise<{ status: number | null; output: string; errors: string }> {
  const environment = emulatorEnvironment(process.env, emulator, join(folder, 'config'));
  return new Promise((done) => {
    const child = spawn('sh', ['-c', line], {
      env: { ...environment, ...more, PATH: `${folder}:${process.env['PATH']}` },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    let output = '';
    let errors = '';
    child.stdout.on('data', (text) => (output += text));
    child.stderr.on('data', (text) => (errors += text));
    child.on('close', (status) => done({ status, output, errors }));
  });
}

test('the two commands at the top are an install with the demo, and an install with the tests', () => {
  assert.deepEqual(blocks.slice(0, 2), ['npm ci && npx wm demo', 'npm ci && npm test']);
  assert.ok(manifest.scripts['test']);
});

test('the demo shows its steps', async () => {
  const { status, output, errors } = await sh('wm demo');
  assert.equal(status, 0, errors);
  for (const step of [
    '1. Sign in',
    '2. Update a task',
    '3. Create a signed webhook',
    '4. Change the task: a delivery arrives',
    '5. Suspend the webhook',
    '6. Change the task again: nothing is delivered',
    'Everything worked',
  ]) {
    assert.ok(output.includes(step), step);
  }
});

const lines = blocks
  .slice(2)
  .flatMap((block) => block.split('\n'))
  .filter((line) => line.startsWith('wm '));

for (const line of lines) {
  test(line, async () => {
    if (line.startsWith('wm login')) return signInStarts(line);
    if (line.startsWith('wm webhook list')) await sh('wm webhook create https://hooks.example.com/wm');
    const { status, output, errors } = await sh(line);
    if (line === 'wm webhook suspend') {
      // Asks, and nobody is there: it says what to give instead.
      assert.equal(status, 2);
      assert.match(errors, /wm webhook suspend ID/);
    } else {
      assert.equal(status, 0, errors);
      assert.notEqual(output, '');
    }
  });
}

/** The emulator stands for the service, and this goes as far as the address that the browser would open. */
async function signInStarts(line: string): Promise<void> {
  // In CI it would not wait for anybody.
  const {
    WM_TOKEN: _token,
    CI: _ci,
    ...signedOut
  } = emulatorEnvironment(process.env, emulator, join(folder, 'config'));
  const environment = { ...signedOut, BROWSER: 'none' };
  const child = spawn(
    'sh',
    [
      '-c',
      `exec ${line.replace(/^wm/, resolve('bin/wm.js')).replace('https://login.example.com', emulator.authUrl)}`,
    ],
    {
      env: environment,
      stdio: ['ignore', 'pipe', 'pipe'],
    },
  );
  const address = `${emulator.authUrl}/oauth2/authorize/v4?client_id=`;
  let output = '';
  let errors = '';
  child.stdout.on('data', (text) => {
    output += text;
  });
  child.stderr.on('data', (text) => {
    const before = errors.includes(address);
    errors += text;
    if (!before && errors.includes(address)) child.kill('SIGINT');
  });
  const status = await new Promise((done) => child.on('close', done));
  const printsOnly = line.includes('--start');
  assert.equal(status, printsOnly ? 0 : 130, errors);
  if (printsOnly) assert.ok(output.startsWith(address), output);
}

test('every command is in the table of docs/commands.md', async () => {
  const page = await readFile('docs/commands.md', 'utf8');
  for (const { words } of commands) {
    const [first = '', second] = words.split(' ');
    assert.match(
      page,
      new RegExp(`\`(?:wm )?(?:${first} )?${second ?? first}\\b|\`wm ${words}\\b`),
      `docs/commands.md has no row for wm ${words}`,
    );
  }
});
