// Titles of tasks and folders in the flags and cells that take their ids.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { sample } from '#emulator/state/sample-ids.ts';
import { emulated } from '#test/support/program/emulated.ts';

const title = 'Write the launch page';

test('folders and tasks by title in flags: ignores case, previews them, and rejects an unknown or ambiguous title', async (context) => {
  const { wm, task } = await emulated(context);
  const made = await wm(['folder', 'create', 'Spring launch', '--folder', sample.folder, '--yes', '--json']);
  const { id: folder } = JSON.parse(made.output);
  const update = (...typed: string[]) => wm(['task', 'update', sample.bug, ...typed]);
  const shown = await update('--add-parents', 'spring launch', '--priority-after', title, '--dry-run');
  assert.equal(shown.status, 0, shown.errors);
  assert.ok(shown.output.includes(folder) && shown.output.includes(sample.task), shown.output);
  const ran = await update('--add-parents', 'Spring launch', '--add-super-tasks', title.toUpperCase());
  assert.equal(ran.status, 0, ran.errors);
  const { parentIds, superTaskIds } = await task(sample.bug);
  assert.ok(parentIds.includes(folder));
  assert.deepEqual(superTaskIds, [sample.task]);
  // A word is an id first.
  const word = await update('--add-parents', 'website', '--remove-super-tasks', title);
  assert.equal(word.status, 0, word.errors);
  assert.ok((await task(sample.bug)).parentIds.includes(sample.folder));
  const wrong = await update('--add-parents', 'Sprign launch');
  assert.equal(wrong.status, 2, wrong.errors);
  assert.match(
    wrong.errors,
    /--add-parents: "Sprign launch" is not the title of a folder\n {2}Did you mean "Spring launch"\?/,
  );
  await wm(['task', 'update', sample.milestone, '--title', title]);
  const twice = await update('--add-super-tasks', title);
  assert.equal(twice.status, 2, twice.errors);
  assert.match(twice.errors, new RegExp(`is the name of 2 tasks\n[^]*${sample.milestone}`));
});

test('flags accept no title of a folder in the recycle bin, or of the bin itself', async (context) => {
  const { wm, task } = await emulated(context);
  const update = (title: string) => wm(['task', 'update', sample.bug, '--add-parents', title]);
  for (const title of ['Spring launch', 'Springtime']) {
    const create = async () => {
      const made = await wm(['folder', 'create', title, '--folder', sample.folder, '--yes', '--json']);
      return JSON.parse(made.output).id;
    };
    await wm(['api', 'DELETE', `/folders/${await create()}`, '--yes'], { exit: 0 });
    const gone = await update(title);
    assert.doesNotMatch(gone.errors, /recycle bin/);
    assert.notEqual(gone.status, 0);
    const id = await create();
    const ran = await update(title);
    assert.equal(ran.status, 0, ran.errors);
    assert.ok((await task(sample.bug)).parentIds.includes(id));
  }
  const bin = await update('Recycle Bin');
  assert.equal(bin.status, 2, bin.errors);
  assert.ok(
    bin.errors.startsWith('wm: --add-parents: "Recycle Bin" is not the title of a folder\n'),
    bin.errors,
  );
});

test('an unknown title: lists all titles if there are only a few', async (context) => {
  const { wm } = await emulated(context);
  const update = async (flag: string) => (await wm(['task', 'update', sample.bug, flag, 'zzzz zzzz'])).errors;
  assert.equal(
    await update('--add-parents'),
    'wm: --add-parents: "zzzz zzzz" is not the title of a folder\n' +
      '  Available: Root, Studio, Back office, Website, Copy, Salaries, Spring catalogue\n',
  );
  for (let n = 1; n <= 10; n++)
    assert.equal((await wm(['task', 'create', `Page ${n}`, '--folder', sample.folder, '--yes'])).status, 0);
  assert.equal(
    await update('--add-super-tasks'),
    'wm: --add-super-tasks: "zzzz zzzz" is not the title of a task\n' +
      '  None of the 21 that you can see is similar.\n  To list them all: wm task list\n',
  );
});

test('cells of CSV, and members of NDJSON, with the task itself by title', async (context) => {
  const { wm, task } = await emulated(context);
  const made = await wm(['folder', 'create', 'Spring launch', '--folder', sample.folder, '--yes', '--json']);
  const { id: folder } = JSON.parse(made.output);
  const inputs = [
    `id,add-parents,importance\n${title},Spring launch,High\n`,
    JSON.stringify({ id: title, removeParents: ['spring launch'], importance: 'Low' }),
  ];
  for (const [at, input] of inputs.entries()) {
    const ran = await wm(['task', 'update', '--from', '-', '--yes'], { input, exit: 0 });
    assert.match(ran.output, new RegExp(`\t${sample.task}\tupdated\t`));
    const { parentIds, importance } = await task(sample.task);
    assert.deepEqual([parentIds.includes(folder), importance], at === 0 ? [true, 'High'] : [false, 'Low']);
  }
  const wrong = await wm(['task', 'update', '--from', '-', '--yes'], {
    input: 'id,title\nNo such task,x\n',
    exit: 2,
  });
  assert.match(wrong.errors, /line 2 \(No such task\): "No such task" is not the title of a task/);
});
