// What is typed before its question, on a real terminal in its own line mode, and a paste of a megabyte.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { sample } from '#emulator/state/sample-ids.ts';
import { call } from '#test/support/service/start-emulator.ts';
import { type Stage, setStage } from '#test/support/terminal/stage.ts';
import { key, openTerminal, skip } from '#test/support/terminal/terminal.ts';

const dropped = '> Input typed before this question was discarded';
const paste = (text: string) => `\x1b[200~${text}\x1b[201~`;
const plain = { environment: { TERM: 'dumb' }, columns: 200 };

const titleOf = async ({ emulator }: Stage) =>
  (await call(emulator, 'GET', `/tasks/${sample.task}`)).body.data[0].title;

test('TERM=dumb: shows text typed ahead after its question', { skip }, async (context) => {
  const stage = await setStage(context);
  const terminal = openTerminal(context, stage, `wm task update ${sample.task}`, plain);
  await terminal.shows(/Enter for more: $/, `1${key.enter}Ship it${key.enter}`);
  await terminal.shows('? New title: Ship it\n');
  await terminal.shows(/Enter for more: $/, key.interrupt);
});

test('TERM=dumb: a line after a wrong answer never confirms', { skip }, async (context) => {
  const stage = await setStage(context);
  const line = `wm task update ${sample.task} ${sample.bug} --title x`;
  const terminal = openTerminal(context, stage, line, plain);
  await terminal.shows('(y/N) ', `maybe${key.enter}y${key.enter}`);
  await terminal.shows('> Type y or n\n');
  await terminal.shows(`${dropped}\n`);
  await terminal.shows('(y/N) ', key.enter);
  await terminal.shows('Not confirmed; nothing was done');
  assert.equal(await terminal.ended, 2);
  assert.equal(await titleOf(stage), 'Write the launch page');
});

test('TERM=dumb: a line after one that filters or pages a list never picks from it', {
  skip,
}, async (context) => {
  const stage = await setStage(context);
  const terminal = openTerminal(context, stage, `wm task update ${sample.task}`, plain);
  await terminal.shows(/Enter for more: $/);
  // The second page was not on the screen when its number was typed.
  terminal.type(`${key.enter}25${key.enter}`);
  await terminal.shows('showing 21 to');
  await terminal.shows(`${dropped}\n`);
  await terminal.shows(/filter by.*: $/, key.interrupt);
});

const login = 'env -u WM_CLIENT_SECRET -u WM_TOKEN wm login --no-browser';

for (const [name, line, shows, environment] of [
  ['a list', `wm task update ${sample.task}`, 'What do you want to change', {}],
  ['a text', 'env -u WM_CLIENT_ID -u WM_TOKEN wm login --no-browser', 'Client id:', {}],
  ['a text without marks', 'env -u WM_CLIENT_ID -u WM_TOKEN wm login --no-browser', 'Client id:', {}],
  ['a secret', login, 'hidden):', {}],
  ['a plain secret', login, 'hidden):', { TERM: 'dumb' }],
] as const) {
  test(`Ctrl-C works after a megabyte pasted at ${name}`, { skip }, async (context) => {
    const stage = await setStage(context);
    const terminal = openTerminal(context, stage, line, { environment });
    await terminal.shows(shows);
    const text = 'hello world '.repeat(87_000);
    terminal.type(name.endsWith('without marks') ? text : paste(text));
    // Behind it: whatever becomes of the paste, this ends the question.
    terminal.type(key.interrupt);
    await terminal.shows('wm: Interrupted');
    assert.equal(await terminal.ended, 130);
  });
}
