// A terminal that is closed while a question stands, or while something runs: the process ends as by SIGHUP (129), not by
// SIGABRT or SIGSEGV, whichever of the two it hears of first: the signal, or the end of what it reads.

import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { sample } from '#emulator/state/sample-ids.ts';
import { inFront } from '#test/support/service/intercept.ts';
import { type Stage, setStage } from '#test/support/terminal/stage.ts';
import { openTerminal, skip } from '#test/support/terminal/terminal.ts';

/** The shell outlives its terminal, and writes down how the line has ended; nobody reads that before it is there. */
const recorded = (line: string) => `mkfifo status; trap : HUP; ${line}; echo $? > status`;
const statusOf = async ({ folder }: Stage) => Number(await readFile(join(folder, 'status'), 'utf8'));

test('terminal closed while waiting for a response: 129', { skip }, async (context) => {
  const stage = await setStage(context);
  let setSent = () => {};
  const sent = new Promise<void>((resolve) => {
    setSent = resolve;
  });
  const host = await inFront(context, stage.emulator.host, ({ method }) => {
    if (method !== 'PUT') return false;
    setSent();
    return true;
  });
  const terminal = openTerminal(context, stage, recorded(`wm task update ${sample.task} --title x`), {
    environment: { WM_HOST: host },
  });
  await sent;
  terminal.close();
  assert.equal(await statusOf(stage), 129);
});
