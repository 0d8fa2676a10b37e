// A terminal that cannot move its cursor (TERM=dumb): plain questions, a line each, and not one escape.

import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { sample } from '#emulator/state/sample-ids.ts';
import { call, query } from '#test/support/service/start-emulator.ts';
import { answerConsent } from '#test/support/terminal/consent-page.ts';
import { openInProcess } from '#test/support/terminal/in-process.ts';
import { type Stage, setStage } from '#test/support/terminal/stage.ts';
import { key, openTerminal, skip, type Terminal } from '#test/support/terminal/terminal.ts';

const environment = { TERM: 'dumb' };

function isPlain(terminal: Pick<Terminal, 'raw'>): void {
  assert.ok(!terminal.raw.includes('\x1b'), JSON.stringify(terminal.raw));
}

async function withHooks(context: TestContext): Promise<{ stage: Stage; ids: string[] }> {
  const stage = await setStage(context);
  const ids: string[] = [];
  for (const name of ['first', 'second']) {
    const hookUrl = `https://hooks.example.com/${name}`;
    const { body } = await call(stage.emulator, 'POST', `/webhooks?${query({ hookUrl })}`);
    ids.push(body.data[0].id);
  }
  return { stage, ids };
}

const statusOf = async ({ emulator }: Stage, hook: string) =>
  (await call(emulator, 'GET', `/webhooks/${hook}`)).body.data[0].status;

/** In lines of its own the terminal sends Ctrl-C to the shell too, which is to outlive it. */
const whole = 'trap : INT; ';
const sane = '; code=$?; stty -a | tr " ;" "\\n\\n" | grep -x -e "-*icanon" -e "-*echo"; exit $code';

test('picks by number, and confirms with a line', { skip }, async (context) => {
  const { stage, ids } = await withHooks(context);
  const terminal = openTerminal(context, stage, `wm webhook suspend${sane}`, { environment });
  await terminal.shows('Which webhook to suspend?\n');
  await terminal.shows(/ 1 {2}https:\/\/hooks\.example\.com\/first .*Active.*\n/);
  await terminal.shows(/ 2 {2}https:\/\/hooks\.example\.com\/second .*Active.*\n/);
  await terminal.shows(/Numbers, or text to filter by: $/, `3${key.enter}`);
  await terminal.shows('> 3 is not in the list above', `2${key.enter}`);
  await terminal.shows(`Suspend https://hooks.example.com/second (${ids[1]})? `);
  await terminal.shows('(y/N) ', `maybe${key.enter}`);
  await terminal.shows('> Type y or n\n', `y${key.enter}`);
  await terminal.shows('Suspended: ');
  assert.equal(await terminal.ended, 0);
  await terminal.shows(/icanon\necho\n$/);
  assert.equal(await statusOf(stage, ids[1] ?? ''), 'Suspended');
  isPlain(terminal);
});

for (const [name, keys] of [
  ['Ctrl-C', key.interrupt],
  ['Ctrl-D', '\x04'],
] as const) {
  test(`${name} changes nothing`, { skip }, async (context) => {
    const { stage, ids } = await withHooks(context);
    const terminal = openTerminal(context, stage, `${whole}wm webhook suspend ${ids[0]}${sane}`, {
      environment,
    });
    await terminal.shows('(y/N) ', keys);
    await terminal.shows('wm: Interrupted');
    assert.equal(await terminal.ended, 130);
    await terminal.shows(/icanon\necho\n$/);
    assert.equal(await statusOf(stage, ids[0] ?? ''), 'Active');
    isPlain(terminal);
  });
}

test('updates a task with one prompt per line, and checks each answer', async (context) => {
  const stage = await setStage(context);
  const terminal = openInProcess(context, stage, 'wm task update', { environment, columns: 200 });
  await terminal.shows('Which task to update (your open tasks)?\n');
  await terminal.shows(/filter by(?:, Enter for more)?: $/, `loses${key.enter}`);
  await terminal.shows(/ 2 {2}The form loses its text .*\n[\s\S]*: $/, `2${key.enter}`);
  await terminal.shows(/ 1 {2}title\n/);
  await terminal.shows(/filter by, Enter for more: $/);
  // Typed ahead: each question takes its line.
  terminal.type(`1${key.enter}Ship it${key.enter}`);
  await terminal.shows('> Now: The form loses its text\n? New title: ');
  await terminal.shows(/ 1 {2}Done: check and send/, `1${key.enter}`);
  await terminal.shows(/title: +The form loses its text -> Ship it/);
  await terminal.shows('(y/N) ', `y${key.enter}`);
  assert.equal(await terminal.ended, 0, terminal.text);
  const { body } = await call(stage.emulator, 'GET', `/tasks/${sample.bug}`);
  assert.equal(body.data[0].title, 'Ship it');
  isPlain(terminal);
});

test('hides a secret, and the callback ends the prompt for its address', {
  skip,
}, async (context) => {
  const stage = await setStage(context, { signedOut: true });
  const { clientSecret } = stage.emulator;
  const line = `env -u WM_CLIENT_SECRET wm login --no-browser${sane}`;
  const terminal = openTerminal(context, stage, line, { environment, columns: 500 });
  await terminal.shows('Client secret (hidden): ', `${clientSecret}xy\x7f\x7f${key.enter}`);
  const [, address = ''] = await terminal.shows(/\n {2}(http:\S+)\n/);
  await terminal.shows('paste the address you landed on:', `nonsense${key.enter}`);
  await terminal.shows('> This is not the URL that the browser landed on');
  await fetch(await answerConsent(address, { press: 'Allow' }));
  await terminal.shows('Signed in (profile default)');
  assert.equal(await terminal.ended, 0);
  await terminal.shows(/icanon\necho\n$/);
  assert.ok(!terminal.raw.includes(clientSecret.slice(0, 4)));
  isPlain(terminal);
});

test('Ctrl-C at a secret prompt restores the terminal', { skip }, async (context) => {
  const stage = await setStage(context, { signedOut: true });
  const line = `${whole}env -u WM_CLIENT_SECRET wm login --no-browser${sane}`;
  const terminal = openTerminal(context, stage, line, { environment });
  await terminal.shows('Client secret (hidden): ', `half of it${key.interrupt}`);
  await terminal.shows('wm: Interrupted');
  assert.equal(await terminal.ended, 130);
  await terminal.shows(/icanon\necho\n$/);
});
