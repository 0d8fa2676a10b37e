// Runs the commands that README shows, as a reader would, against an emulator, but in the process of the test. What installs is run in
// a fresh clone by .ci/run, since here it would pull the floor from under the tests.

import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { type TestContext, test } from 'node:test';
import { commands } from '#app/commands.ts';
import { processOf, startInside } from './app/processes.ts';
import { run } from './program.ts';
import { openInProcess } from './terminal/in-process.ts';
import { key } from './terminal/terminal.ts';
import { runLine } from './transcript/run-line.ts';
import { setStage } from './transcript/stage.ts';

const readme = await readFile('README.md', 'utf8');
const blocks = [...readme.matchAll(/^```sh\n([\s\S]*?)^```$/gm)].map(([, block = '']) => block.trim());
const manifest: { scripts: Record<string, string> } = JSON.parse(await readFile('package.json', 'utf8'));

test('the two commands at the top are an install with the demo, and an install with the tests', () => {
  assert.deepEqual(blocks.slice(0, 2), ['npm ci && npx wm demo', 'npm ci && npm test']);
  assert.ok(manifest.scripts['test']);
});

test('the demo shows its steps', async () => {
  const { PATH } = process.env;
  const world = { process: processOf(startInside) };
  const { status, output, errors } = await run(['demo'], { environment: { PATH }, world });
  assert.equal(status, 0, errors);
  for (const step of [
    '1. Sign in',
    '2. Update a task',
    '3. Create a signed webhook',
    '4. Change the task: a delivery arrives',
    '5. Suspend the webhook',
    '6. Change the task again: nothing is delivered',
    'Everything worked',
  ]) {
    assert.ok(output.includes(step), step);
  }
});

const lines = blocks
  .slice(2)
  .flatMap((block) => block.split('\n'))
  .filter((line) => line.startsWith('wm '));

for (const line of lines) {
  test(line, async (context) => {
    if (line.startsWith('wm login')) return signInStarts(context, line);
    const stage = await setStage(context, { isInside: true });
    if (line.startsWith('wm webhook list'))
      await runLine(stage, 'wm webhook create https://hooks.example.com/wm');
    const { status, output, errors } = await runLine(stage, line);
    if (line === 'wm webhook suspend') {
      // Asks, and nobody is there: it says what to give instead.
      assert.equal(status, 2);
      assert.match(errors, /wm webhook suspend ID/);
    } else {
      assert.equal(status, 0, errors);
      assert.notEqual(output, '');
    }
  });
}

/** The emulator stands for the service, and this goes as far as the address that the browser would open. */
async function signInStarts(context: TestContext, line: string): Promise<void> {
  const stage = await setStage(context, { signedOut: true, isInside: true });
  const { authUrl } = stage.emulator;
  const own = line.replace('https://login.example.com', authUrl);
  const address = `${authUrl}/oauth2/authorize/v4?client_id=`;
  if (line.includes('--start')) {
    const { status, output, errors } = await runLine(stage, own);
    assert.equal(status, 0, errors);
    assert.ok(output.startsWith(address), output);
  } else {
    const environment = { BROWSER: 'none' };
    const terminal = openInProcess(context, stage, own, { columns: 500, environment });
    await terminal.shows(address);
    terminal.type(key.interrupt);
    assert.equal(await terminal.ended, 130, terminal.text);
  }
}

test('every command is in the table of docs/commands.md', async () => {
  const page = await readFile('docs/commands.md', 'utf8');
  for (const { words } of commands) {
    const [first = '', second] = words.split(' ');
    assert.match(
      page,
      new RegExp(`\`(?:wm )?(?:${first} )?${second ?? first}\\b|\`wm ${words}\\b`),
      `docs/commands.md has no row for wm ${words}`,
    );
  }
});
