// `wm task get` prints the same shape for one id as for several, so a script need not know how many ids it passes.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { sample } from '#emulator/state/sample-ids.ts';
import { emulated } from '#test/support/program/emulated.ts';

test('several runs together print the same as one run, however the ids are divided', async (t) => {
  const { wm } = await emulated(t);
  const ids = [sample.task, sample.backlog, sample.milestone, sample.bug, sample.completed];
  for (const flags of [['--json'], []]) {
    const output = async (some: readonly string[]) => {
      const ran = await wm(['task', 'get', ...some, ...flags], { exit: 0 });
      return ran.output;
    };
    const together = await output(ids);
    assert.equal(together.trimEnd().split('\n').length, ids.length);
    // As `xargs -n2` does it: the odd one is alone at the end.
    let inPairs = '';
    for (let at = 0; at < ids.length; at += 2) inPairs += await output(ids.slice(at, at + 2));
    assert.equal(inPairs, together);
  }
});

test('prints the tasks found, in the given order and without duplicates, and exits with 5 for the rest', async (t) => {
  const { wm } = await emulated(t);
  const ran = await wm(['task', 'get', sample.bug, 'IEAAAAAQKQAB5XXX', sample.task, sample.bug, '--json'], {
    exit: 5,
  });
  const ids = ran.output
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line).id);
  assert.deepEqual(ids, [sample.bug, sample.task]);
  assert.match(ran.errors, /1 of 3 tasks was not found: IEAAAAAQKQAB5XXX/);
});

test('more ids than one request takes are divided over several, in order', async (t) => {
  const { wm, control } = await emulated(t);
  const made: unknown = await control('tasks', { count: 250 });
  assert.ok(typeof made === 'object' && made !== null && 'taskIds' in made && Array.isArray(made.taskIds));
  const ids = made.taskIds.map((one: unknown) => String(one)).toReversed();
  assert.equal(ids.length, 250);
  const ran = await wm(['task', 'get', ...ids], { exit: 0 });
  assert.deepEqual(
    ran.output
      .trimEnd()
      .split('\n')
      .map((line) => line.split('\t')[0]),
    ids,
  );
});

test('the flags for the content of the response are in the request', async (t) => {
  const { wm } = await emulated(t);
  const flags = ['--plain-text-custom-fields', '--no-with-invitations', '--fields', 'billingType'];
  const ran = await wm(['task', 'get', sample.task, ...flags, '--dry-run', '--json'], { exit: 0 });
  assert.deepEqual(
    [...new URL(JSON.parse(ran.output).url).searchParams],
    [
      ['fields', '["billingType"]'],
      ['withInvitations', 'false'],
      ['plainTextCustomFields', 'true'],
    ],
  );
});
