// Signs in under wine by callback, in two steps and with a token, into a file and into Windows' own store of secrets.

import assert from 'node:assert/strict';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';

import { answerConsent } from '#test/support/terminal/consent-page.ts';
import { setWindows, testRows, type Windows } from './wine.ts';

const press = { press: 'Allow' } as const;

async function signIn(windows: Windows, environment: Readonly<Record<string, string>>): Promise<void> {
  const login = windows.start(['login', '--no-browser'], { environment });
  const [address] = await login.shows(/http:\/\/\S+client_id=\S+/);
  const page = await fetch(await answerConsent(address, press));
  assert.equal(page.status, 200);
  const { status, errors } = await login.ended;
  assert.equal(status, 0, errors);
}

testRows(['Sign-in: callback, two steps, token'], async (test) => {
  const windows = await setWindows(test);
  const environment = { WM_TOKEN_STORE: 'file' };
  await signIn(windows, environment);
  assert.match((await windows.good(['whoami'], { environment })).output, /Ada\tFields|Ada Fields/);
  assert.deepEqual(await readdir(join(windows.folder, 'config', 'tokens')), ['default.json']);

  const begun = await windows.good(['login', '--start', '--profile', 'two'], { environment });
  const [address = ''] = /http:\/\/\S+client_id=\S+/.exec(begun.output + begun.errors) ?? [];
  const landed = await answerConsent(address, press);
  const typed = ['login', '--complete', '--profile', 'two'];
  await windows.good(typed, { environment, input: `${landed}\r\n` });

  const { host, token } = windows.emulator;
  await windows.good(['login', '--with-token', '--host', host, '--profile', 'three'], {
    environment,
    input: `${token}\r\n`,
  });
  assert.match((await windows.good(['auth', 'list'], { environment })).output, /three/);
  for (const profile of ['default', 'two', 'three'])
    await windows.good(['logout', '--yes', '--profile', profile], { environment });
  assert.deepEqual(await readdir(join(windows.folder, 'config', 'tokens')), []);
});

testRows(['Keychain', 'Native packages', 'Two spellings of WM_CONFIG_DIR'], async (test) => {
  const windows = await setWindows(test);
  const environment = { WM_TOKEN_STORE: 'keychain' };
  await signIn(windows, environment);
  assert.match((await windows.good(['whoami'], { environment })).output, /Ada/);
  const spelled = windows.path('CONFIG').replaceAll('\\', '/');
  await windows.good(['auth', 'refresh'], { environment: { ...environment, WM_CONFIG_DIR: spelled } });
  assert.match((await windows.good(['doctor'], { environment })).output, /token store\tgood/);
  // A token of more than one item.
  const long = 'x'.repeat(4000);
  const { host } = windows.emulator;
  const json = { access_token: long, token_type: 'bearer', expires_in: 3600, refresh_token: long, host };
  await windows.control('faults', { request: 'token', json });
  await windows.good(['auth', 'refresh'], { environment });
  assert.equal((await windows.good(['auth', 'token'], { environment })).output, `${long}\n`);
  await windows.good(['logout', '--yes'], { environment });
  const ended = await windows.wm(['whoami'], { environment });
  assert.equal(ended.status, 4, ended.errors);
});
