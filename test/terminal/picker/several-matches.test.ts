// Several webhooks by their filters: they are listed and confirmed on a terminal. And a pick on a narrow one. A part of a URL that means
// several is in test/transcript/webhook-terminal.txt and webhook-dumb.txt.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openInProcess } from '#test/support/terminal/in-process.ts';
import { key } from '#test/support/terminal/terminal.ts';
import { hookUrl, withTeams } from './webhooks.ts';

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

test('a narrow terminal: wraps the answer between words, so that the id can be copied', async (context) => {
  const { stage, ids } = await withTeams(context, 3);
  const terminal = openInProcess(context, stage, 'wm webhook get', { columns: 60 });
  await terminal.screenShows('? Which webhook to get?', 'team2');
  await terminal.screenShows('1 of 3', key.enter);
  await terminal.screenShows(new RegExp(`^${hookUrl(2)}  ${ids[2]} *$`, 'm'));
  await terminal.shows(new RegExp(`id: +${ids[2]}`));
  assert.equal(await terminal.ended, 0);
});
