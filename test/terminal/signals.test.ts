// What ends the program from outside while a question stands (kill, a terminal that closes): the terminal is given back
// as it was, and the status is the signal's, as a shell counts it.

import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { sample } from '../../src/emulator/state/sample-ids.ts';
import { control } from '../emulator/control/control.ts';
import { call, query } from '../emulator/start.ts';
import { answerConsent } from '../transcript/person.ts';
import { setStage } from '../transcript/stage.ts';
import { cursorIsShown, key, openTerminal, skip } from './terminal.ts';

/** Writes down which process it is. */
const traced = (line: string) => `sh -c 'echo $$ > pid; exec ${line}'`;
/** Says afterwards, as the terminal itself has it, whether lines and echo are on again. */
const thenState = '; code=$?; stty -a | tr " ;" "\\n\\n" | grep -x -e "-*icanon" -e "-*echo"; exit $code';

const signals = [
  ['SIGTERM', 143],
  ['SIGHUP', 129],
  ['SIGINT', 130],
] as const;

const questions = [
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
];

for (const [signal, status] of signals) {
  for (const { name, line, shows, environment } of questions) {
    test(`${signal} at ${name}: the terminal as it was, and ${status}`, { skip }, async (context) => {
      const stage = await setStage(context);
      const hookUrl = 'https://hooks.example.com/first';
      await call(stage.emulator, 'POST', `/webhooks?${query({ hookUrl })}`);
      const terminal = openTerminal(context, stage, `${traced(line)}${thenState}`, { environment });
      await terminal.shows(shows);
      process.kill(Number(await readFile(join(stage.folder, 'pid'), 'utf8')), signal);
      // On a line of its own, below the question.
      await terminal.shows(/\nwm: (?:Interrupted|Ended by SIG(?:TERM|HUP))\n {2}nothing was changed\n/);
      assert.equal(await terminal.ended, status);
      await terminal.shows(/icanon\necho\n$/);
      assert.ok(cursorIsShown(terminal.raw), JSON.stringify(terminal.raw.slice(-200)));
    });
  }
}

for (const [signal, status] of signals) {
  test(`${signal} behind a question that the callback has ended: ${status}`, { skip }, async (context) => {
    const stage = await setStage(context, { signedOut: true });
    await control(stage.emulator, 'POST', '/faults', { request: 'token', silence: true });
    const line = `${traced('wm login --no-browser')}${thenState}`;
    const terminal = openTerminal(context, stage, line, { columns: 500 });
    const [, url = ''] = await terminal.shows(/\n {2}(http:\S+)\n/);
    await terminal.shows('paste the address you landed on:');
    const landing = fetch(await answerConsent(url, { press: 'Allow' })).catch(() => {});
    // The code is being exchanged once the fault was taken.
    let faults: unknown[] = [''];
    while (faults.length > 0) ({ faults } = await control(stage.emulator, 'GET', '/faults'));
    process.kill(Number(await readFile(join(stage.folder, 'pid'), 'utf8')), signal);
    await terminal.shows(/\nwm: (?:Interrupted|Ended by SIG(?:TERM|HUP))\n/);
    assert.equal(await terminal.ended, status);
    await terminal.shows(/icanon\necho\n$/);
    await landing;
  });
}

const shell = 'env PS1="ready> " HISTFILE= bash --norc --noprofile -i';

for (const { name, line, shows, environment } of questions) {
  test(`stopped by Ctrl-Z and gone on with, the question is drawn again: ${name}`, {
    skip,
  }, async (context) => {
    const stage = await setStage(context);
    const hookUrl = 'https://hooks.example.com/first';
    await call(stage.emulator, 'POST', `/webhooks?${query({ hookUrl })}`);
    const terminal = openTerminal(context, stage, shell, { environment, columns: 200 });
    await terminal.shows('ready> ');
    terminal.type(`clear; ${line}\r`);
    await terminal.shows(shows);
    for (let times = 1; times <= 2; times++) {
      terminal.type('\x1a');
      await terminal.shows(/Stopped[\s\S]*ready> /);
      terminal.type('fg\r');
      await terminal.shows(`${line}\n`);
      // Nothing was typed: it is drawn because the process goes on.
      await terminal.shows(shows);
    }
    // By now the terminal is as the question needs it.
    terminal.type(key.interrupt);
    await terminal.shows('wm: Interrupted');
    await terminal.shows('ready> ');
    terminal.type('exit $?\r');
    assert.equal(await terminal.ended, 130);
  });
}

for (const environment of [{}, { TERM: 'dumb' }]) {
  const how = 'TERM' in environment ? 'plain' : 'usual';
  test(`stopped by Ctrl-Z and gone on with, the question takes its answer: ${how}`, {
    skip,
  }, async (context) => {
    const stage = await setStage(context);
    const line = `wm task update ${sample.task}`;
    const terminal = openTerminal(context, stage, shell, { environment });
    const stopAndGoOn = async (question: string | RegExp) => {
      terminal.type('\x1a');
      await terminal.shows(/Stopped[\s\S]*ready> /);
      terminal.type('fg\r');
      await terminal.shows(`${line}\n`);
      await terminal.shows(question);
    };
    await terminal.shows('ready> ');
    terminal.type(`${line}\r`);
    const list = how === 'plain' ? 'Enter for more: ' : 'What do you want to change?';
    await terminal.shows(list);
    await stopAndGoOn(list);
    terminal.type(how === 'plain' ? '1\r' : '\r');
    // The list, drawn again, has a title too; what is typed into it would filter it.
    await terminal.shows('New title');
    terminal.type('Anot');
    await terminal.shows('Anot');
    // The line of a plain question is the terminal's, which has dropped it.
    await stopAndGoOn(how === 'plain' ? 'New title: ' : 'New title: Anot');
    terminal.type(how === 'plain' ? 'Another' : 'her');
    await terminal.shows('her');
    terminal.type(key.interrupt);
    await terminal.shows('ready> ');
    terminal.type('exit $?\r');
    assert.equal(await terminal.ended, 130);
  });
}
