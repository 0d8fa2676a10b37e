// What CI runs on macOS, Windows and Alpine instead of .ci/run: only Node, without a shell. Continues after a failed step to show
// all failures, and then ends with 1. Arguments choose test files, as for `npm test`.

import { spawn, spawnSync } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { arch, release, tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));
const wm = [process.execPath, join(root, 'bin', 'wm.js')];
const chosen = process.argv.slice(2);
const results = [];

async function step(name, run) {
  process.stdout.write(`\n== ${name}\n`);
  const outcome = await run().catch((error) => `failed: ${error.message}`);
  process.stdout.write(`== ${name}: ${outcome}\n`);
  results.push([name, outcome]);
}

/** npm is a batch file on Windows, which needs a shell. These words are safe in any shell. */
async function npm(...words) {
  const line = ['npm', ...words].join(' ');
  const { status, signal, error } = spawnSync(line, { cwd: root, shell: true, stdio: 'inherit' });
  if (error) throw error;
  return status === 0 ? 'passed' : `failed with ${signal ?? status}`;
}

/** Signs in to an emulator with the system's real keychain, reads the token back, and removes it. */
async function keychain() {
  if (process.platform === 'linux' && !process.env.DBUS_SESSION_BUS_ADDRESS)
    return 'not run: no session bus (npm run test:system brings its own)';
  const folder = await mkdtemp(join(tmpdir(), 'wm-ci-'));
  const restore = process.platform === 'darwin' ? keychainOfItsOwn(folder) : () => {};
  const emulator = spawn(wm[0], [wm[1], 'emulator', 'start', '--json'], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  try {
    const line = await new Promise((resolve, reject) => {
      createInterface({ input: emulator.stdout }).once('line', resolve);
      emulator.once('exit', (code) => reject(new Error(`the emulator ended with ${code}`)));
    });
    const { host, authUrl, token } = JSON.parse(line);
    const environment = { ...process.env, WM_CONFIG_DIR: folder, WM_AUTH_URL: authUrl };
    const run = (words, input) => {
      const ran = spawnSync(wm[0], [wm[1], ...words], { env: environment, input, encoding: 'utf8' });
      if (ran.status !== 0) throw new Error(`wm ${words.join(' ')} ended with ${ran.status}\n${ran.stderr}`);
      return ran.stdout;
    };
    run(['login', '--with-token', '--host', host, '--store', 'keychain'], token);
    const storedToken = run(['auth', 'token']).trim();
    run(['logout', '--yes']);
    if (storedToken !== token) throw new Error('the keychain gave back another token');
    if (run(['auth', 'list', '--json']).trim() !== '[]') throw new Error('the profile is still there');
    return 'passed';
  } finally {
    emulator.removeAllListeners('exit').kill();
    restore();
    await rm(folder, { recursive: true, force: true, maxRetries: 5 });
  }
}

/** A developer's default keychain is private, and in CI there may be no unlocked one. Returns a function that undoes this. */
function keychainOfItsOwn(folder) {
  if (!process.env.CI) return () => {};
  const security = (...words) => {
    const ran = spawnSync('security', words, { encoding: 'utf8' });
    if (ran.status !== 0) throw new Error(`security ${words[0]}: ${ran.stderr}`);
    return ran.stdout.trim().replaceAll('"', '');
  };
  const path = join(folder, 'ci.keychain-db');
  const before = spawnSync('security', ['default-keychain'], { encoding: 'utf8' })
    .stdout.trim()
    .replaceAll('"', '');
  security('create-keychain', '-p', '', path);
  security('default-keychain', '-s', path);
  security('unlock-keychain', '-p', '', path);
  return () => {
    if (before) security('default-keychain', '-s', before);
    security('delete-keychain', path);
  };
}

process.stdout.write(`${process.platform} ${release()} ${arch()}, Node ${process.version}\n`);
await step('npm ci', () => npm('ci'));
await step('npm run check', () => npm('run', 'check'));
await step('The keychain of this system', keychain);
await step('npm test', () => npm('test', ...(chosen.length > 0 ? ['--', ...chosen] : [])));
if (chosen.length === 0) await step('npm run test:deep', () => npm('run', 'test:deep'));

process.stdout.write(
  `\n${results.map(([name, outcome]) => `${name}: ${outcome.split('\n')[0]}`).join('\n')}\n`,
);
process.exitCode = results.some(([, outcome]) => outcome.startsWith('failed')) ? 1 : 0;
