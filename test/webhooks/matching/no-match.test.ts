// A text that means no webhook: what comes near it is a question, the account that was searched is named, and so are the other
// profiles in which it matches.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { emulated } from '#test/support/program/emulated.ts';
import { printedCommand } from '#test/support/program/printed.ts';
import { signedOut } from '#test/support/program/signed-out.ts';
import { call, query } from '#test/support/service/start-emulator.ts';
import { key } from '#test/support/terminal/terminal.ts';
import { onStage } from '../on-stage.ts';
import { urls } from './old-and-new.ts';

test('on a terminal, asks about the suggestion; to delete it, it must be named', async (context) => {
  const { open } = await onStage(context, 'billing');
  const terminal = open(`wm webhook suspend ${urls.billing}/`);
  await terminal.screenShows('exactly. Which is meant?', key.enter);
  await terminal.shows('It delivers events for the account or a space. (y/N)', `y${key.enter}`);
  assert.equal(await terminal.ended, 0);
  assert.equal(await open(`wm webhook delete ${urls.billing}/`).ended, 2);
});

test('names another profile that has it, with the command that lists its webhooks', async (context) => {
  const { wm, signIn } = await signedOut(context);
  await signIn('login', '--profile', 'work');
  const second = await emulated(context);
  const host = second.environment['WM_HOST'] ?? '';
  const login = ['login', '--with-token', '--profile', 'sandbox', '--host', host];
  const signedIn = await wm(login, { input: second.emulator.token });
  assert.equal(signedIn.status, 0, signedIn.errors);
  const gone = await emulated(context);
  const ofGone = ['login', '--with-token', '--profile', 'gone', '--host', gone.environment['WM_HOST'] ?? ''];
  assert.equal((await wm(ofGone, { input: gone.emulator.token })).status, 0);
  await gone.control('faults', { request: 'listWebhooks', status: 403, error: 'access_forbidden' });
  await call(second.emulator, 'POST', `/webhooks?${query({ hookUrl: urls.billing })}`);
  const ran = await wm(['webhook', 'get', 'billing', '--profile', 'work']);
  assert.equal(ran.status, 5, ran.errors);
  assert.match(ran.errors, /searched: account .+ \(profile work\)$/m);
  assert.match(ran.errors, /^ {2}It matches in the profile sandbox\.$/m);
  const listed = await wm(printedCommand(ran.errors, 'To list them: '));
  assert.ok(listed.output.includes(urls.billing), listed.errors);
  await call(gone.emulator, 'POST', `/webhooks?${query({ hookUrl: urls.billing })}`);
  const both = await wm(['webhook', 'get', 'billing', '--profile', 'work']);
  assert.match(both.errors, /^ {2}It matches in the profiles \w+ and \w+\.$/m);
});
