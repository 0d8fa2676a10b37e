// Runs the commands that README shows, as a reader would, against an emulator, but in the process of the test. What installs is run in
// a fresh clone by .ci/run, since here it would pull the floor from under the tests.

import assert from 'node:assert/strict';
import { readdir, readFile } from 'node:fs/promises';
import { type TestContext, test } from 'node:test';
import { commands, groups } from '#app/commands.ts';
import { processOf, startInside } from '#test/app/processes.ts';
import { run } from '#test/support/program/program.ts';
import { openInProcess } from '#test/support/terminal/in-process.ts';
import { runLine } from '#test/support/terminal/run-line.ts';
import { setStage } from '#test/support/terminal/stage.ts';
import { key } from '#test/support/terminal/terminal.ts';

const readme = await readFile('README.md', 'utf8');
const blocks = [...readme.matchAll(/^```sh\n([\s\S]*?)^```$/gm)].map(([, block = '']) => block.trim());
const manifest: { scripts: Record<string, string> } = JSON.parse(await readFile('package.json', 'utf8'));

test('the two commands at the top install and run the demo, and install and run the tests', () => {
  assert.deepEqual(blocks.slice(0, 2), ['npm ci && npx wm demo', 'npm ci && npm test']);
  assert.ok(manifest.scripts['test']);
});

for (const flags of [[], ['--details']])
  test(`the demo shows its steps: ${flags.join('') || 'without details'}`, async () => {
    const { PATH } = process.env;
    const world = { process: processOf(startInside) };
    const { output } = await run(['demo', ...flags], { exit: 0, environment: { PATH }, world });
    assert.equal(/the signature is the HMAC of these bytes/.test(output), flags.length > 0);
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
    const stage = await setStage(context, { isInside: true, emulator: { withWebhooks: true } });
    const { status, output, errors } = await runLine(stage, line);
    if (line.startsWith('wm webhook suspend')) {
      // Asks, and nobody is there: it says what to give instead.
      assert.equal(status, 2);
      assert.match(errors, line.includes('billing') ? /Give the id of each/ : /wm webhook suspend ID/);
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
    await terminal.shows(address, key.interrupt);
    assert.equal(await terminal.ended, 130, terminal.text);
  }
}

/** In a sentence, or after the prompt of an interactive shell. */
const named = /(?:`|^\$ (?:npx )?)wm ([a-z][^`\n]*)/gm;

/** The command that these words begin with. */
const commandOf = (words: readonly string[]) =>
  commands.find((one) => `${words.join(' ')} `.startsWith(`${one.words} `))?.words;

test('the table in docs/commands.md has every command, and no other', async () => {
  const [table = ''] = (await readFile('docs/commands.md', 'utf8')).split('\n## ');
  const listed = new Set<string | undefined>();
  for (const [, cell = ''] of table.matchAll(/^\| (`.*?) +\|/gm)) {
    let before: readonly string[] = [];
    for (const [, code = ''] of cell.matchAll(/`([^`]*)`/g)) {
      const words = code.replace(/^wm /, '').split(' ');
      // After `wm auth status`, `list` is `wm auth list`.
      const full = before
        .map((_, length) => [...before.slice(0, length), ...words])
        .find((one) => commandOf(one) !== undefined);
      before = full ?? words;
      assert.ok(commandOf(before), `docs/commands.md: ${code}`);
      listed.add(commandOf(before));
    }
  }
  assert.deepEqual([...listed].toSorted(), commands.map(({ words }) => words).toSorted());
});

test('every shell line of README is run here', () => {
  const shown = blocks.slice(2).flatMap((block) => block.split('\n'));
  assert.deepEqual(shown, lines);
});

test('the commands named in README, AGENTS.md and docs/ exist', async () => {
  const docs = (await readdir('docs')).filter((name) => name.endsWith('.md'));
  for (const page of ['README.md', 'AGENTS.md', ...docs.map((name) => `docs/${name}`)])
    for (const [, typed = ''] of (await readFile(page, 'utf8')).matchAll(named)) {
      const words = typed.split(' ');
      const isGroup = groups.some(({ word }) => word === words[0]) && !/^[a-z]/.test(words[1] ?? '');
      assert.ok(commandOf(words) ?? (isGroup || words[0] === 'version'), `${page}: wm ${typed}`);
    }
});
