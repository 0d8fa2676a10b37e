// WM_TOKEN is set: a command that makes, changes or removes a sign-in stops before anything is opened, asked, sent or
// written, names the variable that wins and the command that unsets it. And with WM_PROFILE beside it, which one is used.

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

const masked = () => ({
  WM_TOKEN: secrets.access,
  WM_HOST: service.host,
  WM_AUTH_URL: service.url,
  WM_CLIENT_ID: 'app',
  WM_CLIENT_SECRET: secrets.clientSecret,
});

const stopped: readonly (readonly string[])[] = [
  ['login'],
  ['login', '--no-browser'],
  ['login', '--with-token'],
  ['login', '--yes'],
  ['auth', 'convert-v3', '--account-id', 'IEAAAAAQ'],
  ['logout'],
  ['logout', '--yes'],
  ['auth', 'switch', 'work'],
  ['auth', 'switch'],
];

for (const typed of stopped) {
  test(`wm ${typed.join(' ')}: exit 2, without opening, sending or changing anything`, async () => {
    await person.login(service);
    await person.login(service, '--profile', 'work');
    service.exchanges.length = 0;
    service.calls.length = 0;
    person.consent = undefined;
    const before = await person.files();
    const ran = await person.wm(typed, { exit: 2, environment: masked(), input: secrets.access });
    assert.match(
      ran.errors,
      /^wm: WM_TOKEN is set, so .*\n {2}WM_TOKEN takes precedence .*\n {2}Unset it first: unset WM_TOKEN\n {2}.*--force\.\n$/,
    );
    assert.equal(ran.output, '');
    assert.deepEqual([service.exchanges, service.calls, person.consent], [[], [], undefined]);
    assert.deepEqual(await person.files(), before);
  });
}

test('shows on Windows how to unset it in PowerShell', async () => {
  const world = { process: { ...createProcesses(), platform: 'win32' as const } };
  const { errors } = await person.wm(['login'], { exit: 2, environment: masked(), world });
  assert.match(errors, /Unset it first: Remove-Item Env:WM_TOKEN\n/);
});

test('the printed command unsets WM_TOKEN', async () => {
  const { errors } = await person.wm(['auth', 'switch', 'work'], { exit: 2, environment: masked() });
  const command = /Unset it first: (.*)/.exec(errors)?.[1];
  await person.login(service, '--profile', 'work');
  const env = { PATH: process.env['PATH'], WM_CONFIG_DIR: person.folder, WM_TOKEN: 'canary' };
  const script = `${command}; '${process.execPath}' '${resolve('bin/wm.js')}' auth switch work`;
  const { stderr } = await promisify(execFile)('sh', ['-c', script], { env });
  assert.equal(command, 'unset WM_TOKEN');
  assert.match(stderr, /wm now uses the profile work/);
  assert.doesNotMatch(stderr, /WM_TOKEN/);
});

test('--force signs in and says that WM_TOKEN stays in use', async () => {
  const says = /^WM_TOKEN is set, and commands use it until it is unset: unset WM_TOKEN$/m;
  const signedIn = await person.wm(['login', '--force'], { environment: masked() });
  assert.match(signedIn.errors, says);
  // What it says to try must show this sign-in, and not WM_TOKEN's.
  assert.match(signedIn.errors, /Try: wm whoami --profile default$/m);
  assert.equal((await person.item()).accessToken, secrets.access);
  const typed = ['login', '--with-token', '--force'];
  await person.wm(typed, { environment: masked(), input: secrets.access });
  const old = ['auth', 'convert-v3', '--account-id', 'IEAAAAAQ', '--force', '--yes'];
  await person.wm(old, { environment: masked(), input: 'canary-v3' });
  await person.login(service, '--profile', 'work');
  const switched = await person.wm(['auth', 'switch', 'work', '--force'], { environment: masked() });
  assert.match(switched.errors, says);
  assert.equal((await person.profiles()).current, 'work');
  const out = await person.wm(['logout', '--yes', '--force'], { environment: masked() });
  assert.match(out.errors, says);
  assert.equal((await person.files()).has('tokens/work.json'), false);
});

test('--profile signs in to a profile that WM_TOKEN does not hide, and prints how to use it', async () => {
  const ran = await person.wm(['login', '--profile', 'work'], { environment: masked() });
  assert.match(ran.errors, /^WM_TOKEN is set: commands use it unless --profile work is given\./m);
  assert.match(ran.errors, /Try: wm whoami --profile work$/m);
  await person.wm(['logout', '--profile', 'work', '--yes'], { environment: masked() });
});

test('auth refresh cannot refresh WM_TOKEN', async () => {
  await person.login(service);
  service.exchanges.length = 0;
  const ran = await person.wm(['auth', 'refresh'], { exit: 2, environment: masked() });
  assert.match(ran.errors, /^wm: Cannot refresh the token in WM_TOKEN\n/);
  assert.match(ran.errors, /unset WM_TOKEN/);
  assert.deepEqual(service.exchanges, []);
  await person.wm(['auth', 'refresh', '--profile', 'default'], { environment: masked() });
});

const both = /^WM_TOKEN and WM_PROFILE are both set; wm uses WM_TOKEN\. /gm;

test('WM_TOKEN with WM_PROFILE: one warning for each command that uses an account, and for no other', async () => {
  const environment = { WM_TOKEN: secrets.access, WM_HOST: service.host, WM_PROFILE: 'work' };
  const wm = (typed: string, status = 0) =>
    person.wm(typed.split(' ').filter(Boolean), { exit: status, environment });
  for (const [typed, status] of [
    ['', 0],
    ['whoami', 0],
    ['whoami --quiet', 0],
    ['whoami --json', 0],
    ['whoami --curl', 0],
    ['auth list', 0],
    ['auth status', 0],
    ['doctor', 0],
    // This service has no tasks.
    ['task get IEAAAAAQKQAB5BNG', 1],
    ['webhook list --dry-run', 0],
  ] as const) {
    const { errors, output } = await wm(typed, status);
    assert.equal(errors.match(both)?.length, 1, `${typed}: ${errors}`);
    assert.doesNotMatch(output, both);
  }
  for (const typed of ['webhook events', 'whoami --help', 'emulator assumptions'])
    assert.doesNotMatch((await wm(typed)).errors, both);
  await person.login(service, '--profile', 'work');
  // Named on the command line it wins over both, which --profile says by itself.
  assert.doesNotMatch((await person.wm(['whoami', '--profile', 'work'], { environment })).errors, both);
});

test('auth switch says what takes precedence over its choice here', async () => {
  await person.login(service);
  await person.login(service, '--profile', 'work');
  const ran = await person.wm(['auth', 'switch', 'work'], { environment: { WM_PROFILE: 'default' } });
  assert.match(
    ran.errors,
    /^WM_PROFILE is set to default and takes precedence\. To unset it: unset WM_PROFILE$/m,
  );
  const same = await person.wm(['auth', 'switch', 'work'], { environment: { WM_PROFILE: 'work' } });
  assert.doesNotMatch(same.errors, /But/);
});
