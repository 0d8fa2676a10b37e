// Questions of the commands about accounts, on a terminal: which profile, also one whose user nobody noted, and settings
// that may not be empty.

import assert from 'node:assert/strict';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { key, openTerminal, skip } from '../terminal/terminal.ts';
import { setStage } from '../transcript/stage.ts';

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

test('auth switch: a profile without a user and an account is listed by its name alone', {
  skip,
}, async (context) => {
  const { stage, current } = await withTwo(context);
  const terminal = openTerminal(context, stage, 'wm auth switch', { environment });
  await terminal.shows('Which account?');
  await terminal.shows(/ 1 {2}one *\n +2 {2}two +Ada Fields +Paper Lantern Studio\n/);
  await terminal.shows(/filter by: $/);
  terminal.type(`1${key.enter}`);
  await terminal.shows('wm now uses the profile one.');
  assert.equal(await terminal.ended, 0);
  assert.equal(await current(), 'one');
});

test('with standard error in a file, the question is on standard output', { skip }, async (context) => {
  const { stage, current } = await withTwo(context);
  const terminal = openTerminal(context, stage, 'wm auth switch 2>messages', { environment });
  await terminal.shows(/filter by: $/);
  terminal.type(`1${key.enter}`);
  assert.equal(await terminal.ended, 0);
  assert.equal(await current(), 'one');
  const messages = await readFile(join(stage.folder, 'messages'), 'utf8');
  assert.equal(messages, 'wm now uses the profile one.\n');
});

test('login: an empty client id is asked for again', { skip }, async (context) => {
  const stage = await setStage(context, { signedOut: true });
  const terminal = openTerminal(
    context,
    stage,
    `unset WM_CLIENT_ID; wm login --auth-url ${stage.emulator.baseUrl}`,
    {
      environment,
    },
  );
  await terminal.shows('Client id:');
  terminal.type(key.enter);
  await terminal.shows('Required');
  terminal.type(`app${key.enter}`);
  await terminal.shows('client_id=app&');
  terminal.type(key.interrupt);
  assert.equal(await terminal.ended, 130);
});
