// One value is one value: a flag that is given twice and says two things is refused, whichever of them came last.

import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { ownFolder } from '#test/support/disk/own-folder.ts';
import { run } from '#test/support/program/program.ts';

const environment = { WM_TOKEN: 'token', WM_HOST: 'api.example.com' };
const update = ['task', 'update', 'IEAAAAAQKQAB5BNG'];
const dry = (status: number, ...more: string[]) =>
  run([...update, ...more, '--dry-run'], { exit: status, environment });

for (const [more, names] of [
  [
    ['--status', 'Active', '--status', 'Completed'],
    ['--status', '"Active" and "Completed"'],
  ],
  // One of the values that was said first, however often, and whatever stands between.
  [
    ['--title', 'a', '--status=Active', '--title=b', '--title', 'b'],
    ['--title', '"a" and "b"'],
  ],
  [
    ['--title', 'a', '--title', 'b', '--title', 'c'],
    ['--title', '"a", "b" and "c"'],
  ],
  [
    ['--start', '2026-12-01', '--start', 'fri'],
    ['--start', '"2026-12-01" and "fri"'],
  ],
  [
    ['--dates', '{"type":"Backlog"}', '--dates', '{"type":"Milestone","due":"2026-12-01"}'],
    ['--dates', 'Backlog', 'Milestone'],
  ],
  [['--follow', '--no-follow'], ['--follow and --no-follow cannot be combined']],
  [['--follow=false', '--follow'], ['--follow and --no-follow cannot be combined']],
  // Which account is no place to guess; and an alias has another way.
  [
    ['--title', 'a', '--profile', 'work', '--profile', 'home'],
    ['--profile', '"work" and "home"', 'WM_PROFILE'],
  ],
] as const) {
  test(`${more.join(' ')}: rejected, showing every value`, async () => {
    const ran = await dry(2, ...more);
    assert.equal(ran.output, '');
    for (const name of names) assert.ok(ran.errors.includes(name), `${name} in ${ran.errors}`);
  });
}

test('also before the words of the command', async () => {
  const ran = await run(['--profile', 'work', ...update, '--title', 'a', '-n', '--profile', 'home'], {
    exit: 2,
  });
  assert.ok(ran.errors.includes('--profile is given twice: "work" and "home"'), ran.errors);
});

test('names a file without showing it; the same file twice is one value', async (context) => {
  const folder = await ownFolder(context);
  for (const name of ['one', 'two']) await writeFile(join(folder, name), `canary of ${name}`);
  const [first, second] = ['one', 'two'].map((name) => `@${join(folder, name)}`);
  const ran = await dry(2, '--description', `${first}`, '--description', `${second}`);
  assert.ok(ran.errors.includes(`"${first}" and "${second}"`), ran.errors);
  assert.ok(!ran.errors.includes('canary'));
  await dry(0, '--description', `${first}`, '--description', `${first}`);
});

test('with --json it is reported like any usage error', async () => {
  const ran = await dry(2, '--status', 'Active', '--status', 'Completed', '--json');
  const { error } = JSON.parse(ran.errors);
  assert.equal(error.code, 'usage');
  assert.equal(error.message, '--status is given twice: "Active" and "Completed"');
});

test('a repeated value, a repeated boolean flag and lists are not conflicts', async () => {
  for (const more of [
    ['--status', 'Active', '--status=Active'],
    ['--status', 'Active', '-q', '-q', '--quiet', '--dry-run', '--no-color', '--no-color', '-v', '-v'],
    ['--follow', '--follow=true'],
    ['--no-follow', '--follow=false'],
    ['--status', 'Active', '--yes', '-y', '--no-input', '--no-input', '--json', '--json'],
    ['--add-responsibles', 'KUAABENQ', '--add-responsibles', 'KUAAADAQ'],
    ['--custom-field', 'IEAAAAAQJUAB5NUM=1', '--custom-field', 'IEAAAAAQJUAB5NUN=2'],
    ['--metadata', 'a=1', '--metadata', 'b=2'],
    ['--remove-metadata', 'a', '--remove-metadata', 'b'],
  ]) {
    await dry(0, ...more);
  }
});

test('the last --timeout wins wherever it is, so that a caller can override the one in a script', async () => {
  const twice = (status: number, before: string, after: string) =>
    run(['--timeout', before, ...update, '--title', 'a', '-n', '--timeout', after], {
      exit: status,
      environment,
    });
  await twice(0, '60', '5');
  // Of the two only the last is looked at.
  await twice(0, '0', '5');
  await twice(2, '5', '0');
});
