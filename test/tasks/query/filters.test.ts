// The filters of `wm task list` by a day or since some time, with a clock. test/transcript/task-filters.txt and task-list-gaps.txt show
// the others.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { sample } from '#emulator/state/sample-ids.ts';
import { clockAt, type Emulated, emulated } from '#test/support/program/emulated.ts';
import { wordsOf } from '#test/support/program/printed.ts';

async function ids({ wm }: Emulated, flags: string, now: number) {
  const ran = await wm(['task', 'list', ...wordsOf(flags)], { world: { clock: clockAt(now) }, exit: 0 });
  return ran.output.split('\n').flatMap((line) => line.split('\t')[0] || []);
}

test('a date in words, and since some time ago', async (context) => {
  const given = await emulated(context);
  assert.deepEqual(await ids(given, '--due-before tomorrow', new Date(2026, 1, 9, 12).getTime()), [
    sample.task,
    sample.recurrent,
  ]);
  const created = Date.parse('2026-01-05T09:00:00Z');
  const hour = 3_600_000;
  const all = 11;
  for (const [since, now, count] of [
    ['2h', created + 2 * hour, all],
    ['2h', created + 2 * hour + 1000, 0],
    ['3 days ago', created + 72 * hour, all],
    ['3d', created + 73 * hour, 0],
    ['1 week', created + 7 * 24 * hour, all],
    ['1W', created + 7 * 25 * hour, 0],
    ['2026-01-05T09:00:00Z', created + hour, all],
    ['2026-01-05T09:00:01Z', created + hour, 0],
    ['2026-01-06', created + 100 * hour, 0],
    ['2026-01-04', created + 100 * hour, all],
  ] as const)
    assert.equal((await ids(given, `--updated-since '${since}'`, now)).length, count, `${since} at ${now}`);
});
