// `wm webhook log`: which deliveries it lists, with what is known of each, from a journal that a listener wrote.

import assert from 'node:assert/strict';
import { appendFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { formatLocalTime, formatTimeOfDay } from '#dates/local-time.ts';
import { sampleTarget as target } from '#test/receiver/core/intake/samples.ts';
import { noon } from '#test/support/clock.ts';
import { firstCells, objectsIn } from '#test/support/program/cells.ts';
import { clockAt } from '#test/support/program/emulated.ts';
import { attempt, dead, failed, received, writtenJournal } from '../archive/deliveries/written-journal.ts';

const minute = 60_000;

/** A delivery in each state, and requests that were not stored. */
async function inEachState(context: TestContext) {
  const at = (minutes: number) => ({ receivedAt: noon + minutes * minute });
  const written = await writtenJournal(
    context,
    received('TaskCreated', 'A1', at(1)),
    received('TaskStatusChanged', 'A1', at(2)),
    received('CommentAdded', 'A2', at(3)),
    received('FolderCreated', 'A3', at(4)),
    received('TaskDeleted', 'A4', at(5)),
    received('TaskCreated', 'A5', at(6)),
    attempt(1),
    attempt(2, failed),
    attempt(3, { ...failed, attempt: 11 }),
    attempt(3, dead),
    attempt(4, { target: '', outcome: 'no-target', milliseconds: 0 }),
    attempt(5, dead),
    { kind: 'duplicate', sequence: 1, time: noon },
    { kind: 'rejected', time: noon, reason: 'bad-signature', status: 503 },
    { kind: 'rejected', time: noon + minute, reason: 'method', status: 503 },
    { kind: 'rejected', time: noon + minute, reason: 'bad-signature', status: 503 },
  );
  const replay = { sequence: 5, time: noon, target, outcome: '204', milliseconds: 7, verdict: 'forwarded' };
  await writeFile(join(written.folder, 'replays.ndjson'), `${JSON.stringify(replay)}\n`);
  return written;
}

test('a tab-separated line for each delivery, newest last; requests that were not stored are counted', async (context) => {
  const { wm } = await inEachState(context);
  const { status, output, errors } = await wm('webhook log');
  assert.equal(status, 0, errors);
  assert.deepEqual(output.slice(0, -1).split('\n'), [
    `1\t2026-01-05T12:01:00.000Z\tTaskCreated\tA1\t\tvalid\t200\t1\tforwarded\t${target}\t200\t1\t12\t`,
    `2\t2026-01-05T12:02:00.000Z\tTaskStatusChanged\tA1\t\tvalid\t200\t0\tretrying\t${target}\t500\t1\t12\t`,
    `3\t2026-01-05T12:03:00.000Z\tCommentAdded\tA2\t\tvalid\t200\t0\tdead\t${target}\t500\t12\t12\t`,
    '4\t2026-01-05T12:04:00.000Z\tFolderCreated\tA3\t\tvalid\t200\t0\tno-target\t\tno-target\t0\t0\t',
    `5\t2026-01-05T12:05:00.000Z\tTaskDeleted\tA4\t\tvalid\t200\t0\treplayed\t${target}\t204\t13\t7\t`,
    '6\t2026-01-05T12:06:00.000Z\tTaskCreated\tA5\t\tvalid\t200\t0\twaiting\t\t\t0\t\t',
  ]);
  assert.equal(
    errors,
    `3 requests were not stored: 2 with a bad signature, 1 not a POST. The receiver responded with 503; the last came at ${formatLocalTime(noon + minute)}.\n` +
      `2 deliveries are not forwarded yet, the oldest of ${formatLocalTime(noon + 2 * minute)}. To see why: wm webhook log --stuck\n`,
  );
});

test('filters: by event, group, task, date and state; the last of the matches', async (context) => {
  const { wm } = await inEachState(context);
  const rows: readonly (readonly [string, string])[] = [
    ['--last 2', '5 6'],
    ['--event TaskCreated', '1 6'],
    ['--event taskcreated --last 1', '6'],
    ['--event folder --event comment', '3 4'],
    ['--event TaskCreated,TaskDeleted', '1 5 6'],
    ['--task A1', '1 2'],
    ['--state dead', '3'],
    ['--dead-letters', '3'],
    ['--state dead,retrying --state waiting', '2 3 6'],
    ['--state waiting --last 1', '6'],
    ['--state forwarded', '1'],
    ['--state no-target,replayed', '4 5'],
    ['--since 2026-01-05T12:03:00Z --until 2026-01-05T12:04:00Z', '3 4'],
    ['--task A1 --event TaskStatusChanged', '2'],
    ['--task A9', ''],
    ['--since 58m', '2 3 4 5 6'],
    ['--since 56min', '4 5 6'],
    // Today, in the time zone of the machine.
    [`--since ${formatTimeOfDay(noon + 3 * minute)}`, '3 4 5 6'],
    [`--since ${formatTimeOfDay(noon).slice(0, 5)} --until ${formatTimeOfDay(noon + 3 * minute)}`, '1 2 3'],
  ];
  for (const [flags, expected] of rows) {
    const world = { clock: clockAt(noon + 60 * minute) };
    const { status, output, errors } = await wm(`webhook log ${flags}`, { world });
    assert.equal(status, 0, errors);
    assert.equal(firstCells(output).join(' '), expected, flags);
    if (expected === '') assert.match(errors, /^No delivery matches\.$/m);
  }
});

test('JSON: an array with all known details; one object per line for numbers, with headers and body', async (context) => {
  const { wm } = await inEachState(context);
  const all = JSON.parse((await wm('webhook log --json')).output);
  assert.equal(all.length, 6);
  assert.deepEqual(all[4], {
    sequence: 5,
    time: '2026-01-05T12:05:00.000Z',
    events: ['TaskDeleted'],
    ids: ['A4'],
    signature: 'valid',
    bytes: 74,
    response: 200,
    duplicates: 0,
    state: 'replayed',
    attempts: [
      {
        time: '2026-01-05T12:00:00.100Z',
        target,
        attempt: 12,
        outcome: '500',
        milliseconds: 12,
        verdict: 'dead',
      },
    ],
    replays: [
      { time: '2026-01-05T12:00:00.000Z', target, outcome: '204', milliseconds: 7, verdict: 'forwarded' },
    ],
  });
  const { output } = await wm('webhook log 2 #5-6 --json');
  const lines = objectsIn(output);
  assert.deepEqual(
    lines.map(({ sequence }) => sequence),
    [2, 5, 6],
  );
  assert.equal(
    lines[0].body,
    '[{"eventType":"TaskStatusChanged","taskId":"A1","webhookId":"IEAAAAAQJAAAAAAB"}]',
  );
  assert.deepEqual(lines[0].headers, [
    ['Content-Type', 'application/json'],
    ['X-Hook-Signature', 'c0ffee'],
  ]);
  assert.equal(lines[0].path, '/hook');
});

test('unknown numbers: the others are shown, and the exit status is 5', async (context) => {
  const { wm } = await inEachState(context);
  const { status, output, errors } = await wm('webhook log 7-9 2');
  assert.equal(status, 5);
  assert.deepEqual(firstCells(output), ['2']);
  assert.match(errors, /Delivery not found: 7-9\n {2}To list the last ones: wm webhook log\n/);
});

test('usage: invalid numbers, and flags that cannot be combined', async (context) => {
  const { wm } = await inEachState(context);
  for (const [typed, expected] of [
    ['first', /"first" is not the number of a delivery/],
    ['0', /"0" is not the number/],
    ['9-7', /"9-7" is not a range/],
    ['--body', /--body needs the number of a delivery/],
    ['1 --follow', /--follow cannot be combined with a number/],
    ['1 --follow --body', /--body cannot be combined with --follow/],
    ['1-2 --body', /--body prints one delivery/],
    ['--gaps --last 3', /--gaps cannot be combined/],
    ['--event TaskCreate', /Did you mean TaskCreated/],
    ['--state lost', /--state/],
    ['--since 2099-01-01', /--since/],
    ['--since 2026-01-02 --until 2026-01-01', /--until is before --since/],
  ] as const) {
    const { status, errors } = await wm(`webhook log ${typed}`);
    assert.equal(status, 2, `${typed}: ${errors}`);
    assert.match(errors, expected);
  }
});

test('an empty journal', async (context) => {
  const { wm, folder, open } = await writtenJournal(context);
  await (await open()).close();
  const { status, output, errors } = await wm(`webhook log --journal ${folder} --json`);
  assert.deepEqual([status, output, errors], [0, '[]\n', 'No deliveries are stored.\n']);
});

test('a damaged line among the replays is counted', async (context) => {
  const { wm, folder } = await inEachState(context);
  await appendFile(join(folder, 'replays.ndjson'), '{"sequence":3,"ti\n');
  const { errors } = await wm('webhook log');
  assert.match(errors, /Skipped 1 line in .*replays\.ndjson/);
});

test('--task with a title: says that it needs an id, and how to find it', async (context) => {
  const { wm } = await inEachState(context);
  const title = await wm(['webhook', 'log', '--task', 'Launch page']);
  assert.equal(
    title.errors.split('\n').find((line) => line.startsWith('--task')),
    `--task takes an id, and "Launch page" is not one. To find the id of a task: wm task list --title 'Launch page'`,
  );
  const id = await wm('webhook log --task IEAAAAAQKQAB5BNG');
  assert.doesNotMatch(id.errors, /--task/);
});

test('--since and --until: counts the requests of that time that were not stored', async (context) => {
  const { wm } = await inEachState(context);
  const world = { clock: clockAt(noon + 60 * minute) };
  const since = await wm('webhook log --since 2026-01-05T12:00:30Z', { world });
  assert.match(since.errors, /^2 requests were not stored: 1 with a bad signature, 1 not a POST\./);
  const until = await wm('webhook log --until 2026-01-05T12:00:30Z', { world });
  assert.match(until.errors, /^1 request was not stored: 1 with a bad signature\./);
});
