// TAB in bash, zsh and fish, on a real pseudo-terminal.

import { test } from 'node:test';
import { setStage } from '#test/support/terminal/stage.ts';
import { key } from '#test/support/terminal/terminal.ts';
import { isReady, isTyped, openShell, testedShells, whyWithout } from './interactive-shell.ts';

for (const shell of testedShells) {
  const skip = whyWithout(shell);

  test(`${shell}: TAB completes commands, flags, choices, events and profiles`, { skip }, async (context) => {
    const stage = await setStage(context);
    const terminal = await openShell(context, stage, shell);
    const completes = async (typed: string, line: string) => {
      terminal.type(typed + key.tab);
      await terminal.screenShows(isTyped(line), '\x15\x0c');
      await terminal.screenShows(isReady);
    };
    await completes('wm tas', 'wm task');
    await completes('wm task upd', 'wm task update');
    await completes('wm webhook pau', 'wm webhook pause');
    await completes('wm task update X --stat', 'wm task update X --status');
    await completes('wm task update X --no-foll', 'wm task update X --no-follow');
    await completes('wm task update X --status Comp', 'wm task update X --status Completed');
    await completes('wm task update X --status=comp', 'wm task update X --status=Completed');
    await completes(
      'wm webhook create --events TaskCreated,TaskDel',
      'wm webhook create --events TaskCreated,TaskDeleted',
    );
    await completes(
      'wm webhook create --events=TaskCreated,TaskDel',
      'wm webhook create --events=TaskCreated,TaskDeleted',
    );
    await completes('wm --json webhook li', 'wm --json webhook list');
    await completes('wm task update --help dat', 'wm task update --help dates');
    await completes('wm help webhook rot', 'wm help webhook rotate-secret');
    await completes('wm emulator exec -- wm whoa', 'wm emulator exec -- wm whoami');
  });
}
