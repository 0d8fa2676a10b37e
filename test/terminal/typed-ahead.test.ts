// What is typed before its question stands there, and what is pasted: a text may be typed ahead, a list is filtered, and a
// yes or a secret never is; several pasted lines are one text, and no answer before Enter is pressed.

import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { sample } from '#emulator/state/sample-ids.ts';
import { call } from '#test/support/service/start-emulator.ts';
import { openInProcess } from '#test/support/terminal/in-process.ts';
import { type Stage, setStage } from '#test/support/terminal/stage.ts';
import { key } from '#test/support/terminal/terminal.ts';

const dropped = '> Input typed before this question was discarded';
const paste = (text: string) => `\x1b[200~${text}\x1b[201~`;

const titleOf = async ({ emulator }: Stage) =>
  (await call(emulator, 'GET', `/tasks/${sample.task}`)).body.data[0].title;

test('input in one read with an answer goes to the next prompt, but never confirms', async (context) => {
  const stage = await setStage(context);
  const terminal = openInProcess(context, stage, `wm task update ${sample.task}`);
  await terminal.screenShows(/^❯ title$/m);
  // In one piece: the list, the text, and the beginning of the next list.
  terminal.type(`${key.enter}Ship it${key.enter}done`);
  await terminal.screenShows(/^\? What do you want to change\? done\n❯ Done: check and send/m);
  terminal.type(`${key.enter}y${key.enter}y`);
  await terminal.screenShows(new RegExp(`^${dropped}\\n.*\\(y/N\\)$`, 'm'), key.enter);
  await terminal.shows('Not confirmed; nothing was done');
  assert.equal(await terminal.ended, 2);
  assert.equal(await titleOf(stage), 'Write the launch page');
});

test('a paste of several lines is one text, and answers nothing before Enter', async (context) => {
  const stage = await setStage(context);
  const terminal = openInProcess(context, stage, `wm task update ${sample.task}`);
  await terminal.screenShows(/^❯ title$/m, key.enter);
  await terminal.screenShows(/^\? New title: Write the launch page$/m, key.clear);
  await terminal.screenShows(/^\? New title:$/m);
  // The text that was to be edited does not come back.
  terminal.type(key.enter);
  await terminal.screenShows(/^\? New title:\n> /m, paste('Ship\r\nit\tnow\x07\r'));
  await terminal.screenShows(/^> Joined 2 pasted lines into one\n\? New title: Ship it now$/m, '!');
  await terminal.screenShows(/^\? New title: Ship it now!$/m, key.enter);
  await terminal.screenShows(/^\? What do you want to change\?\n❯ Done: check and send/m, key.enter);
  await terminal.screenShows('(y/N)');
  // No yes is completed.
  terminal.type('\t');
  await terminal.beepsAfter(0);
  // What follows an invalid answer is dropped.
  terminal.type(`yesterday${key.enter}y${key.enter}`);
  await terminal.screenShows(/\(y\/N\) yesterday\n> Type y or n$/m, key.clear);
  await terminal.screenShows(/\(y\/N\)\n\n/, paste('y\r'));
  await terminal.screenShows(/\(y\/N\) y$/m);
  assert.equal(await titleOf(stage), 'Write the launch page');
  terminal.type(key.enter);
  assert.equal(await terminal.ended, 0);
  assert.equal(await titleOf(stage), 'Ship it now!');
});

/** `login` with all but the secret. */
async function atSecret(context: TestContext) {
  const stage = await setStage(context, { signedOut: true });
  const terminal = openInProcess(context, stage, 'env -u WM_CLIENT_SECRET wm login --no-browser', {
    columns: 500,
  });
  await terminal.screenShows('Client secret (hidden):');
  return { stage, terminal };
}

test('a secret accepts a paste of one line only, and says so', async (context) => {
  const { stage, terminal } = await atSecret(context);
  terminal.type(paste('one\r\ntwo\r\n'));
  await terminal.screenShows('> Paste ignored: it has 2 lines', paste('x'.repeat(20_001)));
  await terminal.screenShows(/^> Too long for a prompt: 20001 characters\n.*hidden\):$/m);
  terminal.type(paste(`${stage.emulator.clientSecret}\r\n`));
  await terminal.screenShows(`: ${'*'.repeat(stage.emulator.clientSecret.length)}`, key.enter);
  await terminal.shows('paste the address you landed on:', key.interrupt);
  assert.equal(await terminal.ended, 130);
  assert.ok(!terminal.raw.includes(stage.emulator.clientSecret.slice(0, 4)));
});

test('a secret cannot be typed ahead, and the prompt says so', async (context) => {
  const stage = await setStage(context, { signedOut: true });
  const line = 'env -u WM_CLIENT_ID -u WM_CLIENT_SECRET wm login --no-browser';
  const terminal = openInProcess(context, stage, line);
  await terminal.screenShows('Client id:', `${stage.emulator.clientId}${key.enter}half of it`);
  await terminal.screenShows(new RegExp(`^${dropped}\\n.*hidden\\):$`, 'm'), 'abc');
  await terminal.screenShows(/hidden\): \*\*\*$/m);
  // Ctrl-T shows it and hides it again; a tab is no part of it.
  terminal.type('\x14');
  await terminal.screenShows(/hidden\): abc\nCtrl-T: show or hide the text$/m, '\x14');
  await terminal.screenShows(/hidden\): \*\*\*\nCtrl-T: show or hide the text$/m, '\td');
  await terminal.screenShows(/hidden\): \*\*\*\*$/m, key.interrupt);
  assert.equal(await terminal.ended, 130);
});
