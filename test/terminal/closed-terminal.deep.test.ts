// A terminal that is closed at each question, on one that moves its cursor and on one that cannot: as by SIGHUP (129).

import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { sample } from '#emulator/state/sample-ids.ts';
import { call, query } from '#test/support/service/start-emulator.ts';
import { type Stage, setStage } from '#test/support/terminal/stage.ts';
import { openTerminal, skip } from '#test/support/terminal/terminal.ts';

const login = 'env -u WM_CLIENT_SECRET -u WM_TOKEN wm login --no-browser';

const questions = [
  { name: 'a list', line: 'wm webhook suspend', shows: '1 of 1' },
  { name: 'a text', line: 'env -u WM_CLIENT_ID -u WM_TOKEN wm login --no-browser', shows: 'Client id:' },
  { name: 'a yes', line: `wm task update ${sample.task} ${sample.bug} --title x`, shows: '(y/N)' },
  { name: 'a secret', line: login, shows: 'Client secret' },
  { name: 'the wait for a callback', line: 'env -u WM_TOKEN wm login --no-browser', shows: 'landed on:' },
] as const;

/** The shell outlives its terminal, and writes down how the line has ended; nobody reads that before it is there. */
const recorded = (line: string) => `mkfifo status; trap : HUP; ${line}; echo $? > status`;
const statusOf = async ({ folder }: Stage) => Number(await readFile(join(folder, 'status'), 'utf8'));

async function withHook(context: TestContext): Promise<Stage> {
  const stage = await setStage(context);
  await call(stage.emulator, 'POST', `/webhooks?${query({ hookUrl: 'https://hooks.example.com/' })}`);
  return stage;
}

for (const [how, environment] of [
  ['with a cursor', {}],
  ['TERM=dumb', { TERM: 'dumb' }],
] as const) {
  for (const { name, line, shows } of questions) {
    test(`terminal closed at ${name}, ${how}: 129`, { skip }, async (context) => {
      const stage = await withHook(context);
      const terminal = openTerminal(context, stage, recorded(line), { environment });
      await terminal.shows(shows);
      terminal.close();
      assert.equal(await statusOf(stage), 129);
    });
  }
}
