// A newcomer with nothing but the emulator: three commands, each as README or the one before it gives it, until the task of a title
// is completed. The commands about the task neither need its id nor show it.

import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { sample } from '#emulator/state/sample-ids.ts';
import { call } from '#test/support/service/start-emulator.ts';
import { answerConsent } from '#test/support/terminal/consent-page.ts';
import { openInProcess, type TerminalInProcess } from '#test/support/terminal/in-process.ts';
import { type Stage, setStage } from '#test/support/terminal/stage.ts';
import { key, openTerminal, skip } from '#test/support/terminal/terminal.ts';

const title = 'Write the launch page';

/** The first two commands. The emulator is one that `wm emulator start` runs, not that of the stage. `open`: a terminal for the sign-in. */
async function signedIn(
  context: TestContext,
  open: (...from: Parameters<typeof openTerminal>) => TerminalInProcess,
): Promise<{ stage: Stage; statusOf: (id?: string) => Promise<string> }> {
  const stage = await setStage(context, { signedOut: true });
  const { PATH = '', HOME = '', LANG = '', WM_CONFIG_DIR = '' } = stage.environment;
  const bare: Stage = {
    ...stage,
    environment: { PATH, HOME, LANG, WM_CONFIG_DIR, WM_TOKEN_STORE: 'file', BROWSER: 'none' },
  };
  const emulator = openTerminal(context, bare, 'wm emulator start --port 0', { rows: 50 });
  const [, baseUrl = ''] = await emulator.shows(/API +(http:\S+)/);
  const [, token = ''] = await emulator.shows(/^ {2}token +(\S+)/m);
  const [, line = ''] = await emulator.shows(/\n +(\S+ wm login .*)\n/);
  const login = open(context, bare, line, { columns: 500 });
  const [, address = ''] = await login.shows(/\n {2}(http:\S+)\n/);
  await login.shows('Waiting');
  await fetch(await answerConsent(address, { press: 'Allow' }));
  assert.equal(await login.ended, 0, login.text);
  const running = { ...stage.emulator, baseUrl, token };
  return {
    stage: bare,
    statusOf: async (id = sample.task) => (await call(running, 'GET', `/tasks/${id}`)).body.data[0].status,
  };
}

/** Not the id of any task. */
function showsNoId(terminal: TerminalInProcess): void {
  assert.doesNotMatch(terminal.text, /IEAAAAAQKQ/);
}

test('updates a task by its title', { skip }, async (context) => {
  const { stage, statusOf } = await signedIn(context, openTerminal);
  const terminal = openTerminal(context, stage, `wm task update '${title}' --status Completed`);
  await terminal.shows(`Task: ${title}\n`);
  await terminal.shows(/status: .*Active.* -> Completed/);
  const [, undo = ''] = await terminal.shows(/To undo: (wm task undo .*)\n/);
  assert.equal(await terminal.ended, 0);
  assert.equal(terminal.text.match(/^task:/gim)?.length, 1, terminal.text);
  showsNoId(terminal);
  assert.equal(await statusOf(), 'Completed');
  // The hint works as printed.
  const undoing = openInProcess(context, stage, `${undo} --yes`);
  await undoing.shows(/status: /);
  assert.equal(await undoing.ended, 0, undoing.text);
  assert.equal(await statusOf(), 'Active');
});

test('updates a task picked from a list', { skip }, async (context) => {
  const { stage, statusOf } = await signedIn(context, openInProcess);
  const terminal = openInProcess(context, stage, 'wm task update --status Completed --yes');
  await terminal.shows('Which task to update (your open tasks)?', 'loses');
  const screen = await terminal.screenShows(/^❯ The form loses its text/m);
  assert.doesNotMatch(screen.join('\n'), /IEAAAAAQKQ/);
  terminal.type(key.enter);
  assert.equal(await terminal.ended, 0, terminal.text);
  assert.equal(await statusOf(sample.bug), 'Completed');
});
