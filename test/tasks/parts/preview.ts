// What the tests of the preview of an update on a terminal share.

import { sample } from '#emulator/state/sample-ids.ts';
import type { updateFlags } from '#tasks/input/update-flags.ts';
import type { TerminalInProcess } from '#test/support/terminal/in-process.ts';
import { key } from '#test/support/terminal/terminal.ts';

export const id = sample.task;

const environment = { NO_COLOR: '1' };

export const wide = { columns: 200, environment };

/** Their values are picked from a list, where they can be typed, too. */
const listed = /^(?:add|remove)(?:Parents|Responsibles|Shareds|Followers)$|^customStatus$|ustomField$/;

export async function say(
  terminal: TerminalInProcess,
  name: keyof typeof updateFlags,
  text: string,
): Promise<void> {
  await terminal.shows('What do you want to change?');
  await terminal.shows('❯');
  const label = name.replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);
  terminal.type(label);
  // Enter counts once the choice is seen.
  await terminal.screenShows(new RegExp(`^❯ ${label}`, 'm'), key.enter);
  await terminal.shows(/\? .*:/);
  if (listed.test(name)) {
    terminal.type('Type it');
    await terminal.screenShows(/^❯ (?:\[ \] )?Type it/m, key.enter);
    await terminal.shows(/✔.*Type it.*\n\? .*:/);
  }
  terminal.type(`${key.clear}${text}`);
  await terminal.shows(text, key.enter);
}

/** The lines that name something, and what becomes of it. */
export const linesIn = (shown: string) =>
  shown.match(/^[a-z ]+: +\S.*$/gm)?.map((line) => line.trim().replace(/: +/, ': '));

/** Done: check and send; shown up to the question. */
export async function check(terminal: TerminalInProcess): Promise<string> {
  await terminal.shows('❯ Done: check and send', key.enter);
  const [shown] = await terminal.shows(/✔ What do you want to change\?[\s\S]*\(y\/N\)/);
  return shown;
}
