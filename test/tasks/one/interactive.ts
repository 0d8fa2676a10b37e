// What the tests of an interactive update on a terminal share.

import { sample } from '#emulator/state/sample-ids.ts';
import { call } from '#test/support/service/start-emulator.ts';
import type { TerminalInProcess } from '#test/support/terminal/in-process.ts';
import type { Stage } from '#test/support/terminal/stage.ts';
import { key } from '#test/support/terminal/terminal.ts';

export const id = sample.task;

export async function taskOf({ emulator }: Stage) {
  return (await call(emulator, 'GET', `/tasks/${id}`)).body.data[0];
}

/** By typing its name, or what else finds it; Enter counts once it is seen. */
export async function choose(terminal: TerminalInProcess, typed: string, name = typed): Promise<void> {
  terminal.type(typed);
  await terminal.screenShows(new RegExp(`^❯ ${name}`, 'm'), key.enter);
}
