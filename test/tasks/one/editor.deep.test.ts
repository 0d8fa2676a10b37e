// The editor of `wm task update ID` on a terminal: fields found by what people call them, texts to edit, lists to pick names from.

import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { key, openTerminal, skip } from '#test/terminal/terminal.ts';
import { setStage } from '#test/transcript/stage.ts';
import { id } from './interactive.ts';

async function opened(context: TestContext) {
  const stage = await setStage(context);
  const environment = { NO_COLOR: '1' };
  const terminal = openTerminal(context, stage, `wm task update ${id}`, { columns: 200, environment });
  await terminal.shows('What do you want to change?');
  return { stage, terminal };
}

test('a field is found by what people call it', { skip }, async (context) => {
  const { terminal } = await opened(context);
  for (const [word, field] of [
    ['assignee', 'add responsibles'],
    ['assignees', 'add responsibles'],
    ['due', 'due'],
    ['deadline', 'due'],
    ['folder', 'add parents'],
    ['move', 'add parents'],
    ['priority', 'importance'],
  ] as const) {
    terminal.type(word);
    await terminal.screenShows((lines) => {
      const screen = lines.join('\n');
      return screen.includes(`change? ${word}\n`) && new RegExp(`^❯ ${field}$`, 'm').test(screen);
    });
    terminal.type(key.backspace.repeat(word.length));
    await terminal.screenShows(/change\?$/m);
  }
  terminal.type(key.interrupt);
  assert.equal(await terminal.ended, 130);
});
