// `wm task undo` where the service does not show all of a task: what was not shown before cannot be restored, and undo says
// so; what is not shown now may have been changed by somebody else.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { sample } from '#emulator/state/sample-ids.ts';
import { emulated } from '#test/support/program/emulated.ts';
import { wordsOf } from '#test/support/program/printed.ts';
import { alteringTasks, type ShownTask, without } from '../altered-tasks.ts';

const id = sample.task;
const plan = '--start 2026-12-01 --due 2026-12-04';

const hidden: readonly [flags: string, before: (task: ShownTask) => ShownTask, cannot: string][] = [
  ['--title x', (task) => without(task, 'title'), 'the title: the service did not show it before'],
  [
    '--status Completed',
    (task) => without(task, 'status', 'customStatusId'),
    'the status: the service did not show it before',
  ],
  [plan, (task) => without(task, 'dates'), 'the dates: the service did not show them before'],
  [
    '--status Completed',
    (task) => ({ ...without(task, 'customStatusId'), status: 'OnHold' }),
    'the status: wm cannot set OnHold',
  ],
  [
    '--importance Low',
    (task) => ({ ...task, importance: 'Critical' }),
    'the importance: wm cannot set Critical',
  ],
  [
    plan,
    (task) => ({
      ...task,
      dates: { type: 'Recurring', start: '2026-02-02T09:00:00', due: '2026-02-06T17:00:00' },
    }),
    'the dates: wm cannot set Recurring, 2026-02-02T09:00:00 to 2026-02-06T17:00:00',
  ],
  [
    plan,
    (task) => ({ ...task, dates: { type: 'Milestone' } }),
    'the dates: the milestone showed no due date before',
  ],
  [
    plan,
    (task) => ({ ...task, dates: { type: 'Planned', due: '2026-02-06T17:00:00', duration: 2400 } }),
    'the dates: the service did not show all of them before',
  ],
  [
    plan,
    (task) => ({ ...task, dates: { type: 'Planned', start: '2026-02-02T09:00:00' } }),
    'the dates: the service did not show all of them before',
  ],
  [
    `--add-responsibles ${sample.ada}`,
    (task) => without(task, 'responsibleIds'),
    `the assignee ${sample.ada}: the service did not show the list before`,
  ],
  [
    '--metadata source=x',
    (task) => without(task, 'metadata'),
    'the metadata source: the service did not show it before',
  ],
  [
    '--custom-field Colours=x',
    (task) => without(task, 'customFields'),
    `the custom field ${sample.text}: the service did not show it before`,
  ],
];

for (const [flags, before, cannot] of hidden) {
  test(`not shown before the update: undo names ${cannot}`, async (context) => {
    const { wm, task } = await emulated(context);
    const http = alteringTasks((shown, { updates }) => (updates === 0 ? before(shown) : shown));
    await wm(['task', 'update', id, ...wordsOf(flags), '--undoable'], { world: { http }, exit: 0 });
    const changed = await task(id);
    for (const how of ['--dry-run', '--yes']) {
      const undone = await wm(['task', 'undo', id, how, '--verbose'], { exit: 2 });
      assert.deepEqual(
        undone.errors.match(/^Cannot be undone: .*$/gm),
        [`Cannot be undone: ${cannot}`],
        undone.errors,
      );
      assert.match(undone.errors, new RegExp(`No part of the last update of ${id} can be undone`));
      assert.doesNotMatch(undone.errors, /^PUT /m);
      assert.equal(undone.output, '');
    }
    assert.deepEqual(await task(id), changed);
  });
}

const restored: readonly [
  name: string,
  flags: string,
  shown: (task: ShownTask) => ShownTask,
  sent: readonly [name: string, value: string],
][] = [
  [
    'a status without a custom status',
    '--status Completed',
    (task) => without(task, 'customStatusId'),
    ['status', 'Active'],
  ],
  [
    'dates with a duration and no due date',
    '--start 2026-12-01 --duration 600',
    (task) => ({ ...task, dates: without(task['dates'], 'due') }),
    ['dates', '{"type":"Planned","start":"2026-02-02T09:00:00","duration":2400}'],
  ],
  [
    'dates without a duration',
    plan,
    (task) => ({ ...task, dates: without(task['dates'], 'duration') }),
    ['dates', '{"type":"Planned","start":"2026-02-02T09:00:00","due":"2026-02-06T17:00:00"}'],
  ],
];

