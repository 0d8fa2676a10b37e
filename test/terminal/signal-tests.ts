// What ends a question from outside, or stops it, and how the terminal is afterwards: signals.test.ts tries a few, signals.deep.test.ts
// all of them.

import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { sample } from '#emulator/state/sample-ids.ts';
import { call, query } from '#test/support/service/start-emulator.ts';
import { setStage } from '#test/support/terminal/stage.ts';
import { cursorIsShown, key, openTerminal, skip } from '#test/support/terminal/terminal.ts';

/** Writes down which process it is. */
export const traced = (line: string) => `sh -c 'echo $$ > pid; exec ${line}'`;
/** Says afterwards, as the terminal itself has it, whether lines and echo are on again. */
export const thenState =
  '; code=$?; stty -a | tr " ;" "\\n\\n" | grep -x -e "-*icanon" -e "-*echo"; exit $code';

export const signals = [
  ['SIGTERM', 143],
  ['SIGHUP', 129],
  ['SIGINT', 130],
] as const;

export const questions = [
  { name: 'a list', line: 'wm webhook suspend', shows: '❯ [ ] https', environment: {} },
  {
    name: 'a text',
    line: 'env -u WM_CLIENT_ID -u WM_TOKEN wm login --no-browser',
    shows: 'Client id:',
    environment: {},
  },
  {
    name: 'a yes',
    line: `wm task update ${sample.task} ${sample.bug} --title x`,
    shows: '(y/N)',
    environment: {},
  },
  {
    name: 'a secret',
    line: 'env -u WM_CLIENT_SECRET -u WM_TOKEN wm login --no-browser',
    shows: 'Client secret',
    environment: {},
  },
  {
    name: 'a plain secret',
    line: 'env -u WM_CLIENT_SECRET -u WM_TOKEN wm login --no-browser',
    shows: 'Client secret',
    environment: { TERM: 'dumb' },
  },
  {
    name: 'a plain list',
    line: 'wm webhook suspend',
    shows: 'to filter by: ',
    environment: { TERM: 'dumb' },
  },
] as const;

type Question = (typeof questions)[number];

export function testSignal(
  [signal, status]: (typeof signals)[number],
  { name, line, shows, environment }: Question,
) {
  test(`${signal} at ${name}: restores the terminal and exits with ${status}`, { skip }, async (context) => {
    const stage = await setStage(context);
    const hookUrl = 'https://hooks.example.com/first';
    await call(stage.emulator, 'POST', `/webhooks?${query({ hookUrl })}`);
    const terminal = openTerminal(context, stage, `${traced(line)}${thenState}`, { environment });
    await terminal.shows(shows);
    process.kill(Number(await readFile(join(stage.folder, 'pid'), 'utf8')), signal);
    // On a line of its own, below the question. A sign-in changes this machine.
    const detail = line.includes('wm login') ? '' : ' {2}nothing was changed\n';
    const message = `wm: (?:Interrupted|Ended by SIG(?:TERM|HUP))\n${detail}`;
    await terminal.shows(new RegExp(`\n${message}icanon\necho\n$`));
    assert.equal(await terminal.ended, status);
    assert.ok(cursorIsShown(terminal.raw), JSON.stringify(terminal.raw.slice(-200)));
  });
}

export const shell = 'env PS1="ready> " HISTFILE= bash --norc --noprofile -i';

export function testStop({ name, line, shows, environment }: Question) {
  test(`redraws the question after Ctrl-Z and fg: ${name}`, {
    skip,
  }, async (context) => {
    const stage = await setStage(context);
    const hookUrl = 'https://hooks.example.com/first';
    await call(stage.emulator, 'POST', `/webhooks?${query({ hookUrl })}`);
    const terminal = openTerminal(context, stage, shell, { environment, columns: 200 });
    await terminal.shows('ready> ', `clear; ${line}\r`);
    await terminal.shows(shows);
    for (let times = 1; times <= 2; times++) {
      terminal.type('\x1a');
      await terminal.shows(/Stopped[\s\S]*ready> /, 'fg\r');
      await terminal.shows(`${line}\n`);
      // Nothing was typed: it is drawn because the process goes on.
      await terminal.shows(shows);
      // Below what the shell wrote, and whole.
      await terminal.screenShows(/^ready> fg\n[^?\n].*\n\? /m);
    }
    // By now the terminal is as the question needs it.
    terminal.type(key.interrupt);
    await terminal.shows('wm: Interrupted');
    await terminal.shows('ready> ', 'exit $?\r');
    assert.equal(await terminal.ended, 130);
  });
}
