// Every switch, whatever it is for, is typed in the same four ways: --x, --no-x, --x=true and --x=false. A word for yes or
// no that stands apart from it is refused: as an operand it would be the id of a task, and the switch would say yes.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { run } from '#test/support/program/program.ts';
import { testEverySwitch } from './every-switch.ts';

const environment = { WM_TOKEN: 'token', WM_HOST: 'api.example.com' };
const id = 'IEAAAAAQKQAB5BNG';
const dry = (status: number, ...more: string[]) =>
  run(['task', 'update', ...more, '--dry-run'], { exit: status, environment });

testEverySwitch('quick');

for (const [more, message, how] of [
  [[id, '--follow', 'no'], 'no', '--no-follow or --follow=false'],
  [['--follow', 'False', id], 'False', '--no-follow or --follow=false'],
  [[id, '--follow', '0'], '0', '--no-follow or --follow=false'],
  [[id, '--no-follow', 'true'], 'true', '--follow or --follow=true'],
  [[id, '--milestone', 'true'], 'true', '--milestone or --milestone=true'],
  [[id, '--milestone=true', 'yes', '--due', '2026-12-01'], 'yes', '--milestone or --milestone=true'],
  [[id, '-nq', 'on'], 'on', '-nq, or leave it out'],
  [[id, 'true', '--milestone'], 'true', '--FLAG or --FLAG=true'],
  [['false', '--milestone'], 'false', '--no-FLAG or --FLAG=false'],
] as const) {
  test(`${more.join(' ')}: rejected`, async () => {
    const ran = await dry(2, ...more);
    assert.equal(ran.output, '');
    assert.equal(
      ran.errors,
      `wm: "${message}" is not an argument here: a boolean flag takes no value after a space\n` +
        `  Write ${how}. If it is an argument, such as an ID, put it last: -- ${message}\n`,
    );
  });
}

test('also before the words of a command', async () => {
  for (const argv of [
    ['--quiet', 'true', 'whoami'],
    ['webhook', '--quiet', 'true', 'list'],
    ['-q', 'false'],
  ]) {
    const ran = await run(argv, { exit: 2, environment });
    assert.match(ran.errors, /is not an argument here/);
  }
});

test('reports an unknown flag earlier on the line instead', async () => {
  for (const no of ['false', 'true']) {
    const ran = await dry(2, id, '--folow', no);
    assert.equal(ran.errors, "wm: Unknown flag '--folow'\n  Did you mean --follow?\n");
  }
});

test('a valid id that reads as yes or no goes after --', async () => {
  for (const word of ['true', 'false', 'no', '1']) {
    const sent = await run(['task', 'update', '--dry-run', '--follow', '--', word], {
      exit: 0,
      environment,
    });
    assert.match(sent.output, new RegExp(`/tasks/${word}\\?follow=true\n`));
  }
});

test('an id can be 0 or on if no boolean flag precedes it', async () => {
  for (const word of ['0', 'on', 'y']) await dry(0, word, '--follow');
});

test('an argument after a boolean flag is still an operand, and operands keep their order', async () => {
  const path = (id: string, query: string) => `PUT https://api.example.com/api/v4/tasks/${id}?${query}`;
  for (const [more, lines] of [
    [['--follow', id], [path(id, 'follow=true')]],
    [[id, '--no-follow'], [path(id, 'follow=false')]],
    [[id, '--follow=true'], [path(id, 'follow=true')]],
    [[id, '--follow=False'], [path(id, 'follow=false')]],
    [
      ['A1', '--restore', 'B1'],
      [path('A1', 'restore=true'), path('B1', 'restore=true')],
    ],
    [['--restore', 'B1', 'A1', '--yes', 'C1'], ['B1', 'A1', 'C1'].map((id) => path(id, 'restore=true'))],
  ] as const) {
    const ran = await dry(0, ...more);
    assert.deepEqual(
      ran.output.split('\n').filter((line) => line.startsWith('PUT')),
      lines,
    );
  }
});

test('negating a boolean flag that can only be turned on is the same as leaving it out', async () => {
  for (const no of [
    '--no-milestone',
    '--milestone=false',
    '--no-resume',
    '--restart=false',
    '--json=false',
  ]) {
    const ran = await dry(0, id, '--title', 'x', no);
    assert.match(ran.output, /\?title=x\n/);
  }
  const sent = await run(['task', 'update', id, '--title', 'x', '--dry-run', '--json=true'], { environment });
  assert.equal(JSON.parse(sent.output).method, 'PUT');
  const wrong = await run(['task', 'update', id, '--status', 'x', '--json=true'], { environment });
  assert.equal(JSON.parse(wrong.errors).error.code, 'usage');
});

test('a value that looks like a boolean flag is still a value', async () => {
  const ran = await dry(0, id, '--title', '--follow=true');
  assert.match(ran.output, /title=--follow%3Dtrue\n/);
  const title = await dry(0, id, '--title', 'true', '--description', 'false');
  assert.match(title.output, /title=true&description=false\n/);
});

test('a flag that is itself a negation takes no value', async () => {
  const ran = await run(['whoami', '--no-input=true'], { environment });
  assert.equal(ran.errors, 'wm: --no-input takes no value\n  Write --no-input.\n');
  assert.equal(ran.status, 2);
});
