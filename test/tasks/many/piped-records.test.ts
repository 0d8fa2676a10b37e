// wm feeds wm: what a command prints goes into `task update`, as whole records, as ids, or as nothing at all.

import assert from 'node:assert/strict';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { sample } from '#emulator/state/sample-ids.ts';
import { emulated } from '#test/support/program/emulated.ts';

const { task: first, backlog: second } = sample;
const fromInput = ['task', 'update', '--from', '-', '--yes'];

for (const [name, form] of [
  ['a list', ['--json']],
  ['objects, one a line', ['--jq', '.[]']],
] as const)
  test(`records of task list, as ${name}: uses their ids, and nothing else`, async (context) => {
    const { wm, task } = await emulated(context);
    const listed = await wm(['task', 'list', '--title', 'l', ...form]);
    const ids = [...new Set(listed.output.match(/IEAAAAAQKQAB5\w{3}(?=")/g))];
    const before = await Promise.all(ids.map((id) => task(id)));
    // Somebody changes a title in between.
    await wm(['task', 'update', first, '--title', 'A new title with l']);
    const all = JSON.parse((await wm(['task', 'list', '--title', 'l', '--json'])).output);
    const ran = await wm([...fromInput, '--importance', 'High'], { input: listed.output, exit: 0 });
    assert.match(
      ran.errors,
      new RegExp(
        `^${all.length} of ${all.length} rows from standard input will be updated \\(importance\\)$`,
        'm',
      ),
    );
    assert.match(
      ran.errors,
      new RegExp(
        `^Skipped: all but the ids of ${all.length} records; to send more of them: --columns title,status$`,
        'm',
      ),
    );
    assert.equal((await task(first)).title, 'A new title with l');
    for (const { id, dates } of before) {
      const after = await task(id);
      assert.equal(
        after.importance,
        all.some((one: { id: string }) => one.id === id) ? 'High' : after.importance,
      );
      assert.deepEqual(after.dates, dates);
    }
  });

test('--columns selects what else is sent from the records', async (context) => {
  const { wm, task } = await emulated(context);
  const listed = await wm(['task', 'get', first, second, '--json']);
  await wm(['task', 'update', first, second, '--title', 'x', '--importance', 'Low', '--yes']);
  const ran = await wm([...fromInput, '--columns', 'Title', '--columns', 'status'], {
    input: listed.output,
    exit: 0,
  });
  assert.match(ran.errors, /will be updated \(title, status\)$/m);
  assert.doesNotMatch(ran.errors, /^Skipped/m);
  assert.equal((await task(first)).title, 'Write the launch page');
  assert.equal((await task(first)).importance, 'Low');
});

test('--columns of CSV uses only these columns, and reports a missing one', async (context) => {
  const { wm, task } = await emulated(context);
  const input = `id,title,status,Owner\n${first},x,Completed,me\n`;
  await wm([...fromInput, '--columns', 'title'], { input, exit: 0 });
  assert.deepEqual([(await task(first)).title, (await task(first)).status], ['x', 'Active']);
  const none = await wm([...fromInput, '--columns', 'title,due'], { input, exit: 2 });
  assert.match(none.errors, /^wm: --columns: the file has no column "due"$/m);
  const wrong = await wm([...fromInput, '--columns', 'titel'], {
    input: `{"id":"${first}","title":"x"}\n`,
    exit: 2,
  });
  assert.match(
    wrong.errors,
    /^wm: --columns: "titel" is not the name of a parameter\n {2}Did you mean title\?$/m,
  );
});

test('a list of updates sends what its objects say, in any JSON formatting', async (context) => {
  const { wm, task } = await emulated(context);
  for (const [list, title] of [
    [`[{"id":"${first}","title":"a, ]\\"["},{"id":"${second}","title":"b"}]`, 'a, ]"['],
    [
      `\ufeff \n[\n  {\n    "id": "${first}",\n    "title": "é"\n  },\n\n  {"id": "${second}"\n, "dates": {"type":"Backlog"}}\n]\n`,
      'é',
    ],
  ] as const) {
    const ran = await wm(fromInput, { input: list, exit: 0 });
    assert.match(ran.errors, /^2 of 2 rows/m);
    assert.equal((await task(first)).title, title);
  }
});

test('names the rows of a list by position, and an errors file has each on one line', async (context) => {
  const { wm, folder } = await emulated(context);
  const errors = join(folder, 'errors.ndjson');
  const input = `[\n{"id":"${first}","title":"a"},\n{"id":"${second}",\n"status":"Nope"}, 5] \t\n`;
  const ran = await wm([...fromInput, '--errors', errors], { input, exit: 8 });
  assert.match(ran.output, /^1\tIEA\w+\tupdated\t$/m);
  assert.match(ran.output, /^2\tIEA\w+\tinvalid\tstatus: /m);
  assert.match(ran.output, /^3\t\tinvalid\t5 is not an object$/m);
  assert.match(await readFile(errors, 'utf8'), /^\{"line":2,.*"status":"Nope"\}\n5\n$/);
});

for (const [name, input, says] of [
  ['cut off', `[{"id":"${first}","title":"a"},`, 'the list has no end'],
  ['cut off in a text', `[{"id":"${first}","title":"a`, 'the list has no end'],
  ['followed by something', `[{"id":"${first}","title":"a"}]\n[]`, 'there is more after the end of the list'],
] as const)
  test(`a list that is ${name} is rejected as a whole`, async (context) => {
    const { wm, task } = await emulated(context);
    const ran = await wm(fromInput, { input, exit: 2 });
    assert.match(ran.errors, new RegExp(`^wm: standard input: ${says}\\n {2}.*nothing was sent`));
    assert.equal((await task(first)).title, 'Write the launch page');
  });

test('a list of more than 16 MB on one line, as from a pipe', async (context) => {
  const { wm } = await emulated(context);
  const record = JSON.stringify({ id: first, permalink: 'x', briefDescription: 'x'.repeat(60_000) });
  const input = `[${Array.from({ length: 300 }, () => record).join(',')}]`;
  const ran = await wm(['task', 'update', '--from', '-', '--dry-run', '--title', 'x'], { input, exit: 0 });
  assert.match(ran.errors, /^300 of 300 rows/m);
});

for (const [name, input] of [
  ['nothing', ''],
  ['an empty list', '[]\n'],
  ['a header alone', 'id,title\n'],
  ['empty lines', '\n\n'],
] as const)
  test(`no rows, as ${name}: an error, or exit 0 with --allow-empty`, async (context) => {
    const { wm, folder } = await emulated(context);
    const ran = await wm(fromInput, { input, exit: 2 });
    assert.match(ran.errors, /^wm: (?:standard input is empty|There are no rows in standard input)$/m);
    assert.match(ran.errors, /^ {2}.*--allow-empty/m);
    const errors = join(folder, 'errors.csv');
    await writeFile(errors, 'of an earlier run\n');
    const allowed = await wm([...fromInput, '--allow-empty', '--errors', errors], { input, exit: 0 });
    assert.match(allowed.errors, /^Nothing to update: there are no rows in standard input\.$/m);
    assert.equal(allowed.output, '');
    assert.equal(await readFile(errors, 'utf8'), '');
  });

test('--ids reads ids, titles and links from standard input or a file, one per line', async (context) => {
  const { wm, task, folder } = await emulated(context);
  const path = join(folder, 'ids.txt');
  const lines = `${first}\r\n\n  Choose the pictures \nhttps://a.example/open?id=${second}\n`;
  await writeFile(path, lines);
  for (const [argv, input] of [
    [['--ids', '-', '--title', 'One'], lines],
    [['--ids', path, '--title', 'Two'], undefined],
    // As `wm task list` prints them.
    [['--ids', '-', '--title', 'Three'], `${first}\tActive\tx\n${second}\tActive\ty\n`],
  ] as const) {
    await wm(['task', 'update', ...argv, '--yes'], { ...(input === undefined ? {} : { input }), exit: 0 });
    assert.equal((await task(first)).title, argv[3]);
    assert.equal((await task(second)).title, argv[3]);
    await wm(['task', 'update', sample.subtask, '--title', 'Choose the pictures']);
  }
  // One id is a bulk run, too, and ids on the command line are added.
  const one = await wm(['task', 'update', '--ids', '-', '--title', 'Four', '--yes'], { input: first });
  assert.match(one.errors, /^1 of 1 row from standard input will/m);
  const both = await wm(['task', 'update', second, '--ids', '-', '--title', 'Five', '--yes'], {
    input: first,
  });
  assert.match(both.errors, /^2 of 2 rows from the command line and standard input will/m);
  await writeFile(path, 'No such one\n');
  const wrong = await wm(['task', 'update', second, '--ids', path, '--title', 'Six', '--dry-run']);
  assert.ok(wrong.errors.includes(`\n1 of 2 rows from the command line and ${path} will`), wrong.errors);
  assert.match(wrong.errors, /\(No such one\): "No such one" is not the title of a task/);
});

test('no ids: an error, or exit 0 with --allow-empty', async (context) => {
  const { wm } = await emulated(context);
  const update = ['task', 'update', '--title', 'x', '--yes'];
  const none = await wm([...update, '--ids', '-'], { input: '\n', exit: 2 });
  assert.match(none.errors, /^wm: There are no ids in standard input\n.*--allow-empty/);
  for (const [argv, input] of [
    [['--ids', '-'], ''],
    [['--ids', '-'], '\n'],
    // As xargs runs a command where it was given nothing.
    [[], ''],
  ] as const) {
    const ran = await wm([...update, ...argv, '--allow-empty'], { input, exit: 0 });
    assert.equal(ran.output, '');
    assert.match(ran.errors, /^Nothing to update: .*\.\n$/);
  }
});

test('--ids and --from cannot be combined', async (context) => {
  const { wm } = await emulated(context);
  const ran = await wm(['task', 'update', '--ids', '-', '--from', 'x.csv'], { exit: 2 });
  assert.match(ran.errors, /^wm: --from cannot be combined with ids$/m);
});
