// A bulk run from standard input that is killed leaves nothing of the input behind: its copy has no name.

import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { test } from 'node:test';
import { gate } from '#test/support/gate.ts';
import { startRawServer } from '#test/support/service/raw-server.ts';

test('kill -9 while sending: the temporary folder is empty', async (context) => {
  const folder = await mkdtemp(join(tmpdir(), 'wm-killed-'));
  context.after(() => rm(folder, { recursive: true }));
  const temporary = join(folder, 'temporary');
  await mkdir(temporary);
  const sending = gate();
  // The first request has no response, so that the run is in the middle of it.
  const server = await startRawServer(() => {
    sending.open();
    return 'silence';
  });
  context.after(() => server.close());
  const environment = { WM_TOKEN: 'token', WM_HOST: server.host, WM_CONFIG_DIR: join(folder, 'config') };
  const typed = ['task', 'update', '--from', '-', '--yes'];
  const child = spawn(process.execPath, [resolve('bin/wm.js'), ...typed], {
    env: { PATH: process.env['PATH'], TMPDIR: temporary, TEMP: temporary, ...environment },
    stdio: ['pipe', 'ignore', 'ignore'],
  });
  const ended = once(child, 'exit');
  // Too long to be kept in memory.
  child.stdin.on('error', () => {}).end(`id,title\n${'IEAAAAAQKQAB5BNG,secret plans\n'.repeat(200_000)}`);
  await Promise.race([sending.opened, ended.then(() => assert.fail('it ended before it sent anything'))]);
  child.kill('SIGKILL');
  await ended;
  assert.deepEqual(await readdir(temporary), []);
});
