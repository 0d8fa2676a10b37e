// Signing in on a terminal: the callback and the pasted address race, a wrong paste is asked for again, and Ctrl-C frees
// the port and the terminal.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { sampleApplications, sampleCallbacks } from '#emulator/state/sample-ids.ts';
import { answerConsent } from '#test/support/terminal/consent-page.ts';
import { openInProcess } from '#test/support/terminal/in-process.ts';
import { setStage } from '#test/support/terminal/stage.ts';
import { cursorIsShown, key, openTerminal, skip } from '#test/support/terminal/terminal.ts';

/** Wide enough that no address is broken into lines. */
const columns = 500;
const address = /\n {2}(http:\S+)\n/;
const sane = '; code=$?; stty -a | tr " ;" "\\n\\n" | grep -x -e "-*icanon" -e "-*echo"; exit $code';

test('the callback completes the sign-in while the prompt is open', { skip }, async (context) => {
  const stage = await setStage(context, { signedOut: true });
  const terminal = openTerminal(context, stage, `wm login --no-browser${sane}`, { columns });
  const [, url = ''] = await terminal.shows(address);
  await terminal.shows('paste the address you landed on:');
  const callback = await answerConsent(url, { press: 'Allow', user: 'KUAABENQ' });
  const stray = await fetch(callback.replace(/state=[^&]*/, 'state=wrong'));
  assert.equal(stray.status, 400);
  const page = await (await fetch(callback)).text();
  assert.match(page, /You are Ben Okafor, in Paper Lantern Studio\./);
  await terminal.shows('Signed in (profile default)');
  await terminal.shows(/user: +Ben Okafor/);
  assert.equal(await terminal.ended, 0);
  await terminal.shows(/icanon\necho\n$/);
  assert.ok(cursorIsShown(terminal.raw));
  await assert.rejects(fetch(callback), 'the port is free again');
});

test('prompts for the address of an https callback, and again after a wrong paste', {
  skip,
}, async (context) => {
  const stage = await setStage(context, { signedOut: true });
  const { id, secret } = sampleApplications.two;
  const environment = { WM_CLIENT_ID: id, WM_CLIENT_SECRET: secret };
  const line = `wm login --no-browser --redirect-uri ${sampleCallbacks.two[0]}${sane}`;
  const terminal = openTerminal(context, stage, line, { columns, environment });
  const [, url = ''] = await terminal.shows(address);
  await terminal.shows('paste the address you land on');
  const landed = await answerConsent(url, { press: 'Allow' });
  assert.ok(landed.startsWith(`${sampleCallbacks.two[0]}?code=`));

  terminal.type(`${landed.replace(/state=[^&]*/, 'state=wrong')}${key.enter}`);
  await terminal.shows('This URL belongs to another sign-in');
  terminal.type(`${landed.replace(/code=[^&]*&/, '')}${key.enter}`);
  await terminal.shows('This is not the URL that the browser landed on', `nonsense${key.enter}`);
  await terminal.shows('nonsense');
  await terminal.shows('This is not the URL that the browser landed on', `  ${landed} ${key.enter}`);
  await terminal.shows('Signed in (profile default)');
  assert.equal(await terminal.ended, 0);
  await terminal.shows(/icanon\necho\n$/);

  const after = openInProcess(context, stage, 'wm whoami');
  assert.equal(await after.ended, 0, after.text);
});

test('accepts a pasted loopback address, for a browser on another machine', async (context) => {
  const stage = await setStage(context, { signedOut: true });
  const terminal = openInProcess(context, stage, 'wm login --no-browser', { columns });
  const [, url = ''] = await terminal.shows(address);
  await terminal.shows('paste the address you landed on:');
  terminal.type(`${await answerConsent(url, { press: 'Deny' })}${key.enter}`);
  await terminal.shows('wm: Access was denied on the consent page');
  assert.equal(await terminal.ended, 4);
});
