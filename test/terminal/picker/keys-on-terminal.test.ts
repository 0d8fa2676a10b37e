// The keys of the picker on a real terminal: what is typed filters, whenever it was typed; what has no meaning beeps; a
// row that nobody saw highlighted is not picked; and Ctrl-Z loses nothing.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openInProcess } from '#test/support/terminal/in-process.ts';
import { key } from '#test/support/terminal/terminal.ts';
import { highlights, hookUrl, withTeams } from './webhooks.ts';

test('typing part of a URL and Enter suspends that webhook, not the first', async (context) => {
  const { stage, ids, suspended } = await withTeams(context, 15);
  const terminal = openInProcess(context, stage, 'wm webhook suspend');
  await highlights(terminal, 1);
  // All in one piece: there is only one that it can mean.
  terminal.type(`team12${key.enter}`);
  await terminal.shows(`Suspend ${hookUrl(12)} (${ids[12]})?`);
  await terminal.shows('(y/N)', `y${key.enter}`);
  assert.equal(await terminal.ended, 0);
  assert.deepEqual(await suspended(), [ids[12]]);
});

test('Enter in one read with keys that move or filter beeps and picks nothing unseen', async (context) => {
  const { stage, ids } = await withTeams(context, 40);
  const terminal = openInProcess(context, stage, 'wm webhook suspend');
  await highlights(terminal, 1);
  for (const [keys, number] of [
    [`${key.pageDown}${key.enter}`, 16],
    [`${key.home}team1${key.enter}`, 1],
    [`4\x15${key.down.repeat(3)}${key.enter}`, 4],
    [`nobody${key.enter}`, undefined],
    [`\x15${key.end}${key.tab}`, 40],
  ] as const) {
    const { beeps } = terminal;
    terminal.type(keys);
    await terminal.beepsAfter(beeps);
    if (number === undefined) await terminal.screenShows(/^ {2}0 of 40/m);
    else await highlights(terminal, number);
  }
  terminal.type(key.enter);
  await terminal.shows(`Suspend ${hookUrl(40)} (${ids[40]})?`, key.interrupt);
  assert.equal(await terminal.ended, 130);
});

test('Enter in one read with arrow keys picks the row they reach on the screen', async (context) => {
  const { stage, ids } = await withTeams(context, 15);
  const terminal = openInProcess(context, stage, 'wm webhook suspend');
  await highlights(terminal, 1);
  terminal.type(`${key.down}${key.down}${key.up}${key.enter}`);
  await terminal.shows(`Suspend ${hookUrl(2)} (${ids[2]})?`, key.interrupt);
  assert.equal(await terminal.ended, 130);
});

test('Esc clears the filter, and quits if there is none; the last line says which', async (context) => {
  const { stage, suspended } = await withTeams(context, 3);
  const terminal = openInProcess(context, stage, 'wm webhook suspend', { columns: 80 });
  await terminal.screenShows(/^ {2}3 of 3,.* Esc: cancel, /m, 'team2');
  await terminal.screenShows(/^ {2}1 of 3,.* Esc: clear the filter/m, '\x1b');
  await terminal.screenShows(/^ {2}3 of 3,.* Esc: cancel, /m, '\x1b');
  await terminal.shows('wm: Interrupted');
  assert.equal(await terminal.ended, 130);
  assert.deepEqual(await suspended(), []);
});

test('keys without a function beep; the others move and edit', async (context) => {
  const { stage } = await withTeams(context, 40);
  const terminal = openInProcess(context, stage, 'wm webhook suspend', { columns: 80, rows: 24 });
  await highlights(terminal, 1);
  for (const keys of [
    key.left,
    key.up,
    key.home,
    key.backspace,
    '\x15',
    '\x01',
    '\x1b[15~',
    '\x1bx',
    '\x00',
  ]) {
    const { beeps } = terminal;
    terminal.type(keys);
    await terminal.beepsAfter(beeps);
  }
  await highlights(terminal, 1);
  for (const [keys, number] of [
    [key.pageDown, 16],
    [key.pageDown, 31],
    [key.end, 40],
    [key.pageUp, 25],
    [key.home, 1],
    ['team', 1],
    ['39', 39],
    [key.backspace, 3],
    ['\x15', 1],
  ] as const) {
    terminal.type(keys);
    await highlights(terminal, number);
  }
  const { beeps } = terminal;
  terminal.type(key.down);
  await highlights(terminal, 2);
  // Ctrl-L draws it again on an empty screen.
  terminal.type(`\x0c${key.down}`);
  await highlights(terminal, 3);
  assert.ok(terminal.raw.includes('\x1b[H\x1b[J'));
  assert.equal(terminal.beeps, beeps);
  terminal.type('\x04');
  await terminal.shows('wm: Interrupted');
  assert.equal(await terminal.ended, 130);
});

test('Tab marks several, whatever the filter shows later; one question covers all', async (context) => {
  const { stage, ids, suspended } = await withTeams(context, 30);
  const terminal = openInProcess(context, stage, 'wm webhook suspend');
  await highlights(terminal, 1);
  for (const number of [27, 13]) {
    terminal.type(`\x15team${number}`);
    await highlights(terminal, number);
    terminal.type(key.tab);
    await terminal.screenShows(`❯ [x] ${hookUrl(number)}`);
  }
  terminal.type('\x15');
  const lines = await terminal.screenShows('30 of 30, 2 marked, type to filter, Enter: choose the 2 marked');
  // What is highlighted and not marked is not taken.
  assert.match(lines.join('\n'), /^❯ \[ \] .*team1 /m);
  terminal.type(key.enter);
  for (const number of [13, 27])
    await terminal.shows(`  ${hookUrl(number)} (${ids[number]}): events for the account or a space\n`);
  await terminal.shows('Suspend these 2 webhooks? (y/N)', `y${key.enter}`);
  assert.equal(await terminal.ended, 0);
  assert.deepEqual((await suspended()).toSorted(), [ids[13], ids[27]].toSorted());
});

test('a paste that ends with a line break filters and picks nothing by itself', async (context) => {
  const { stage, ids } = await withTeams(context, 15);
  const terminal = openInProcess(context, stage, 'wm webhook suspend');
  await highlights(terminal, 1);
  for (const [text, number] of [
    [hookUrl(7), 7],
    [ids[9], 9],
  ] as const) {
    terminal.type(`\x15\x1b[200~${text}\r\n\x1b[201~`);
    await highlights(terminal, number);
  }
  assert.doesNotMatch(terminal.text, /Suspend http/);
  terminal.type(key.interrupt);
  assert.equal(await terminal.ended, 130);
  assert.ok(terminal.raw.includes('\x1b[?2004h'));
  assert.ok(terminal.raw.lastIndexOf('\x1b[?2004l') > terminal.raw.lastIndexOf('\x1b[?2004h'));
});

test('Tab marks and moves down; so does Space with an empty filter: three in a row', async (context) => {
  const { stage, ids, suspended } = await withTeams(context, 5);
  const terminal = openInProcess(context, stage, 'wm webhook suspend');
  await highlights(terminal, 1);
  terminal.type(key.tab);
  await highlights(terminal, 2);
  terminal.type(' ');
  await highlights(terminal, 3);
  terminal.type(`${key.tab}${key.enter}`);
  await terminal.shows('Suspend these 3 webhooks? (y/N)', `y${key.enter}`);
  assert.equal(await terminal.ended, 0);
  assert.deepEqual(await suspended(), [ids[1], ids[2], ids[3]]);
});
