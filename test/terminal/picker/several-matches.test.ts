// A part of a URL that means several webhooks: on a terminal those are picked from, and confirmed, also where the cursor
// cannot move. No id is typed.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openInProcess } from '#test/support/terminal/in-process.ts';
import { key } from '#test/support/terminal/terminal.ts';
import { hookUrl, withTeams } from './webhooks.ts';

test('part of a URL that matches several: pick, then confirm', async (context) => {
  const { stage, ids, suspended } = await withTeams(context, 12);
  const terminal = openInProcess(context, stage, 'wm webhook suspend team1', { columns: 120 });
  await terminal.screenShows('4 of 4');
  const lines = await terminal.screenShows('? "team1" matches 4 webhooks. Which?');
  assert.deepEqual(
    lines.slice(1, 5).map((line) => line.slice(6).split(/ {2,}/)[0]),
    [1, 10, 11, 12].map(hookUrl),
  );
  // Not the digits alone: an id is random, and may have them.
  terminal.type('team12');
  await terminal.screenShows('1 of 4', key.enter);
  await terminal.shows('Account Paper Lantern Studio, as Ada Fields');
  await terminal.shows('(y/N)', `y${key.enter}`);
  await terminal.shows(`Suspended: ${hookUrl(12)} (${ids[12]}), read back from the service.`);
  assert.equal(await terminal.ended, 0);
  assert.deepEqual(await suspended(), [ids[12]]);
});

test('part of a URL that matches one: a confirmation without a list', async (context) => {
  const { stage, ids, suspended } = await withTeams(context, 3);
  const terminal = openInProcess(context, stage, 'wm webhook suspend team3', { columns: 120 });
  await terminal.shows(`Suspend ${hookUrl(3)} (${ids[3]})?`);
  await terminal.shows('(y/N)');
  assert.deepEqual(await suspended(), []);
  terminal.type(`y${key.enter}`);
  assert.equal(await terminal.ended, 0);
  assert.deepEqual(await suspended(), [ids[3]]);
});

test('without cursor movement, picks by numbers', async (context) => {
  const { stage, ids, suspended } = await withTeams(context, 12);
  const terminal = openInProcess(context, stage, 'wm webhook suspend team1', {
    columns: 120,
    environment: { TERM: 'dumb' },
  });
  await terminal.shows('"team1" matches 4 webhooks. Which?\n');
  await terminal.shows(/Numbers, or text to filter by: $/, key.enter);
  await terminal.shows('Type a number, or text to filter by; / shows all', `/team7${key.enter}`);
  await terminal.shows('No matches for "team7"', `1,4${key.enter}`);
  await terminal.shows(`${hookUrl(1)} (${ids[1]})`);
  await terminal.shows(`${hookUrl(12)} (${ids[12]})`);
  await terminal.shows('Suspend these 2 webhooks? (y/N)', `y${key.enter}`);
  assert.equal(await terminal.ended, 0);
  assert.deepEqual(await suspended(), [ids[1], ids[12]]);
  assert.ok(!terminal.raw.includes('\x1b'));
});

for (const TERM of ['xterm-256color', 'dumb']) {
  test(`--all with filters, TERM=${TERM}: lists the matches and confirms them`, async (context) => {
    const { stage, ids, suspended } = await withTeams(context, 12);
    const line = `wm webhook suspend --all --status active --url '${hookUrl(1)}*'`;
    for (const [answer, status, names] of [
      ['n', 2, []],
      ['y', 0, [ids[1], ids[10], ids[11], ids[12]]],
    ] as const) {
      const terminal = openInProcess(context, stage, line, { columns: 120, environment: { TERM } });
      await terminal.shows('Account Paper Lantern Studio, as Ada Fields');
      for (const number of [1, 10, 11, 12]) await terminal.shows(`${hookUrl(number)} (${ids[number]})`);
      await terminal.shows('Suspend these 4 webhooks?');
      await terminal.shows('(y/N)', `${answer}${key.enter}`);
      assert.equal(await terminal.ended, status);
      assert.deepEqual(await suspended(), names);
    }
  });
}

test('`get` without an id: picks from a list of all webhooks', async (context) => {
  const { stage, ids } = await withTeams(context, 3);
  const terminal = openInProcess(context, stage, 'wm webhook get', { columns: 120 });
  await terminal.screenShows('? Which webhook to get?', 'team2');
  await terminal.screenShows('1 of 3', key.enter);
  await terminal.shows(new RegExp(`id: +${ids[2]}`));
  assert.equal(await terminal.ended, 0);
});

test('a narrow terminal: wraps the answer between words, so that the id can be copied', async (context) => {
  const { stage, ids } = await withTeams(context, 3);
  const terminal = openInProcess(context, stage, 'wm webhook get', { columns: 60 });
  await terminal.screenShows('? Which webhook to get?', 'team2');
  await terminal.screenShows('1 of 3', key.enter);
  await terminal.screenShows(new RegExp(`^${hookUrl(2)}  ${ids[2]} *$`, 'm'));
  assert.equal(await terminal.ended, 0);
});
