// Questions: a secret is never echoed; nobody is asked under --no-input, WM_NO_INPUT or CI, even on a terminal.

import assert from 'node:assert/strict';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { run } from '#test/support/program/program.ts';
import { call, query } from '#test/support/service/start-emulator.ts';
import { answerConsent } from '#test/support/terminal/consent-page.ts';
import { openInProcess } from '#test/support/terminal/in-process.ts';
import { setStage } from '#test/support/terminal/stage.ts';
import { key, openTerminal, skip } from '#test/support/terminal/terminal.ts';

test('prompts for missing values, and never shows the secret', { skip }, async (context) => {
  const stage = await setStage(context, { signedOut: true });
  const { authUrl, clientId, clientSecret } = stage.emulator;
  const line = 'env -u WM_AUTH_URL -u WM_CLIENT_ID -u WM_CLIENT_SECRET wm login --no-browser';
  const terminal = openTerminal(context, stage, line, { columns: 500 });
  await terminal.shows('Address to sign in at (such as login.example.com):', `${authUrl}${key.enter}`);
  await terminal.shows('Client id:', `${clientId}${key.enter}`);
  await terminal.shows('Client secret (hidden):', clientSecret);
  terminal.type(key.enter);
  const [, address = ''] = await terminal.shows(/\n {2}(http:\S+)\n/);
  await fetch(await answerConsent(address, { press: 'Allow' }));
  await terminal.shows('Signed in (profile default)');
  assert.equal(await terminal.ended, 0);
  for (let at = 0; at + 4 <= clientSecret.length; at++) {
    assert.ok(!terminal.raw.includes(clientSecret.slice(at, at + 4)), 'a part of the secret was shown');
  }
  // What is no secret is in one file, what is one in the store alone.
  const config = join(stage.folder, 'config');
  assert.ok(!(await readFile(join(config, 'profiles.json'), 'utf8')).includes(clientSecret));
  assert.deepEqual(await readdir(join(config, 'tokens')), ['default.json']);

  // The next time nothing has to be asked.
  const again = openInProcess(context, stage, line, { columns: 500 });
  const [, second = ''] = await again.shows(/\n {2}(http:\S+)\n/);
  await fetch(await answerConsent(second, { press: 'Allow' }));
  assert.equal(await again.ended, 0);
});

for (const [why, flag, environment] of [
  ['--no-input was given', '--no-input', {}],
  ['WM_NO_INPUT is set', '', { WM_NO_INPUT: '1' }],
  ['CI is set', '', { CI: 'true' }],
] as const) {
  test(`does not prompt where ${why}, and the error says so`, async (context) => {
    const stage = await setStage(context);
    const { body } = await call(
      stage.emulator,
      'POST',
      `/webhooks?${query({ hookUrl: 'https://hooks.example.com/' })}`,
    );
    const id: string = body.data[0].id;
    for (const [line, says] of [
      ['wm webhook suspend', 'Missing: ID'],
      [`wm webhook suspend ${id}`, `Cannot prompt: ${why}. Confirm with --yes.`],
      [`wm webhook delete ${id}`, `Cannot prompt: ${why}. Confirm with --yes.`],
      [
        'env -u WM_CLIENT_SECRET -u WM_TOKEN wm login --no-browser',
        `Cannot prompt: ${why}. Set WM_CLIENT_SECRET.`,
      ],
      ['env -u WM_TOKEN wm login', `without a user\n  ${why}\n`],
    ] as const) {
      const terminal = openInProcess(context, stage, `${line} ${flag}`, { environment });
      assert.equal(await terminal.ended, 2, terminal.text);
      assert.ok(terminal.text.includes(says), terminal.text);
      assert.ok(!terminal.text.includes('?\x20(y/N)'));
    }
    const yes = openInProcess(context, stage, `wm webhook suspend ${id} --yes ${flag}`, { environment });
    assert.equal(await yes.ended, 0, yes.text);
  });
}

test('logout asks for confirmation and accepts a yes', async (context) => {
  const stage = await setStage(context, { signedOut: true });
  const { environment } = stage;
  const login = await run(['login', '--with-token', '-q'], { environment, input: stage.emulator.token });
  assert.equal(login.status, 0, login.errors);
  const no = openInProcess(context, stage, 'wm logout');
  await no.shows('Sign out Ada Fields (profile default)? (y/N)', key.enter);
  assert.equal(await no.ended, 2);
  assert.equal((await run(['whoami'], { environment })).status, 0);
  const yes = openInProcess(context, stage, 'wm logout');
  await yes.shows('Sign out Ada Fields', `y${key.enter}`);
  await yes.shows('Signed out (profile default).');
  assert.equal(await yes.ended, 0);
});
