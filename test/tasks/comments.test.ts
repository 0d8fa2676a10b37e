// `wm task comments`: what it reads, and how it prints it.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { sample } from '#emulator/state/sample-ids.ts';
import { emulated } from '#test/support/program/emulated.ts';

const comments = ['task', 'comments'];

test('the comments of a task, by its id, title or link: plain, as HTML, and as JSON', async (context) => {
  const { wm } = await emulated(context);
  const none = await wm([...comments, sample.backlog]);
  assert.deepEqual([none.status, none.output, none.errors], [0, '', 'No comments on this task.\n']);
  await wm(['task', 'comment', sample.backlog, 'One & <two>\nlines']);
  await wm(['task', 'comment', sample.backlog, 'See <a href="https://example.com/">this</a>', '--html']);
  for (const task of [
    sample.backlog,
    'Think about dark mode',
    `https://a.example/open?id=${sample.backlog}`,
  ]) {
    const listed = await wm([...comments, task], { exit: 0 });
    const rows = listed.output
      .trimEnd()
      .split('\n')
      .map((line) => line.split('\t'));
    assert.deepEqual(
      rows.map(([, , author, text]) => [author, text]),
      [
        [sample.ada, 'See this'],
        [sample.ada, 'One & <two>\\nlines'],
      ],
    );
  }
  const texts = async (...flags: readonly string[]) => {
    const { output } = await wm([...comments, sample.backlog, '--json', ...flags]);
    return JSON.parse(output).map((one: { text: string }) => one.text);
  };
  assert.deepEqual(await texts('--html'), [
    'See <a href="https://example.com/" rel="nofollow">this</a>',
    'One &amp; &lt;two&gt;<br />lines',
  ]);
  assert.deepEqual(await texts(), ['See this', 'One & <two>\nlines']);
  assert.equal((await texts('--limit', '1')).length, 1);
});

test('a missing task, and a dry run', async (context) => {
  const { wm } = await emulated(context);
  await wm([...comments, 'IEAAAAAQKQZZZZZZ'], { exit: 5 });
  const shown = await wm([...comments, sample.backlog, '--dry-run']);
  assert.match(shown.output, new RegExp(`^GET \\S+/tasks/${sample.backlog}/comments\\?plainText=true\n`));
});
