// The preview of `wm task undo`: every field that it restores, and what it cannot restore. Also with --dry-run, offline. In
// a pipe it never prompts.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { sample } from '#emulator/state/sample-ids.ts';
import { emulated } from '#test/support/program/emulated.ts';
import { call } from '#test/support/service/start-emulator.ts';
import { openInProcess } from '#test/support/terminal/in-process.ts';
import { setStage } from '#test/support/terminal/stage.ts';
import { key, skip } from '#test/support/terminal/terminal.ts';

const id = sample.task;

/** Nearly all that an update can change, and the lines of the preview. */
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

const restored: readonly RegExp[] = [
  /^ {2}title +ours -> Write the launch page$/,
  /^ {2}description +ours -> Three sections, <b>one<\/b> message\.$/,
  /^ {2}status +Completed -> Active$/,
  /^ {2}importance +High -> Normal$/,
  /^ {2}dates +Planned, 2026-12-01T09:00:00 to 2026-12-04T17:00:00, .* -> Planned, 2026-02-02T09:00:00 to 2026-02-06T17:00:00, .*$/,
  /^ {2}works on weekends +true -> false$/,
  /^ {2}folders +.*PRJ -> [^,]*$/,
  /^ {2}shared with +.* -> .*, KUAABOTQ$/,
  /^ {2}assignees +.*, KUAAADAQ -> [^,]*, [^,]*$/,
  /^ {2}placeholders +\(none\) -> IEAAAAAQNVAB5DEV$/,
  /^ {2}parent tasks +IEAAAAAQKQAB5MIL -> \(none\)$/,
  /^ {2}followed by you +false -> true$/,
  /^ {2}metadata +source=ours -> source=import$/,
  /^ {2}custom fields +.*TXT=ours.* -> .*TXT=Red and <b>gold<\/b>.*$/,
  /^ {2}custom status +\S+ -> IEAAAAAQJMAB5ACT$/,
  /^ {2}effort +\{.*Basic.* -> \{.*Flexible.*$/,
  /^ {2}billing +NonBillable -> Billable$/,
  /^ {2}work schedule +IEAAAAAQMLAB5NGT -> IEAAAAAQMLAB5STD$/,
  /^Cannot be undone: the follower KUAABENQ: the service has no request that removes one$/,
  /^Cannot be undone: the place in the list: .*$/,
  /^Cannot be undone: the item type: there was none before, and no request removes it$/,
];

function showsAll(text: string, patterns = restored): void {
  const lines = text.split('\n');
  for (const pattern of patterns)
    assert.ok(
      lines.some((line) => pattern.test(line)),
      `${pattern}\n${text}`,
    );
}

test('the preview has every field, and names the kind of what cannot be restored', async (context) => {
  const { wm, task } = await emulated(context);
  await wm(['task', 'update', id, ...flags, '--undoable'], { exit: 0 });
  const changed = await task(id);
  // Offline, of what the update left.
  const http = {
    send: async () => {
      throw new Error('nothing may be sent');
    },
  };
  const dry = await wm(['task', 'undo', id, '--dry-run'], { world: { http }, exit: 0 });
  showsAll(dry.errors);
  assert.match(dry.errors, /Dry run: nothing was sent\.\n$/);
  assert.match(dry.output, /^PUT \S+\?title=Write/);
  const json = await wm(['task', 'undo', id, '--dry-run', '--json'], { world: { http } });
  const { url, method } = JSON.parse(json.output);
  assert.equal(method, 'PUT');
  assert.deepEqual(JSON.parse(new URL(url).searchParams.get('dates') ?? ''), {
    type: 'Planned',
    start: '2026-02-02T09:00:00',
    due: '2026-02-06T17:00:00',
    duration: 2400,
    workOnWeekends: false,
  });
  // In a pipe nothing waits for an answer, and nothing is sent without one.
  for (const more of [[], ['--no-input']]) {
    const asked = await wm(['task', 'undo', id, '--verbose', ...more], { exit: 2 });
    showsAll(asked.errors);
    assert.match(asked.errors, /--yes/);
    assert.doesNotMatch(asked.errors, /^PUT /m);
  }
  assert.deepEqual(await task(id), changed);
  const undone = await wm(['task', 'undo', id, '--yes'], { exit: 0 });
  showsAll(undone.errors);
  const quiet = await wm(['task', 'undo', id, '--yes', '--quiet'], { exit: 0 });
  assert.equal(quiet.errors, '');
});

test('an effort with the mode None is set again; the help names what cannot be restored', async (context) => {
  const { wm } = await emulated(context);
  const effort = ['task', 'update', sample.backlog, '--effort-mode', 'Basic', '--undoable'];
  await wm(effort, { exit: 0 });
  await wm(['task', 'undo', sample.backlog, '--yes'], { exit: 0 });
  const { output } = await wm(['task', 'get', sample.backlog, '--fields', 'effortAllocation', '--json']);
  assert.equal(JSON.parse(output).effortAllocation.mode, 'None');
  const { output: help } = await wm(['task', 'undo', '--help', 'all']);
  for (const kind of [
    'followers',
    'place in the list',
    'recycle bin',
    'effort',
    'work schedule',
    'item type',
  ])
    assert.match(help.replace(/\s+/g, ' '), new RegExp(kind));
});

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
  ...restored.filter(({ source }) => source.startsWith('^Cannot')),
];

test('on a terminal shows all of that above the prompt; a no sends nothing', {
  skip,
}, async (context) => {
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
  showsAll(shown, onTerminal);
  undo.type(key.enter);
  assert.equal(await undo.ended, 2);
  const { body } = await call(stage.emulator, 'GET', `/tasks/${id}`);
  assert.equal(body.data[0].title, 'ours');
});
