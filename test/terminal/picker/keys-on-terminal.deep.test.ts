// The picker on a real terminal: what is typed before it stands there filters, and picks nothing; Ctrl-Z loses nothing; and its
// colours.

import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { call, query } from '#test/support/service/start-emulator.ts';
import { type Stage, setStage } from '#test/support/terminal/stage.ts';
import { key, openTerminal, type Setting, skip } from '#test/support/terminal/terminal.ts';
import { highlights, hookUrl, withTeams } from './webhooks.ts';

/** The line waits for the test: meanwhile nobody reads what is typed, so it waits in the terminal. */
const gated = (line: string) => `mkfifo gate; printf ready; read _ < gate; ${line}`;
const openGate = ({ folder }: Stage) => writeFile(join(folder, 'gate'), '\n');

for (const [name, environment] of [
  ['with a cursor', {}],
  ['TERM=dumb', { TERM: 'dumb' }],
] as const) {
  test(`text typed before the list appears filters, and picks nothing: ${name}`, {
    skip,
  }, async (context) => {
    const { stage, ids, suspended } = await withTeams(context, 15);
    const terminal = openTerminal(context, stage, gated('wm webhook suspend'), { environment });
    await terminal.shows('ready', `team12${key.enter}12${key.enter}y${key.enter}`);
    await terminal.shows(/team12\n12\ny\n/);
    await openGate(stage);
    if (!('TERM' in environment)) {
      await terminal.screenShows(/^ {2}1 of 15/m);
      await highlights(terminal, 12);
      terminal.type(key.enter);
    } else {
      await terminal.shows('\n1 of 15\n');
      await terminal.shows('filter by: ', `12${key.enter}`);
    }
    await terminal.shows(`Suspend ${hookUrl(12)} (${ids[12]})?`);
    await terminal.shows('(y/N)');
    assert.deepEqual(await suspended(), []);
    terminal.type(key.enter);
    assert.equal(await terminal.ended, 2);
    assert.deepEqual(await suspended(), []);
  });

  test(`a yes typed before the question does not answer it: ${name}`, { skip }, async (context) => {
    const { stage, ids, suspended } = await withTeams(context, 2);
    const terminal = openTerminal(context, stage, gated(`wm webhook suspend ${ids[1]}`), { environment });
    await terminal.shows('ready');
    // The second without its end, to which an Enter would be joined.
    terminal.type(`y${key.enter}y`);
    await terminal.shows(/y\ny/);
    await openGate(stage);
    await terminal.shows('(y/N)', key.enter);
    await terminal.shows('Not confirmed; nothing was done');
    assert.equal(await terminal.ended, 2);
    assert.deepEqual(await suspended(), []);
  });
}

test('Ctrl-Z and fg: redraws the same filter and row once, below the output of the shell', {
  skip,
}, async (context) => {
  const { stage, ids } = await withTeams(context, 40);
  const shell = 'env PS1="ready> " HISTFILE= bash --norc --noprofile -i';
  const terminal = openTerminal(context, stage, shell, { columns: 80, rows: 17 });
  await terminal.shows('ready> ', 'wm webhook suspend\r');
  await highlights(terminal, 1);
  terminal.type('team2');
  await highlights(terminal, 2);
  terminal.type(key.down);
  await highlights(terminal, 20);
  for (let times = 1; times <= 2; times++) {
    terminal.type('\x1a');
    const left = await terminal.screenShows(new RegExp(`(?:Stopped[\\s\\S]*){${times}}ready>\\s*$`));
    // The shell has a clean screen.
    assert.doesNotMatch(left.join('\n'), /Which webhook|❯/);
    terminal.type('fg\r');
    const back = await terminal.screenShows(
      /fg\nwm webhook suspend\n\? Which webhook to suspend\? team2\n(?:.*\n)+ {2}11 of 40/,
    );
    assert.equal(back.filter((line) => line.startsWith('❯ ')).length, 1);
    assert.equal(back.filter((line) => line.startsWith('? Which')).length, 1);
    await highlights(terminal, 20);
  }
  terminal.type(key.down);
  await highlights(terminal, 21);
  terminal.type(key.enter);
  await terminal.shows(`Suspend ${hookUrl(21)} (${ids[21]})?`, key.interrupt);
  await terminal.shows('ready> ', 'exit $?\r');
  assert.equal(await terminal.ended, 130);
});

test('the picker obeys settings that disable colours', { skip }, async (context) => {
  const stage = await setStage(context);
  await call(stage.emulator, 'POST', `/webhooks?${query({ hookUrl: hookUrl(1) })}`);
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what this is about
  const colour = /\x1b\[(?:3[0-9]|9[0-7]|[12])m/;
  const picker = async (line: string, environment: Setting['environment'] = {}) => {
    const terminal = openTerminal(context, stage, line, { environment });
    await terminal.shows('❯ ');
    await terminal.shows('Tab: mark');
    const { raw } = terminal;
    terminal.type('\x03');
    await terminal.ended;
    return colour.test(raw);
  };
  assert.equal(await picker('wm webhook suspend'), true);
  assert.equal(await picker('wm webhook suspend --no-color'), false);
  assert.equal(await picker('wm webhook suspend', { NO_COLOR: '1' }), false);
});
