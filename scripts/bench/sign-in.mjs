// node scripts/bench/sign-in.mjs [ROUNDS]: what a kept sign-in costs a command whose token is still good, beside the same
// command with the token in WM_TOKEN. Taken in pairs, one after the other, so that a slow or busy machine changes both. The
// file store, and a keychain of its own where gnome-keyring is installed; what the keychain's library takes by itself is
// taken off. Prints a table; exits with 1 where a target is missed.

import { spawn, spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { performance } from 'node:perf_hooks';
import { fileURLToPath } from 'node:url';
import '../build.mjs';

const root = fileURLToPath(new URL('../..', import.meta.url));
const wm = join(root, 'bin/wm.js');
const rounds = Number(process.argv[2] ?? 40);
const targetMs = 10;
const home = mkdtempSync(join(tmpdir(), 'wm-bench-'));
const bare = { PATH: process.env.PATH, HOME: home, XDG_RUNTIME_DIR: home };

/** A service that answers every call at once, in a process of its own, so that it takes no time of ours. */
async function startService() {
  const answer = JSON.stringify({ kind: 'webhooks', data: [] });
  const script = `require('node:http').createServer((q, s) => { s.setHeader('Content-Type', 'application/json'); s.end(q.headers.authorization === 'Bearer token' ? ${JSON.stringify(answer)} : '{}'); }).listen(0, '127.0.0.1', function () { console.log(this.address().port); });`;
  const child = spawn(process.execPath, ['-e', script], { stdio: ['ignore', 'pipe', 'inherit'] });
  const port = await new Promise((resolve) =>
    child.stdout.once('data', (text) => resolve(String(text).trim())),
  );
  return { host: `127.0.0.1:${port}`, stop: () => child.kill() };
}

/** A bus with an unlocked keyring on it, or nothing. */
async function startKeyring() {
  const has = (program) => spawnSync('sh', ['-c', 'command -v "$0"', program]).status === 0;
  if (!has('dbus-run-session') || !has('gnome-keyring-daemon')) return undefined;
  const script =
    'eval "$(printf a | gnome-keyring-daemon --unlock --components=secrets)"; echo "$DBUS_SESSION_BUS_ADDRESS"; cat';
  const bus = spawn('dbus-run-session', ['--', 'sh', '-c', script], {
    env: bare,
    stdio: ['pipe', 'pipe', 'ignore'],
  });
  const address = await new Promise((resolve) =>
    bus.stdout.once('data', (text) => resolve(String(text).trim())),
  );
  return { address, stop: () => new Promise((resolve) => bus.on('exit', resolve).stdin.end()) };
}

function once(args, env, input) {
  const start = performance.now();
  const { status, stderr, stdout } = spawnSync(process.execPath, args, {
    env,
    input,
    cwd: root,
    encoding: 'utf8',
  });
  const milliseconds = performance.now() - start;
  if (status !== 0) throw new Error(`${args.join(' ')} ended with ${status}: ${stderr}`);
  return { milliseconds, stdout };
}

const median = (numbers) => numbers.toSorted((a, b) => a - b)[Math.floor(numbers.length / 2)];

/** A renewable sign-in, good for an hour. */
function keep(folder, host) {
  const profile = {
    name: 'default',
    authUrl: `http://${host}`,
    host,
    hostSuffixes: [],
    clientId: 'app',
    signedInAt: 1,
  };
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  writeFileSync(join(folder, 'profiles.json'), JSON.stringify({ current: 'default', profiles: [profile] }));
  return JSON.stringify({
    generation: 1,
    accessToken: 'token',
    refreshToken: 'refresh',
    expiresAt: Date.now() + 3_600_000,
    host,
    clientId: 'app',
    clientSecret: 'secret',
  });
}

const service = await startService();
const keyring = await startKeyring();
const line = [wm, 'webhook', 'list', '--json'];
const online = { ...bare, WM_TOKEN: 'token', WM_HOST: service.host };
let missed = 0;

function compare(name, env, own) {
  const [differences, ratios, owns, times] = [[], [], [], []];
  for (let round = 0; round < rounds; round++) {
    const token = once(line, online);
    const kept = once(line, env);
    if (token.stdout !== '[]\n' || kept.stdout !== '[]\n') throw new Error(`${name} shows ${kept.stdout}`);
    const alone = own ? once(own, env).milliseconds - once(['-e', '0'], env).milliseconds : 0;
    owns.push(alone);
    times.push(kept.milliseconds);
    ratios.push(kept.milliseconds / token.milliseconds);
    differences.push(kept.milliseconds - token.milliseconds - alone);
  }
  const more = median(differences);
  if (more > targetMs) missed++;
  const cells = [
    name.padEnd(10),
    median(times).toFixed(1).padStart(8),
    median(ratios).toFixed(2).padStart(12),
    median(owns).toFixed(1).padStart(17),
    more.toFixed(1).padStart(13),
    String(targetMs).padStart(9),
    more > targetMs ? '  missed' : '',
  ];
  process.stdout.write(`${cells.join('').trimEnd()}\n`);
}

try {
  process.stdout.write(`wm webhook list, ${rounds} pairs each, node ${process.version}; medians\n\n`);
  process.stdout.write('store           ms   : WM_TOKEN   keychain alone   more beside   target\n');
  once(line, online);
  compare('WM_TOKEN', online);

  const folder = join(home, 'in-file');
  const item = keep(folder, service.host);
  mkdirSync(join(folder, 'tokens'));
  writeFileSync(join(folder, 'tokens', 'default.json'), item, { mode: 0o600 });
  compare('file', { ...bare, WM_CONFIG_DIR: folder, WM_TOKEN_STORE: 'file' });

  if (keyring) {
    const env = { ...bare, DBUS_SESSION_BUS_ADDRESS: keyring.address };
    keep(join(home, '.config', 'wm'), service.host);
    const put = `new (require('@napi-rs/keyring').AsyncEntry)('wm', 'default', { linux: { store: 'secret-service' } }).setPassword(process.env.ITEM)`;
    once(['-e', put], { ...env, ITEM: item });
    compare('keychain', env, ['-e', `require('@napi-rs/keyring').findCredentialsAsync('wm')`]);
  } else process.stdout.write('keychain: no gnome-keyring here\n');
} finally {
  service.stop();
  await keyring?.stop();
  rmSync(home, { recursive: true, force: true });
}
process.exitCode = missed === 0 ? 0 : 1;
