// Permalinks of the web workspace in place of task ids, in every command that takes one.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { sample } from '#emulator/state/sample-ids.ts';
import { emulated } from '#test/support/program/emulated.ts';

const link = (id: string) => `https://workspace.example.com/open?id=${id}`;

test('task get, one and several', async (t) => {
  const { wm } = await emulated(t);
  const one = await wm(['task', 'get', link(sample.task), '--json'], { exit: 0 });
  assert.equal(JSON.parse(one.output).id, sample.task);
  const several = await wm(['task', 'get', link(sample.task), sample.backlog, '--json'], { exit: 0 });
  const ids = several.output
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line).id);
  assert.deepEqual(ids, [sample.task, sample.backlog]);
});

test('a link without an id is invalid for both commands', async (t) => {
  const { wm } = await emulated(t);
  for (const word of ['get', 'undo']) {
    const ran = await wm(['task', word, 'https://workspace.example.com/tasks/12'], { exit: 2 });
    assert.match(ran.errors, /is not a permalink with an id/);
  }
});

test('counts a text that is too long once, without its quotes', async (t) => {
  const { wm } = await emulated(t);
  const ran = await wm(['task', 'update', sample.task, '--metadata', `build=${'k"'.repeat(2001)}`], {
    exit: 2,
  });
  assert.match(ran.errors, /\.\.\. \(4002 characters\) has 4002 characters; the limit is/);
});
