// WM_TOKEN is set, and a command that changes a sign-in stops: the command that unsets it, in PowerShell and in sh.
// test/transcript/token-wins.txt shows which commands stop, and what --force and --profile do.

import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { resolve } from 'node:path';
import { test } from 'node:test';
import { promisify } from 'node:util';
import { secrets } from '#test/support/service/auth-service.ts';
import { personForEach, serviceForAll } from '#test/support/sign-in/stage.ts';
import { createProcesses } from '#world/process.ts';

const service = await serviceForAll();
const person = personForEach();

const environment = { WM_TOKEN: secrets.access };

test('shows on Windows how to unset it in PowerShell', async () => {
  const world = { process: { ...createProcesses(), platform: 'win32' as const } };
  const { errors } = await person.wm(['login'], { exit: 2, environment, world });
  assert.match(errors, /Unset it first: Remove-Item Env:WM_TOKEN\n/);
});

test('the printed command unsets WM_TOKEN', async () => {
  const { errors } = await person.wm(['auth', 'switch', 'work'], { exit: 2, environment });
  const command = /Unset it first: (.*)/.exec(errors)?.[1];
  await person.login(service, '--profile', 'work');
  const env = { PATH: process.env['PATH'], WM_CONFIG_DIR: person.folder, WM_TOKEN: 'canary' };
  const script = `${command}; '${process.execPath}' '${resolve('bin/wm.js')}' auth switch work`;
  const { stderr } = await promisify(execFile)('sh', ['-c', script], { env });
  assert.equal(command, 'unset WM_TOKEN');
  assert.match(stderr, /wm now uses the profile work/);
  assert.doesNotMatch(stderr, /WM_TOKEN/);
});
