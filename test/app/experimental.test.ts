// Commands whose request the contract does not show say so: in the overview, and in their help. every-command.test.ts has the help
// of each.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { commands } from '#app/commands.ts';
import { run } from '#test/support/program/program.ts';

test('some commands are experimental', () => {
  assert.ok(commands.some(({ experimental }) => experimental));
  assert.ok(commands.some(({ experimental }) => !experimental));
});

test('the overview and the help of a command mark it as experimental', async () => {
  const { output: overview } = await run(['--help', 'all']);
  const lines = overview.split('\n');
  for (const { words, experimental } of commands) {
    const line = lines.find((text) => text.startsWith(`  ${words} `)) ?? '';
    assert.equal(line.endsWith(' (experimental)'), experimental === true, `${words}: ${line}`);
  }
  for (const isExperimental of [true, false]) {
    const { words = '' } = commands.find(({ experimental = false }) => experimental === isExperimental) ?? {};
    const help = (await run([...words.split(' '), '--help'])).output;
    assert.equal(help.includes('\nExperimental: '), isExperimental, words);
  }
});
