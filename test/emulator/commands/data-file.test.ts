// An emulator that cannot write its data file, or fails itself, reports it on standard error and with its exit status.

import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdir, readFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { text } from 'node:stream/consumers';
import { type TestContext, test } from 'node:test';
import { ownFolder } from '#test/support/disk/own-folder.ts';
import { textsOf } from '#test/support/program/json-messages.ts';
import { run } from '#test/support/program/program.ts';
import { send } from '#test/support/service/send.ts';
import { createClock } from '#world/clock.ts';
import { createFiles } from '#world/files.ts';
import { createLock } from '#world/lock.ts';
import type { Environment } from '#world/world.ts';
import { fillable } from '../state/failing-disk.ts';
import { execWith } from './in-process.ts';

const posix = { skip: process.platform === 'win32' && 'needs sh' };
const quoted = (word: string) => `'${word.replaceAll("'", "'\\''")}'`;

/** The built program, where no file grows beyond so many blocks of 512 bytes: a disk that is full for it. */
function wm(folder: string, args: readonly string[], blocks: number) {
  const words = [process.execPath, resolve('bin/wm.js'), ...args].map(quoted).join(' ');
  return spawn('sh', ['-c', `trap '' XFSZ; ulimit -f ${blocks}; exec ${words}`], {
    cwd: folder,
    env: { PATH: process.env['PATH'], HOME: folder, WM_CONFIG_DIR: folder },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
}

async function ended(child: ReturnType<typeof wm>) {
  const [output, errors, [status]] = await Promise.all([
    text(child.stdout),
    text(child.stderr),
    once(child, 'close'),
  ]);
  return { status, output, errors: textsOf(errors) };
}

const many = ['wm', 'emulator', 'make-tasks', '--count', '1000', '-q'];
const exec = ['emulator', 'exec', '--data', 'data.json', '--'];

test(
  'exec: data that could not be saved: exit 1 with the reason, and the file is unchanged',
  posix,
  async (t) => {
    const folder = await ownFolder(t);
    const made = await ended(wm(folder, [...exec, 'true'], 400));
    assert.deepEqual([made.status, made.errors], [0, '']);
    const before = await readFile(join(folder, 'data.json'), 'utf8');
    const failed = await ended(wm(folder, [...exec, ...many], 400));
    assert.match(
      failed.errors,
      /wm: \S*data\.json could not be saved\n {2}EFBIG: file too large, write\n {2}Changes since the last save at 20\S+Z are lost\. Before the next start, make room for the file and check that you may write it\.\n$/,
    );
    assert.equal(failed.status, 1);
    assert.deepEqual(
      JSON.parse(before).tasks,
      JSON.parse(await readFile(join(folder, 'data.json'), 'utf8')).tasks,
    );
    assert.deepEqual((await readdir(folder)).sort(), ['data.json', 'data.json.lock']);
  },
);

/** `wm emulator exec` with a data file, on a disk that can be filled. */
async function execOnDisk(t: TestContext, use: (disk: { isFull: boolean }, url: string) => Promise<number>) {
  const folder = await ownFolder(t);
  const { disk, state } = fillable();
  const { system } = disk;
  const files = createFiles({ WM_CONFIG_DIR: folder }, process.platform, folder, undefined, system);
  const world = { files, lock: createLock(process.platform, createClock(), system) };
  const exec = () =>
    execWith(
      ['--data', join(folder, 'data.json'), '--', 'a-command'],
      ({ WM_EMULATOR_URL }) => use(state, String(WM_EMULATOR_URL)),
      world,
    );
  return { state, exec };
}

test("exec: the command's exit status takes precedence, and the unsaved data are still reported", async (t) => {
  const { exec } = await execOnDisk(t, async (disk, url) => {
    disk.isFull = true;
    assert.equal((await send(`${url}/_emulator/tasks`, { method: 'POST', body: '{"count":1}' })).status, 200);
    return 7;
  });
  const { status, errors } = await exec();
  assert.match(errors, /data\.json could not be saved\n {2}ENOSPC/);
  assert.equal(status, 7);
});

test('exec: a full disk is an error before the command runs', async (t) => {
  let isRun = false;
  const { state, exec } = await execOnDisk(t, async () => {
    isRun = true;
    return 0;
  });
  state.isFull = true;
  const { status, output, errors } = await exec();
  assert.match(
    errors,
    /^wm: The emulator cannot start with \S*data\.json\n {2}ENOSPC: .*\n {2}Choose another file with --data\.\n$/,
  );
  assert.deepEqual([status, output, isRun], [2, '', false]);
});

test('start: reports an unwritable data file at once, and exits with 1 at the end', posix, async (t) => {
  const folder = await ownFolder(t);
  const child = wm(folder, ['emulator', 'start', '--json', '--data', 'data.json'], 400);
  child.stdout.setEncoding('utf8');
  const [line] = await once(child.stdout, 'data');
  const { authUrl } = JSON.parse(line);
  const firstOutput = once(child.stderr.setEncoding('utf8'), 'data');
  const response = await fetch(`${authUrl}/_emulator/tasks`, { method: 'POST', body: '{"count":1000}' });
  assert.equal(response.status, 200);
  assert.match(
    textsOf(String(await firstOutput)),
    /^wm: \S*data\.json could not be saved: EFBIG: file too large, write\. The emulator continues in memory and will retry\.\n$/,
  );
  const later = await fetch(`${authUrl}/_emulator/clock`);
  assert.equal(
    later.headers.get('emulator-warning'),
    'The data file could not be saved: EFBIG: file too large, write',
  );
  const words = { WM_EMULATOR_URL: authUrl };
  const steered = await run(['emulator', 'clock'], { environment: words });
  assert.equal(steered.errors, 'wm: The data file could not be saved: EFBIG: file too large, write\n');
  assert.equal(steered.status, 0);
  const last = text(child.stderr);
  child.kill('SIGTERM');
  const [status] = await once(child, 'close');
  assert.match(
    await last,
    /^\{"error":\{"code":"other","message":"\S*data\.json could not be saved: EFBIG: file too large, write","hint":"Changes since /,
  );
  assert.equal(status, 1);
});

test('start: output that cannot be written ends it', posix, async (t) => {
  const folder = await ownFolder(t);
  const words = [process.execPath, resolve('bin/wm.js'), 'emulator', 'start'].map(quoted).join(' ');
  const child = spawn('sh', ['-c', `exec ${words} > /dev/full`], {
    env: { PATH: process.env['PATH'], HOME: folder, WM_CONFIG_DIR: folder },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const { status, errors } = await ended(child);
  assert.match(errors, /ENOSPC/);
  assert.equal(status, 1);
});

test('an internal error of the emulator is in the response, and on standard error with its stack', async () => {
  const http = { send: () => Promise.reject(new Error('a bug inside')) };
  let shown = '';
  const create = async ({ WM_EMULATOR_URL, WM_TOKEN }: Environment) => {
    const response = await send(`${WM_EMULATOR_URL}/api/v4/webhooks?access_token=${WM_TOKEN}`, {
      method: 'POST',
      body: new URLSearchParams({ hookUrl: 'https://hooks.example.com/', secret: 'x' }),
    });
    shown = `${response.status} ${response.text}`;
    return 0;
  };
  const { status, errors } = await execWith(['--', 'a-command'], create, { http });
  assert.equal(
    shown,
    '500 {"errorDescription":"Internal error of the emulator: a bug inside. See its standard error for details, and please report it","error":"server_error"}',
  );
  assert.match(errors, /^wm: internal error: Error: a bug inside\n {4}at /);
  assert.equal(status, 0);
});
