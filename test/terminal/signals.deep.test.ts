// What ends the program from outside while a question stands (kill, a terminal that closes): the terminal is given back as it was, and
// the status is the signal's, as a shell counts it. And Ctrl-Z and fg at every question.

import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { sample } from '#emulator/state/sample-ids.ts';
import { control } from '#test/support/service/control.ts';
import { answerConsent } from '#test/support/terminal/consent-page.ts';
import { setStage } from '#test/support/terminal/stage.ts';
import { key, openTerminal, skip } from '#test/support/terminal/terminal.ts';
import { questions, shell, signals, testSignal, testStop, thenState, traced } from './signal-tests.ts';

for (const signal of signals) for (const question of questions) testSignal(signal, question);

for (const [signal, status] of signals) {
  test(`${signal} after the callback has ended the question: ${status}`, { skip }, async (context) => {
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

for (const question of questions) testStop(question);

for (const environment of [{}, { TERM: 'dumb' }]) {
  const how = 'TERM' in environment ? 'plain' : 'usual';
  test(`the question takes its answer after Ctrl-Z and fg: ${how}`, {
    skip,
  }, async (context) => {
    const stage = await setStage(context);
    const line = `wm task update ${sample.task}`;
    const terminal = openTerminal(context, stage, shell, { environment });
    const stopAndGoOn = async (question: string | RegExp) => {
      terminal.type('\x1a');
      await terminal.shows(/Stopped[\s\S]*ready> /, 'fg\r');
      await terminal.shows(`${line}\n`);
      await terminal.shows(question);
    };
    await terminal.shows('ready> ', `${line}\r`);
    const list = how === 'plain' ? 'Enter for more: ' : 'What do you want to change?';
    await terminal.shows(list);
    await stopAndGoOn(list);
    terminal.type(how === 'plain' ? '1\r' : '\r');
    // The list, drawn again, has a title too; what is typed into it would filter it.
    await terminal.shows('New title', `${key.clear}Anot`);
    await terminal.shows('Anot');
    // The line of a plain question is the terminal's, which has dropped it.
    await stopAndGoOn(how === 'plain' ? 'New title: ' : 'New title: Anot');
    terminal.type(how === 'plain' ? 'Another' : 'her');
    await terminal.shows('her', key.interrupt);
    await terminal.shows('ready> ', 'exit $?\r');
    assert.equal(await terminal.ended, 130);
  });
}
