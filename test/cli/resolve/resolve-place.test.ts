// A title that several folders have, on a terminal: the user picks one. test/transcript/folder-titles.txt has the rest.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { sample } from '#emulator/state/sample-ids.ts';
import { call, query } from '#test/support/service/start-emulator.ts';
import { openInProcess } from '#test/support/terminal/in-process.ts';
import { setStage } from '#test/support/terminal/stage.ts';
import { key, openTerminal, skip } from '#test/support/terminal/terminal.ts';

for (const TERM of ['xterm-256color', 'dumb']) {
  test(`an ambiguous title, TERM=${TERM}: the user picks one`, { skip }, async (context) => {
    const stage = await setStage(context);
    const create = async (path: string, parameters: Readonly<Record<string, string>>): Promise<string> =>
      (await call(stage.emulator, 'POST', `${path}?${query(parameters)}`)).body.data[0].id;
    const first = await create(`/folders/${sample.folder}/folders`, { title: 'Launch' });
    const second = await create(`/folders/${sample.project}/folders`, { title: 'launch' });
    await create(`/folders/${first}/webhooks`, { hookUrl: 'https://hooks.example.com/first' });
    const id = await create(`/folders/${second}/webhooks`, { hookUrl: 'https://hooks.example.com/second' });
    const environment = { TERM };
    const line = 'wm webhook list --folder LAUNCH';
    const terminal =
      TERM === 'dumb'
        ? openInProcess(context, stage, line, { environment })
        : openTerminal(context, stage, `${line} | cut -f1`, { environment });
    await terminal.shows('2 folders have the title "LAUNCH". Which?');
    await terminal.shows(new RegExp(`Launch +${first} +in Website`));
    await terminal.shows(new RegExp(`launch +${second} +in Spring catalogue`));
    // Before this stands there, the terminal itself would show what is typed, above it.
    if (TERM === 'dumb') await terminal.shows(/filter by: $/);
    terminal.type(TERM === 'dumb' ? `2${key.enter}` : `${key.down}${key.enter}`);
    await terminal.shows(TERM === 'dumb' ? new RegExp(id) : `\n${id}\n`);
    assert.equal(await terminal.ended, 0);
  });
}
