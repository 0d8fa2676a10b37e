// A name that is not found: the hint names the command that lists what there is, and that command works as it is printed.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { sample } from '#emulator/state/sample-ids.ts';
import { emulated } from '#test/support/program/emulated.ts';
import { printedCommand } from '#test/support/program/printed.ts';
import { call, query } from '#test/support/service/start-emulator.ts';

const update = ['task', 'update', sample.task];
const containing = 'To list the names that contain it: ';
const all = 'To list them all: ';

for (const [argv, before, finds] of [
  [[...update, '--custom-field', 'Chanels=Print'], all, sample.multiple],
  [[...update, '--custom-field', 'Channel=Print'], containing, sample.multiple],
  [[...update, '--custom-status', 'revie'], containing, sample.inReview],
  [[...update, '--custom-status', 'Publisht'], all, sample.published],
  [[...update, '--add-followers', 'Ben Okafo'], containing, sample.ben],
  [[...update, '--add-followers', 'bem@paper-lantern.example'], all, sample.ben],
  [['folder', 'list', '--folder', 'Websit'], containing, sample.folder],
  [['customfield', 'list', '--space', 'Stdio'], all, sample.space],
  [['webhook', 'list', '--folder', 'Salarie'], containing, sample.privateFolder],
  [
    ['webhook', 'create', 'https://hooks.example.com/a', '--events', 'TaskCustomFieldChanged'].concat(
      '--filter',
      'TaskCustomFieldChanged:customFields=Copie',
    ),
    containing,
    sample.numeric,
  ],
] as const) {
  test(`wm ${argv.join(' ')}`, async (context) => {
    const { wm } = await emulated(context);
    const { errors } = await wm(argv, { exit: 2 });
    const found = await wm(printedCommand(errors, before), { exit: 0 });
    assert.ok(found.output.includes(finds), found.output);
  });
}

test('quotes a text with spaces, quotes or a dash at its start', async (context) => {
  const { emulator, wm } = await emulated(context);
  const title = "--Ada's plans";
  await call(emulator, 'POST', `/folders/${sample.folder}/folders?${query({ title })}`);
  const { errors } = await wm(['folder', 'list', `--folder=${title.slice(0, -1)}`]);
  const { output } = await wm(printedCommand(errors, containing), { exit: 0 });
  assert.ok(output.includes(title), output);
});

test('an unknown id: the hint lists folders or spaces', async (context) => {
  const { wm } = await emulated(context);
  const missing = 'IEAAAAAQI5AB5XXX';
  for (const [argv, before, command] of [
    [['folder', 'list', '--folder', missing], 'To list the folders: ', ['folder', 'list']],
    [['workflow', 'list', '--space', missing], 'To list the spaces: ', ['space', 'list']],
  ] as const) {
    const { errors } = await wm(argv, { exit: 5 });
    assert.deepEqual(printedCommand(errors, before), command);
    await wm(command, { exit: 0 });
  }
});

test('many names and no close match: the hint is the list command', async (context) => {
  const { emulator, wm } = await emulated(context);
  for (let at = 0; at < 20; at++)
    await call(emulator, 'POST', `/folders/${sample.folder}/folders?${query({ title: `Area ${at}` })}`);
  const { errors } = await wm(['folder', 'list', '--folder', 'zzzzzzzz']);
  assert.match(errors, /None of the \d+ that you can see is similar\./);
  assert.deepEqual(printedCommand(errors, all), ['folder', 'list']);
});
