// The preview and the result of an update of dates: what the service drops with them, and weekends.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { sample } from '#emulator/state/sample-ids.ts';
import { call, query } from '#test/support/service/start-emulator.ts';
import { setStage } from '#test/support/terminal/stage.ts';
import { key, openTerminal, skip } from '#test/support/terminal/terminal.ts';
import { check, linesIn, say, wide } from './preview.ts';

/** The task's dates, what is typed for them, and the lines of the preview. */
const previews: readonly [name: string, now: object, typed: string, lines: readonly string[]][] = [
  [
    'a planned task into the backlog: start and due are dropped, and so is the duration',
    { start: '2026-03-02', due: '2026-03-03', duration: 600 },
    '{"type":"Backlog"}',
    [
      'type: Planned -> Backlog',
      'start: 2026-03-02T09:00:00 -> (none)',
      'due: 2026-03-03T17:00:00 -> (none)',
      'duration: 1d2h (600 min) -> (none)',
    ],
  ],
  [
    'a milestone: start and duration are dropped',
    { start: '2026-03-02', due: '2026-03-03', duration: 600 },
    '{"type":"Milestone","due":"2026-03-04","workOnWeekends":true}',
    [
      'type: Planned -> Milestone',
      'start: 2026-03-02T09:00:00 -> (none)',
      'due: 2026-03-03T17:00:00 -> 2026-03-04',
      'duration: 1d2h (600 min) -> (none)',
      'work on weekends: false -> true',
    ],
  ],
  [
    'a start on a weekend: it is shown where the service moves it',
    { type: 'Backlog' },
    '{"start":"2026-10-10","due":"2026-10-15"}',
    ['type: Backlog -> Planned', 'start: 2026-10-12', 'due: 2026-10-15'],
  ],
  [
    'a start makes a backlog task a planned one; weekends that are off already',
    { type: 'Backlog' },
    '{"start":"2026-03-02","duration":600,"workOnWeekends":false}',
    [
      'type: Backlog -> Planned',
      'start: 2026-03-02',
      'duration: 1d2h (600 min)',
      'work on weekends: false (unchanged)',
    ],
  ],
];

for (const [name, now, typed, lines] of previews) {
  test(`the preview of ${name}`, { skip }, async (context) => {
    const stage = await setStage(context);
    const id = sample.task;
    await call(stage.emulator, 'PUT', `/tasks/${id}?${query({ dates: now })}`);
    const terminal = openTerminal(context, stage, `wm task update ${id}`, wide);
    await say(terminal, 'dates', typed);
    assert.deepEqual(linesIn(await check(terminal)), lines);
    terminal.type(key.interrupt);
    assert.equal(await terminal.ended, 130);
  });
}

test('a duration that clears the dates: they are shown as dropped', { skip }, async (context) => {
  const stage = await setStage(context);
  const id = sample.task;
  const terminal = openTerminal(context, stage, `wm task update ${id}`, wide);
  await say(terminal, 'duration', '600');
  await terminal.shows('What do you want to change?');
  await terminal.shows('❯', 'allow clearing dates');
  await terminal.screenShows(/^❯ allow clearing dates/m, key.enter);
  await terminal.shows('Allow a duration without a start, which clears the dates? (y/N)', `y${key.enter}`);
  assert.deepEqual(linesIn(await check(terminal)), [
    'type: Planned -> Backlog',
    'start: 2026-02-02T09:00:00 -> (none)',
    'due: 2026-02-06T17:00:00 -> (none)',
    'duration: 5d (2400 min) -> 1d2h (600 min) (600)',
  ]);
  terminal.type(`y${key.enter}`);
  assert.equal(await terminal.ended, 0, terminal.text);
  const { body } = await call(stage.emulator, 'GET', `/tasks/${id}`);
  assert.deepEqual(body.data[0].dates, { type: 'Backlog', duration: 600 });
});

test('adding a user who already follows is not shown as a change', { skip }, async (context) => {
  const stage = await setStage(context);
  const terminal = openTerminal(context, stage, `wm task update ${sample.task}`, wide);
  await say(terminal, 'addFollowers', sample.ada);
  await terminal.shows('❯ Done: check and send', key.enter);
  await terminal.shows(`add followers: Ada Fields (${sample.ada}) (unchanged)`, key.interrupt);
  assert.equal(await terminal.ended, 130);
});
