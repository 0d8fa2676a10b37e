// Runs the commands that AGENTS.md shows, as a program would: against an emulator, without a terminal. What it says of exit
// statuses and of JSON holds for each.

import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { test } from 'node:test';
import { exitStatuses } from '#cli/exit-statuses.ts';
import { isInterruptionStatus } from '#failure.ts';
import { runLine } from '#test/support/terminal/run-line.ts';
import { setStage } from '#test/support/terminal/stage.ts';

const page = await readFile('AGENTS.md', 'utf8');
const lines = [...page.matchAll(/^```sh\n([\s\S]*?)^```$/gm)].flatMap(([, block = '']) =>
  block.trim().split('\n'),
);

/** One value, or one on each line. */
function isJson(text: string): boolean {
  const values = /^[[{]\n/.test(text) ? [text] : text.trimEnd().split('\n');
  return values.every((value) => typeof JSON.parse(value) === 'object');
}

const skip = process.platform === 'win32' && 'needs /bin/sh';

test('AGENTS.md has commands and fits on one page', () => {
  assert.ok(lines.length > 10);
  assert.ok(page.split('\n').length < 120);
});

for (const line of lines)
  test(line, { skip }, async (context) => {
    const { status, output, errors } = await runLine(await setStage(context, { isInside: true }), line);
    const expected = Number(/# exit (\d+)$/.exec(line)?.[1] ?? 0);
    assert.equal(status, expected, errors);
    if (!line.includes('--json')) return assert.notEqual(output, '');
    if (expected === 0) return assert.ok(isJson(output), output);
    assert.equal(output, '');
    const { error } = JSON.parse(errors);
    assert.ok(error.code && error.message, errors);
  });

test('AGENTS.md lists every exit status', () => {
  const listed = [...page.matchAll(/^\| (\d+) \|/gm)].map(([, status]) => Number(status));
  const ours = Object.keys(exitStatuses).map(Number);
  assert.deepEqual(
    listed,
    ours.filter((status) => !isInterruptionStatus(status)),
    'Correct the exit statuses in AGENTS.md',
  );
});

test('the package contains AGENTS.md', async () => {
  const { files }: { files: string[] } = JSON.parse(await readFile('package.json', 'utf8'));
  assert.ok(files.includes('AGENTS.md'));
});
