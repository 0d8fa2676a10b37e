// On a machine without a keychain `wm login` asks once whether a file will do; the answer is remembered, and no is an end
// before anybody is sent to a browser. On a terminal that moves its cursor, and on one that cannot. Once the keychain is really missing.

import assert from 'node:assert/strict';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { missingKeychain as keychain } from '#test/support/memory-keychain.ts';
import { answerConsent } from '#test/support/terminal/consent-page.ts';
import { openInProcess } from '#test/support/terminal/in-process.ts';
import { setStage } from '#test/support/terminal/stage.ts';
import { key, openTerminal, skip } from '#test/support/terminal/terminal.ts';

const columns = 500;
const bare = 'env -u WM_TOKEN_STORE -u DBUS_SESSION_BUS_ADDRESS -u XDG_RUNTIME_DIR';
const question = 'This machine has no keychain. Store the sign-in in a file that only you can read?';

for (const term of ['xterm-256color', 'dumb']) {
  test(`yes: stores in the file and never asks again (${term})`, { skip }, async (context) => {
    const stage = await setStage(context, { signedOut: true });
    const environment = { TERM: term };
    const inside = (line: string) =>
      openInProcess(context, stage, `${bare} ${line}`, { columns, environment, keychain });
    const login = 'wm login --no-browser';
    const terminal =
      term === 'dumb'
        ? inside(login)
        : openTerminal(context, stage, `${bare} ${login}`, { columns, environment });
    await terminal.shows(question);
    assert.doesNotMatch(terminal.text, /Open this address/);
    terminal.type(`y${key.enter}`);
    const [, url = ''] = await terminal.shows(/\n {2}(http:\S+)\r?\n/);
    await (await fetch(await answerConsent(url, { press: 'Allow' }))).text();
    const [, path] = await terminal.shows(/stored as plain text in (\S+), readable only by you/);
    assert.equal(path, join(stage.folder, 'config', 'tokens', 'default.json'));
    await terminal.shows('Signed in (profile default)');
    assert.equal(await terminal.ended, 0);
    assert.doesNotMatch(terminal.text, /DBUS/);
    assert.match(await readFile(path ?? '', 'utf8'), /"accessToken"/);

    const next = inside('wm whoami');
    assert.equal(await next.ended, 0, next.text);
    assert.ok(!next.text.includes(question));
    assert.match(next.text, /scopes: +Default\r?\n/);
    assert.match(next.text, /expires: +in 5\d minutes \(then refreshed\)/);
    const again = inside(login);
    await again.shows(/\n {2}(http:\S+)\r?\n/);
    assert.ok(!again.text.includes(question));
    again.type(key.interrupt);
    assert.equal(await again.ended, 130);
  });
}

test('no, or Enter alone: exit 2, and nothing is opened or stored', async (context) => {
  const stage = await setStage(context, { signedOut: true });
  const terminal = openInProcess(context, stage, `${bare} wm login --yes`, { columns, keychain });
  await terminal.shows(question, key.enter);
  await terminal.shows('wm: Not confirmed; nothing was done');
  assert.equal(await terminal.ended, 2);
  await assert.rejects(readdir(join(stage.folder, 'config')), { code: 'ENOENT' });
  assert.doesNotMatch(terminal.text, /Open this address|The browser opens/);
});

test('without a prompt: exit 1, and the hint names the flag to give', async (context) => {
  const stage = await setStage(context, { signedOut: true });
  const line = `${bare} wm login --no-input --no-browser`;
  const terminal = openInProcess(context, stage, line, { columns, keychain });
  await terminal.shows(/wm login --store file/);
  assert.equal(await terminal.ended, 1);
  assert.ok(!terminal.text.includes(question));
});

test('a wrong address is an error before the question', async (context) => {
  const stage = await setStage(context, { signedOut: true });
  for (const line of [
    'env -u WM_TOKEN_STORE -u WM_AUTH_URL wm login --auth-url login',
    'env -u WM_TOKEN_STORE WM_AUTH_URL=login wm login',
  ]) {
    const terminal = openInProcess(context, stage, line, { columns, keychain });
    await terminal.shows('wm: "login" is not an authorization URL');
    assert.equal(await terminal.ended, 2, terminal.text);
    assert.ok(!terminal.text.includes(question), terminal.text);
  }
});
