// A due date alone: on a terminal wm asks about the start. test/transcript/task-due.txt has the others.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { sample } from '#emulator/state/sample-ids.ts';
import { call } from '#test/support/service/start-emulator.ts';
import { openInProcess } from '#test/support/terminal/in-process.ts';
import { setStage } from '#test/support/terminal/stage.ts';
import { key, skip } from '#test/support/terminal/terminal.ts';

for (const [pick, start] of [
  ['Keep it: 2026-02-02', '2026-02-02T09:00:00'],
  ['Move it as well', '2026-02-09T09:00:00'],
  ['Cancel', undefined],
] as const)
  test(`on a terminal asks about the start: ${pick}`, { skip }, async (context) => {
    const stage = await setStage(context);
    const typed = `wm task update ${sample.task} --due 2026-02-13`;
    const terminal = openInProcess(context, stage, typed, { columns: 200 });
    await terminal.shows(/A due date alone \(2026-02-13\) would turn/);
    await terminal.shows('What about its start?');
    await terminal.shows('Move it as well: 2026-02-09T09:00:00', `${pick}`);
    await terminal.screenShows(/1 of 3/, key.enter);
    assert.equal(await terminal.ended, start === undefined ? 2 : 0, terminal.text);
    const [task] = (await call(stage.emulator, 'GET', `/tasks/${sample.task}`)).body.data;
    assert.equal(task.dates.start, start ?? '2026-02-02T09:00:00');
    assert.match(task.dates.due, start === undefined ? /^2026-02-06/ : /^2026-02-13/);
  });
