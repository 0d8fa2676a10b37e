// Ctrl-C on a real terminal: it frees the port of a sign-in, and ends the emulator.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setStage } from '#test/support/terminal/stage.ts';
import { cursorIsShown, key, openTerminal, skip } from '#test/support/terminal/terminal.ts';

/** Wide enough that no address is broken into lines. */
const columns = 500;
const address = /\n {2}(http:\S+)\n/;
const sane = '; code=$?; stty -a | tr " ;" "\\n\\n" | grep -x -e "-*icanon" -e "-*echo"; exit $code';

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

test('Ctrl-C ends the emulator and the command inside it', { skip }, async (context) => {
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
