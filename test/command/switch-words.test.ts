// A switch says yes by its name, no by --no- before it, and takes true and false behind =. Every other word for yes or no
// is refused: as an operand it would be the id of a task, and the switch would say yes.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { run } from '../program.ts';

const environment = { WM_TOKEN: 'token', WM_HOST: 'api.example.com' };
const id = 'IEAAAAAQKQAB5BNG';
const dry = (...more: string[]) => run(['task', 'update', ...more, '--dry-run'], { environment });

for (const [more, said] of [
  [[id, '--follow=no'], '--follow: "no"'],
  [[id, '--follow=IEAAAAAQKQAB5MIL'], '--follow: "IEAAAAAQKQAB5MIL"'],
  [[id, '--follow='], '--follow: ""'],
  [['--restore=off', id], '--restore: "off"'],
  [[id, '--follow', 'no'], '--follow: "no"'],
  [['--follow', 'False', id], '--follow: "False"'],
  [[id, '--follow', '0'], '--follow: "0"'],
] as const) {
  test(`${more.join(' ')}: refused`, async () => {
    const ran = await dry(...more);
    assert.equal(ran.status, 2, ran.output);
    assert.equal(ran.output, '');
    const flag = said.slice(2, said.indexOf(':'));
    assert.equal(
      ran.errors,
      `wm: ${said} is not true or false\n  Write --${flag} for yes, and --no-${flag} for no.\n`,
    );
  });
}

test('what comes behind a switch is an operand still', async () => {
  for (const [more, value] of [
    [['--follow', id], true],
    [['--follow', 'false', id], false],
    [[id, '--no-follow'], false],
    [[id, '--follow=true'], true],
  ] as const) {
    const ran = await dry(...more);
    assert.equal(ran.status, 0, ran.errors);
    assert.match(ran.output, new RegExp(`/tasks/${id}\\?follow=${value}\n`));
  }
});