for (const [name, flags, shown, sent] of restored) {
  test(`undo restores ${name} if the service shows nothing else`, async (context) => {
    const { wm, task } = await emulated(context);
    const before = await task(id);
    const setting = () => ({ world: { http: alteringTasks(shown) } });
    await wm(['task', 'update', id, ...wordsOf(flags), '--undoable'], { ...setting(), exit: 0 });
    const dry = await wm(['task', 'undo', id, '--dry-run', '--json']);
    assert.deepEqual([...new URL(JSON.parse(dry.output).url).searchParams], [sent]);
    await wm(['task', 'undo', id, '--yes'], { ...setting(), exit: 0 });
    const { status, dates } = await task(id);
    assert.deepEqual({ status, dates }, { status: before.status, dates: before.dates });
  });
}

test("if the service shows only a task's id, undo restores nothing, and says why", async (context) => {
  const { wm } = await emulated(context);
  const setting = () => ({ world: { http: alteringTasks((task) => ({ id: task['id'] })) } });
  const flags = [
    ['--title', 'x'],
    ['--description', 'x'],
    wordsOf(plan),
    ['--add-parents', sample.project],
    ['--remove-responsibles', sample.ben],
    ['--metadata', 'source=x'],
    ['--custom-field', 'Colours=x'],
    ['--add-followers', sample.ben],
  ].flat();
  await wm(['task', 'update', id, ...flags, '--undoable'], { ...setting(), exit: 0 });
  const dry = await wm(['task', 'undo', id, '--dry-run'], { exit: 2 });
  assert.deepEqual(
    dry.errors.match(/^Cannot be undone: .*$/gm)?.map((line) => line.slice(18)),
    [
      'the title: the service did not show it before',
      'the description: the service did not show it before',
      'the dates: the service did not show them before',
      `the folder ${sample.project}: the service did not show the list before`,
      `the assignee ${sample.ben}: the service did not show the list before`,
      `the follower ${sample.ben}: the service has no request that removes one`,
      'the metadata source: the service did not show it before',
      `the custom field ${sample.text}: the service did not show it before`,
    ],
  );
  const undone = await wm(['task', 'undo', id, '--yes', '--verbose'], { ...setting(), exit: 2 });
  assert.match(undone.errors, new RegExp(`Nothing to undo: ${id} is as it was before its last update`));
  assert.doesNotMatch(undone.errors, /^PUT /m);
});

test('what the service no longer shows is named, and not overwritten without --overwrite', async (context) => {
  const { wm } = await emulated(context);
  const flags = [
    ['--title', 'ours'],
    ['--status', 'Completed'],
    wordsOf(plan),
    ['--no-follow'],
    ['--billing-type', 'NonBillable'],
    ['--work-schedule-id', sample.nightShift],
    ['--effort-mode', 'Basic'],
  ].flat();
  await wm(['task', 'update', id, ...flags, '--undoable'], { exit: 0 });
  const http = () => alteringTasks((task) => ({ id: task['id'] }));
  const refused = await wm(['task', 'undo', id, '--yes', '--verbose'], { world: { http: http() }, exit: 2 });
  assert.match(refused.errors, new RegExp(`^Undo the update of \\S+Z: ${id}$`, 'm'));
  for (const line of [
    /^ {2}title +\(none\) -> Write the launch page$/m,
    /^ {2}status +\(none\) -> Active$/m,
    /^ {2}dates +\(none\) -> Planned, /m,
    /^ {2}works on weekends +\(none\) -> false$/m,
    /^ {2}followed by you +\(none\) -> true$/m,
    /^ {2}billing +\(none\) -> Billable$/m,
    /^ {2}work schedule +\(none\) -> IEAAAAAQMLAB5STD$/m,
    /^ {2}effort +\(none\) -> \{"mode":"Flexible",/m,
    /\btitle: ours after your update, \(none\) now\b/,
    /\bstatus: Completed \w+ after your update, \(none\) now\b/,
    /\beffort: \{"mode":"Basic".*?\} after your update, \(none\) now\b/,
    /\bfollowing: false after your update, \(none\) now\b/,
  ])
    assert.match(refused.errors, line);
  assert.doesNotMatch(refused.errors, /^PUT /m);
  await wm(['task', 'undo', id, '--yes', '--overwrite'], { exit: 0 });
});
