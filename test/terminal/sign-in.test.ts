// Signing in on a terminal: the callback and the pasted address race, a wrong paste is asked for again, and Ctrl-C frees
// the port and the terminal.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { sampleApplications, sampleCallbacks } from '../../src/emulator/state/sample-ids.ts';
import { answerConsent } from '../transcript/person.ts';
import { setStage } from '../transcript/stage.ts';
import { cursorIsShown, key, openTerminal, skip } from './terminal.ts';

/** Wide enough that no address is broken into lines. */
const columns = 500;
const address = /\n {2}(http:\S+)\n/;
const sane = '; code=$?; stty -a | tr " ;" "\\n\\n" | grep -x -e "-*icanon" -e "-*echo"; exit $code';

test('the callback ends the wait while the question still stands', { skip }, async (context) => {
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

test('an https callback is pasted, and a wrong paste asked for again', { skip }, async (context) => {
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
  await terminal.shows('This is not the URL that the browser landed on');
  terminal.type(`nonsense${key.enter}`);
  await terminal.shows('nonsense');
  await terminal.shows('This is not the URL that the browser landed on');
  terminal.type(`  ${landed} ${key.enter}`);
  await terminal.shows('Signed in (profile default)');
  assert.equal(await terminal.ended, 0);
  await terminal.shows(/icanon\necho\n$/);

  const after = openTerminal(context, stage, 'wm whoami');
  assert.equal(await after.ended, 0, after.text);
});

test('a loopback address can be pasted too, where the browser is elsewhere', { skip }, async (context) => {
  const stage = await setStage(context, { signedOut: true });
  const terminal = openTerminal(context, stage, 'wm login --no-browser', { columns });
  const [, url = ''] = await terminal.shows(address);
  await terminal.shows('paste the address you landed on:');
  terminal.type(`${await answerConsent(url, { press: 'Deny' })}${key.enter}`);
  await terminal.shows('wm: Access was denied on the consent page');
  assert.equal(await terminal.ended, 4);
});

test('Ctrl-C frees the port and the terminal', { skip }, async (context) => {
  const stage = await setStage(context, { signedOut: true });
  const terminal = openTerminal(context, stage, `wm login --no-browser${sane}`, { columns });
  const [, url = ''] = await terminal.shows(address);
  await terminal.shows('paste the address you landed on:');
  const callback = new URL(url).searchParams.get('redirect_uri') ?? '';
  assert.equal((await fetch(callback)).status, 400, 'it listens');
  terminal.type(key.interrupt);
  await terminal.shows('wm: Interrupted');
  assert.equal(await terminal.ended, 130);
  await terminal.shows(/icanon\necho\n$/);
  assert.ok(cursorIsShown(terminal.raw));
  await assert.rejects(fetch(callback), 'the port is free again');
  const after = openTerminal(context, stage, 'wm whoami');
  assert.equal(await after.ended, 4);
});

test('Ctrl-C ends the emulator, and what runs inside it', { skip }, async (context) => {
  const stage = await setStage(context);
  const started = openTerminal(context, stage, 'exec wm emulator start');
  const [, api = ''] = await started.shows(/API +(http\S+)/);
  await started.shows('Press Ctrl-C to stop.');
  assert.equal((await fetch(api)).status, 404);
  started.type(key.interrupt);
  assert.equal(await started.ended, 0);
  await assert.rejects(fetch(api));

  // One process, and no shell: a shell can lose a Ctrl-C while it starts another.
  const script = 'console.log("at " + process.env.WM_EMULATOR_URL + "."); setTimeout(() => {}, 60_000)';
  const inside = openTerminal(context, stage, `exec wm emulator exec -- node -e '${script}'`);
  const [, base = ''] = await inside.shows(/at (http\S+)\.\n/);
  inside.type(key.interrupt);
  assert.equal(await inside.ended, 130);
  await assert.rejects(fetch(base));
});
