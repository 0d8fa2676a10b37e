// What the tests of an interactive update that is rejected share.

import type { TestContext } from 'node:test';
import { control } from '#test/support/service/control.ts';
import { openInProcess, type TerminalInProcess } from '#test/support/terminal/in-process.ts';
import { type Stage, setStage } from '#test/support/terminal/stage.ts';
import { key } from '#test/support/terminal/terminal.ts';
import { choose, id } from './interactive.ts';

export const refusing = { request: 'updateTask', status: 400, error: 'invalid_parameter' };

const send = 'Done: check and send';

export async function highlighted(terminal: TerminalInProcess, name: string): Promise<void> {
  await terminal.screenShows(new RegExp(`^❯ ${name}`, 'm'));
}

export async function sends(terminal: TerminalInProcess): Promise<void> {
  await highlighted(terminal, send);
  terminal.type(key.enter);
}

/** A new title is typed, and the update stands before its yes. */
async function titled(
  context: TestContext,
  fault: object,
): Promise<{ stage: Stage; terminal: TerminalInProcess }> {
  const stage = await setStage(context);
  await control(stage.emulator, 'POST', '/faults', fault);
  const terminal = openInProcess(context, stage, `wm task update ${id}`, {
    columns: 200,
    environment: { NO_COLOR: '1' },
  });
  await choose(terminal, 'title');
  await terminal.shows('New title:', `${key.clear}Ship it${key.enter}`);
  await sends(terminal);
  return { stage, terminal };
}

export async function rejectedUpdate(context: TestContext, fault: object = refusing) {
  const { stage, terminal } = await titled(context, fault);
  await terminal.shows('(y/N)', `y${key.enter}`);
  await terminal.shows(/\nwm: /);
  await terminal.shows('What do you want to change?');
  await highlighted(terminal, send);
  await terminal.screenShows(/title: Ship it/);
  return { stage, terminal };
}
