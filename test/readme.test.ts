// Runs the commands that README shows, as a reader would: in a shell, with `wm` on the PATH, against an emulator. What
// installs is run in a fresh clone by .ci/run, since here it would pull the floor from under the tests.

import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { mkdtemp, readFile, rm, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import type { Readable } from 'node:stream';
import { after, before, test } from 'node:test';
import { commands } from '#app/commands.ts';
import { emulatorEnvironment } from '#emulator/commands/environment.ts';
import { type RunningEmulator, startEmulator } from '#emulator/emulator.ts';
import { createWorld } from '#world/create-world.ts';
import { answerConsent } from './transcript/person.ts';

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
  .filter((line) => line.startsWith('wm ') && !line.startsWith('wm emulator start'));

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

/** Resolves with the first match in what comes. */
function shows(stream: Readable, pattern: RegExp): Promise<string> {
  let all = '';
  return new Promise((found, reject) => {
    stream.on('data', (text) => {
      all += text;
      const match = pattern.exec(all)?.[0];
      if (match !== undefined) found(match);
    });
    stream.on('end', () => reject(new Error(`${pattern} is not in:\n${all}`)));
  });
}

test('the pair that starts the emulator and signs in to it', async (context) => {
  const [start = '', login = ''] =
    blocks.find((block) => block.startsWith('wm emulator start'))?.split('\n') ?? [];
  const config = join(folder, 'pair');
  const environment = {
    PATH: `${folder}:${process.env['PATH']}`,
    WM_CONFIG_DIR: config,
    WM_TOKEN_STORE: 'file',
  };
  const spawned = (line: string) => {
    const options = { env: { ...environment, HOME: config, BROWSER: 'none' } };
    const child = spawn(
      'sh',
      ['-c', line.replace(/\bwm (?=login|emulator)/, `exec ${resolve('bin/wm.js')} `)],
      options,
    );
    context.after(() => child.kill());
    return child;
  };
  // Any free port: 4010 may be taken on the machine that runs this.
  const emulating = spawned(start.replace('4010', '0'));
  const printed = await shows(emulating.stdout, /^[\s\S]*Press Ctrl-C to stop\./);
  const port = /authorization +http:\/\/127\.0\.0\.1:(\d+)/.exec(printed)?.[1] ?? '';
  const pasted = login.replace('4010', port);
  assert.ok(printed.includes(`\n  ${pasted}\n`), printed);

  const signingIn = spawned(pasted);
  const address = await shows(signingIn.stderr, /http:\S+\/oauth2\/authorize\/v4\?\S+(?=\s)/);
  await fetch(await answerConsent(address, { press: 'Allow' }));
  assert.match(await shows(signingIn.stdout, /^Ada Fields\t/), /Ada/);
  assert.equal(await new Promise((done) => signingIn.on('close', done)), 0);
});

test('every command is in the table', () => {
  for (const { words } of commands) {
    const [first = '', second] = words.split(' ');
    assert.match(
      readme,
      new RegExp(`\`(?:wm )?(?:${first} )?${second ?? first}\\b|\`wm ${words}\\b`),
      `README.md has no row for wm ${words}`,
    );
  }
});
