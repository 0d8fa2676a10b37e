// Questions of the commands about accounts, on a terminal: which profile, also one whose user nobody noted, and settings
// that may not be empty.

import assert from 'node:assert/strict';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { freePort } from '#test/support/service/free-port.ts';
import { answerConsent } from '#test/support/terminal/consent-page.ts';
import { openInProcess } from '#test/support/terminal/in-process.ts';
import { setStage } from '#test/support/terminal/stage.ts';
import { key, openTerminal, skip } from '#test/support/terminal/terminal.ts';
import { createClock } from '#world/clock.ts';

const environment = { TERM: 'dumb', WM_TOKEN_STORE: 'file' };

/** Signed in as two: `two` is current, and of `one` only the host is known. */
async function withTwo(context: TestContext) {
  const stage = await setStage(context, { signedOut: true });
  const config = join(stage.folder, 'config');
  const shared = { host: stage.emulator.host, hostSuffixes: [], store: 'file', signedInAt: 0 };
  const profiles = [
    { ...shared, name: 'one' },
    { ...shared, name: 'two', user: 'Ada Fields', account: 'Paper Lantern Studio' },
  ];
  const path = join(config, 'profiles.json');
  await mkdir(config, { recursive: true });
  await writeFile(path, JSON.stringify({ current: 'two', profiles }));
  return { stage, current: async () => JSON.parse(await readFile(path, 'utf8')).current };
}

test('auth switch lists a profile without a user and account by its name alone', async (context) => {
  const { stage, current } = await withTwo(context);
  const terminal = openInProcess(context, stage, 'wm auth switch', { environment });
  await terminal.shows('Which account?');
  await terminal.shows(/ 1 {2}one *\n +2 {2}two +Ada Fields +Paper Lantern Studio\n/);
  await terminal.shows(/filter by: $/, `1${key.enter}`);
  await terminal.shows('wm now uses the profile one.');
  assert.equal(await terminal.ended, 0);
  assert.equal(await current(), 'one');
});

test('asks on standard output when standard error is a file', { skip }, async (context) => {
  const { stage, current } = await withTwo(context);
  const terminal = openTerminal(context, stage, 'wm auth switch 2>messages', { environment });
  await terminal.shows(/filter by: $/, `1${key.enter}`);
  assert.equal(await terminal.ended, 0);
  assert.equal(await current(), 'one');
  const messages = await readFile(join(stage.folder, 'messages'), 'utf8');
  assert.equal(messages, 'wm now uses the profile one.\n');
});

const unset = 'env -u WM_AUTH_URL -u WM_CLIENT_ID -u WM_CLIENT_SECRET';

for (const TERM of ['xterm-256color', 'dumb']) {
  test(`login: asks again for an invalid address before anything else, and accepts a bare host (${TERM})`, async (context) => {
    const stage = await setStage(context, { signedOut: true });
    const { authUrl, clientId, clientSecret } = stage.emulator;
    const closed = await freePort();
    const terminal = openInProcess(context, stage, `${unset} wm login --no-browser`, {
      environment: { ...environment, TERM },
      columns: 500,
    });
    const asked = 'Address to sign in at (such as login.example.com):';
    await terminal.shows(asked, key.enter);
    await terminal.shows('Required', `http://login.example.com${key.enter}`);
    await terminal.shows('"http://login.example.com" is not https', `login${key.enter}`);
    await terminal.shows('"login" is not an authorization URL', `127.0.0.1:${closed}${key.enter}`);
    await terminal.shows(`Cannot reach the authorization URL http://127.0.0.1:${closed}`);
    await terminal.shows(asked, `${new URL(authUrl).host}${key.enter}`);
    await terminal.shows('Client id:', `${clientId}${key.enter}`);
    await terminal.shows('Client secret (hidden):', `${clientSecret}${key.enter}`);
    const [, address = ''] = await terminal.shows(/\n {2}(http:\S+)\n/);
    await (await fetch(await answerConsent(address, { press: 'Allow' }))).text();
    assert.equal(await terminal.ended, 0, terminal.text);
  });

  test(`login: asks again for a wrong client secret without a second consent (${TERM})`, async (context) => {
    const stage = await setStage(context, { signedOut: true });
    const { clientSecret } = stage.emulator;
    const terminal = openInProcess(context, stage, 'wm login --no-browser', {
      environment: { ...environment, TERM, WM_CLIENT_SECRET: 'wrong' },
      columns: 500,
    });
    const [, address = ''] = await terminal.shows(/\n {2}(http:\S+)\n/);
    const landed = fetch(await answerConsent(address, { press: 'Allow' })).then((response) =>
      response.text(),
    );
    const rejected = 'The service rejected the application’s client id or client secret';
    await terminal.shows(rejected);
    await terminal.shows('Client secret (hidden):');
    // The tab does not wait for the secret.
    assert.match(await landed, /Not signed in yet.*Return to the terminal and give the client secret again/s);
    terminal.type(`wrong again${key.enter}`);
    await terminal.shows(rejected);
    await terminal.shows('Client secret (hidden):', `${clientSecret}${key.enter}`);
    assert.equal(await terminal.ended, 0, terminal.text);
    assert.doesNotMatch(terminal.text, new RegExp(clientSecret));
  });

  test(`login: shows help for a rejected callback after 20 s, below the prompt (${TERM})`, async (context) => {
    const stage = await setStage(context, { signedOut: true });
    const real = createClock();
    let after20Seconds = () => {};
    let setReached = () => {};
    const reached = new Promise<void>((resolve) => {
      setReached = resolve;
    });
    const clock = {
      ...real,
      after(milliseconds: number, run: () => void) {
        if (milliseconds !== 20_000) return real.after(milliseconds, run);
        after20Seconds = run;
        setReached();
        return () => {
          after20Seconds = () => {};
        };
      },
    };
    const terminal = openInProcess(context, stage, 'wm login --no-browser', {
      environment: { ...environment, TERM },
      columns: 80,
      clock,
    });
    await terminal.shows('Press Allow there, or paste the address you landed on:');
    await reached;
    assert.doesNotMatch(terminal.text, /rejects the callback/);
    terminal.type('half');
    after20Seconds();
    await terminal.shows(/If the service rejects the callback URL\s+http:\S+,\s+register it/, key.interrupt);
    assert.equal(await terminal.ended, 130);
  });
}

test('login: asks again for an empty client id', async (context) => {
  const stage = await setStage(context, { signedOut: true });
  const line = `env -u WM_CLIENT_ID wm login --no-browser --auth-url ${stage.emulator.baseUrl}`;
  const terminal = openInProcess(context, stage, line, { environment, columns: 500 });
  await terminal.shows('Client id:', key.enter);
  await terminal.shows('Required', `app${key.enter}`);
  await terminal.shows('client_id=app&', key.interrupt);
  assert.equal(await terminal.ended, 130);
});
