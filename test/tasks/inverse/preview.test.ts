// The preview of `wm task undo` on a terminal: every field that it restores, and what it cannot restore. test/transcript/task-undo-preview.txt
// shows it in a pipe.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { sample } from '#emulator/state/sample-ids.ts';
import { call } from '#test/support/service/start-emulator.ts';
import { openInProcess } from '#test/support/terminal/in-process.ts';
import { setStage } from '#test/support/terminal/stage.ts';
import { key, skip } from '#test/support/terminal/terminal.ts';

const id = sample.task;

/** Nearly all that an update can change. */
const flags = [
  ['--title', 'ours'],
  ['--description', 'ours'],
  ['--status', 'Completed'],
  ['--importance', 'High'],
  ['--dates', '{"start":"2026-12-01","due":"2026-12-04","duration":600,"workOnWeekends":true}'],
  ['--add-parents', sample.project],
  ['--remove-shareds', sample.bot],
  ['--add-responsibles', sample.ada],
  ['--remove-responsible-placeholders', sample.placeholder],
  ['--add-super-tasks', sample.milestone],
  ['--no-follow'],
  ['--metadata', 'source=ours'],
  ['--custom-field', 'Colours=ours'],
  ['--effort-mode', 'Basic'],
  ['--billing-type', 'NonBillable'],
  ['--work-schedule-id', sample.nightShift],
  ['--convert-to-custom-item-type', sample.storyType],
  ['--add-followers', sample.ben],
  ['--priority-after', sample.recurrent],
].flat();

/** A person sees names where programs see ids, and a duration in days and hours. */
const onTerminal: readonly RegExp[] = [
  /^title: +ours -> Write the launch page$/,
  /^description: +ours -> Three sections, <b>one<\/b> message\.$/,
  /^status: +Completed -> New \(Active\)$/,
  /^importance: +High -> Normal$/,
  /^dates: .*, 1d2h \(600 min\) -> .*, 5d \(2400 min\)$/,
  /^works on weekends: +true -> false$/,
  /^folders: +Website \(\S+\), Spring catalogue \(\S+PRJ\) -> Website \(\S+\)$/,
  /^shared with: +Ada Fields, Ben Okafor, \S+ -> Ada Fields, Ben Okafor, \S+, .*$/,
  /^assignees: +Ben Okafor, \S+, Ada Fields -> Ben Okafor, [^,]*$/,
  /^placeholders: +\(none\) -> IEAAAAAQNVAB5DEV$/,
  /^parent tasks: +IEAAAAAQKQAB5MIL -> \(none\)$/,
  /^followed by you: +false -> true$/,
  /^metadata: +source=ours -> source=import$/,
  /^custom fields: +Colours=ours.* -> .*Colours=Red and <b>gold<\/b>.*$/,
  /^effort: +\{.*Basic/,
  /^billing: +NonBillable -> Billable$/,
  /^work schedule: +IEAAAAAQMLAB5NGT -> IEAAAAAQMLAB5STD$/,
  /^Cannot be undone: the follower KUAABENQ: the service has no request that removes one$/,
  /^Cannot be undone: the place in the list: .*$/,
  /^Cannot be undone: the item type: there was none before, and no request removes it$/,
];

test('on a terminal shows all of that above the prompt; a no sends nothing', { skip }, async (context) => {
  const stage = await setStage(context);
  const wide = { columns: 250, environment: { NO_COLOR: '1' } };
  const quoted = flags.map((one) => `'${one}'`).join(' ');
  const update = openInProcess(context, stage, `wm task update ${id} ${quoted}`, wide);
  assert.equal(await update.ended, 0, update.text);
  // Without a request, ids stay ids; a duration is as readable as ever.
  const dry = openInProcess(context, stage, `wm task undo ${id} --dry-run`, wide);
  assert.equal(await dry.ended, 0, dry.text);
  assert.match(dry.text, /^dates: .*, 1d2h \(600 min\) -> .*, 5d \(2400 min\)$/m);
  assert.match(dry.text, /^assignees: +KUAABENQ, \w+, KUAAADAQ -> KUAABENQ, \w+$/m);
  const undo = openInProcess(context, stage, `wm task undo ${id}`, wide);
  const [shown] = await undo.shows(/[\s\S]*Undo the last update of ".+"\? \(y\/N\)/);
  const lines = shown.split('\n');
  for (const pattern of onTerminal)
    assert.ok(
      lines.some((line) => pattern.test(line)),
      `${pattern}\n${shown}`,
    );
  undo.type(key.enter);
  assert.equal(await undo.ended, 2);
  const { body } = await call(stage.emulator, 'GET', `/tasks/${id}`);
  assert.equal(body.data[0].title, 'ours');
});
