// 256 webhooks, one of which misbehaves: from `wm webhook suspend` to "Suspended", read back, by typing a part of its URL,
// on a usual screen, on a very small one, and where the cursor cannot move.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openInProcess } from '#test/support/terminal/in-process.ts';
import { key } from '#test/support/terminal/terminal.ts';
import { hookUrl, withTeams } from './webhooks.ts';

/** The picker stands there once, whole, and nothing below it. */
const isTidy = (screen: readonly string[]): boolean => {
  const lines = screen.join('\n').trimEnd().split('\n');
  const first = lines.findIndex((line) => line.startsWith('? Which webhook to suspend?'));
  const heads = /^>(?: |$)/.test(lines[first + 1] ?? '') ? 2 : 1;
  const rows = lines.slice(first + heads).filter((line) => /^(?:❯| ) \[ \] \S/.test(line));
  const last = lines.length - 1;
  // One line for each row, and at most one for what has no room in it.
  const others = last - first - heads - rows.length;
  return (
    first !== -1 &&
    /^ {2}\d+ of 256/.test(lines[last] ?? '') &&
    lines.filter((line) => line.startsWith('? Which webhook')).length === 1 &&
    rows.filter((line) => line.startsWith('❯ ')).length === 1 &&
    (others === 0 || (others === 1 && /^ {2}\S/.test(lines[last - 1] ?? '')))
  );
};

for (const [columns, rows] of [
  [80, 24],
  [40, 10],
] as const) {
  test(`256 webhooks, ${columns}x${rows}: finds one by part of its URL and suspends it`, async (context) => {
    const { stage, ids, suspended } = await withTeams(context, 256);
    const terminal = openInProcess(context, stage, 'wm webhook suspend', { columns, rows });
    await terminal.screenShows('256 of 256');
    await terminal.screenShows(isTidy, 'team123');
    const lines = await terminal.screenShows(/^ {2}1 of 256/m);
    assert.ok(isTidy(lines), lines.join('\n'));
    const row = lines.find((line) => line.startsWith('❯ ')) ?? '';
    // On a small screen the status takes the place of a part of the URL, which is whole below.
    assert.match(row, /^❯ \[ \] \S*team123\b.* {2}Active/);
    assert.ok(lines.join('\n').includes(hookUrl(123)), lines.join('\n'));
    terminal.type(key.enter);
    await terminal.screenShows('(y/N)');
    await terminal.shows(new RegExp(`Suspend\\s+${hookUrl(123)}\\s+\\(${ids[123]}\\)\\?`));
    assert.deepEqual(await suspended(), []);
    terminal.type(`y${key.enter}`);
    await terminal.shows(`Suspended: ${hookUrl(123)} (${ids[123]}), read back from the service.`);
    assert.equal(await terminal.ended, 0);
    assert.deepEqual(await suspended(), [ids[123]]);
  });
}

test('256 webhooks and a resize: draws the picker once, with the typed filter', async (context) => {
  const { stage, suspended } = await withTeams(context, 256);
  const terminal = openInProcess(context, stage, 'wm webhook suspend', { columns: 80, rows: 24 });
  await terminal.screenShows('256 of 256', 'team12');
  await terminal.screenShows('11 of 256', key.down);
  await terminal.screenShows(`❯ [ ] ${hookUrl(120)}`);
  for (const [columns, rows] of [
    [60, 24],
    [40, 10],
    [100, 30],
    [75, 30],
    [30, 8],
    [40, 10],
    [80, 24],
    [60, 12],
  ] as const) {
    terminal.resize(columns, rows);
    const lines = await terminal.screenShows(isTidy);
    assert.match(lines.join('\n'), /❯ \[ \] \S*team120\b/);
    assert.match(lines.join('\n'), /(?:suspend\?|>) team12$/m);
  }
  terminal.type(key.enter);
  await terminal.shows(`Suspend ${hookUrl(120)}`, `n${key.enter}`);
  assert.equal(await terminal.ended, 2);
  assert.deepEqual(await suspended(), []);
});

for (const [name, environment] of [
  ['TERM=dumb', { TERM: 'dumb' }],
  ['ACCESSIBLE=1', { ACCESSIBLE: '1' }],
] as const) {
  test(`256 webhooks, ${name}: a page of numbers, a filter, a number`, async (context) => {
    const { stage, ids, suspended } = await withTeams(context, 256);
    const terminal = openInProcess(context, stage, 'wm webhook suspend', {
      columns: 80,
      rows: 24,
      environment,
    });
    await terminal.shows('? Which webhook to suspend?\n');
    await terminal.shows(new RegExp(`^ {4}1 {2}${hookUrl(1)} +${ids[1]} {2}Active$`, 'm'));
    await terminal.shows('\n256 of 256 (showing 1 to 20)\n');
    await terminal.shows(/filter by, Enter for more: $/);
    // Nobody has seen it: a number of the list alone picks nothing.
    terminal.type(`123${key.enter}`);
    await terminal.shows('> 123 is not in the list above; to filter by these digits type /123\n');
    await terminal.shows(/Enter for more: $/, key.enter);
    await terminal.shows('\n256 of 256 (showing 21 to 40)\n');
    await terminal.shows(/Enter for more: $/);
    // Two words, of which no random id has the second.
    terminal.type(`hooks team123${key.enter}`);
    await terminal.shows(new RegExp(`\n {2}123 {2}${hookUrl(123)} `));
    await terminal.shows('\n1 of 256\n');
    await terminal.shows(/filter by: $/);
    // And no longer the numbers that were shown before.
    terminal.type(`21${key.enter}`);
    await terminal.shows('> 21 is not in the list above');
    await terminal.shows(/filter by: $/, `nobody${key.enter}`);
    await terminal.shows('> No matches for "nobody"\n');
    await terminal.shows(/filter by: $/, `123${key.enter}`);
    await terminal.shows(
      `Suspend ${hookUrl(123)} (${ids[123]})? It delivers events for the account or a space. (y/N) `,
    );
    assert.deepEqual(await suspended(), []);
    terminal.type(`y${key.enter}`);
    await terminal.shows(`Suspended: ${hookUrl(123)} (${ids[123]}), read back from the service.`);
    assert.equal(await terminal.ended, 0);
    assert.deepEqual(await suspended(), [ids[123]]);
    // biome-ignore lint/suspicious/noControlCharactersInRegex: whatever moves the cursor begins with it
    assert.doesNotMatch(terminal.raw, /\x1b\[(?!\d*m)/, 'the cursor was moved');
  });
}
