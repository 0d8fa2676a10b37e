// Words of closed lists: taken ignoring case, sent in the service's own, and with a slip answered by what was meant. Free
// text and ids are never changed, and the service itself takes one case alone.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { sample } from '#emulator/state/sample-ids.ts';
import { emulated } from '#test/support/program/emulated.ts';
import { run } from '#test/support/program/program.ts';

const environment = { WM_TOKEN: 'token', WM_HOST: 'api.example.com' };
const id = 'IEAAAAAQKQAB5BNG';
const dry = (status: number, ...more: string[]) =>
  run(['task', 'update', id, ...more, '--dry-run', '--json'], { exit: status, environment });

for (const [argv, name, value] of [
  [['--status', 'completed'], 'status', 'Completed'],
  [['--status=DEFERRED'], 'status', 'Deferred'],
  [['--importance', 'hiGH'], 'importance', 'High'],
  [['--billing-type', 'nonbillable'], 'billingType', 'NonBillable'],
  [['--effort-mode', 'fulltime'], 'effortAllocation', '{"mode":"FullTime"}'],
  [['--effort-allocation', '{"mode":"none"}'], 'effortAllocation', '{"mode":"None"}'],
  [['--dates', '{"type":"BACKLOG","duration":60}'], 'dates', '{"type":"Backlog","duration":60}'],
  [['--title', 'x', '--fields', 'BillingType,workscheduleid'], 'fields', '["billingType","workScheduleId"]'],
  [['--title', 'x', '--fields', '["EFFORTallocation"]'], 'fields', '["effortAllocation"]'],
  // Nothing of this is one of a closed list.
  [['--title', 'completed'], 'title', 'completed'],
  [['--description', 'HIGH'], 'description', 'HIGH'],
  [
    ['--custom-field', 'IEAAAAAQJUAB5NUM=active'],
    'customFields',
    '[{"id":"IEAAAAAQJUAB5NUM","value":"active"}]',
  ],
  [['--metadata', 'status=active'], 'metadata', '[{"key":"status","value":"active"}]'],
  [['--add-parents', 'high'], 'addParents', '["high"]'],
  [['--priority-after', 'active'], 'priorityAfter', 'active'],
] as const) {
  test(`${argv.join(' ')} is sent as ${value}`, async () => {
    const ran = await dry(0, ...argv);
    assert.equal(new URL(JSON.parse(ran.output).url).searchParams.get(name), value);
  });
}

for (const [argv, meant] of [
  [['--status', 'Complete'], 'Completed'],
  [['--status', 'canceled'], 'Cancelled'],
  [['--importance', 'Hihg'], 'High'],
  [['--billing-type', 'billabel'], 'Billable'],
  [['--effort-mode', 'flexibel'], 'Flexible'],
  [['--dates', '{"type":"Mileston"}'], 'Milestone'],
  [['--fields', 'billing'], 'billingType'],
] as const) {
  test(`${argv.join(' ')}: did you mean ${meant}?`, async () => {
    const ran = await dry(2, ...argv);
    assert.ok(JSON.parse(ran.errors).error.message.endsWith(`; did you mean ${meant}?`), ran.errors);
  });
}

test('without a close match, lists all values and makes no suggestion', async () => {
  const { errors } = await dry(2, '--status', 'Purple');
  assert.equal(
    JSON.parse(errors).error.message,
    '--status: "Purple" is not one of Active, Deferred, Completed, Cancelled (custom statuses: --custom-status)',
  );
});

const create = 'webhook create http://hooks.example.com/';

test('events, scopes and causes: case does not matter', async (context) => {
  const { wm } = await emulated(context);
  for (const [typed, sent] of [
    ['--events taskcreated,TASKDELETED', /TaskCreated.*TaskDeleted/],
    ['--parameterised-events [{"event":"taskcreated","recurrent":true}]', /TaskCreated/],
  ] as const) {
    const { output } = await wm(`${create} --dry-run --json ${typed}`.split(' '), { exit: 0 });
    assert.match(JSON.parse(output).body, sent);
  }
  for (const typed of [
    'emulator emit commentadded',
    `emulator revoke Password-Reset --user ${sample.bot}`,
    `emulator token ${sample.ben} --scope WSREADONLY,default`,
  ])
    await wm(typed.split(' '), { exit: 0 });
});

for (const [typed, meant] of [
  [`${create} --events TaskCreate`, 'TaskCreated'],
  [`${create} --parameterised-events [{"event":"TaskTitelChanged"}]`, 'TaskTitleChanged'],
  [`emulator revoke passwort-reset --user ${sample.bot}`, 'password-reset'],
  [`emulator token ${sample.ben} --scope wsReadWrit`, 'wsReadWrite'],
] as const)
  test(`wm ${typed}: did you mean ${meant}?`, async () => {
    const { errors } = await run(typed.split(' '), { exit: 2, environment });
    assert.match(errors, new RegExp(`[Dd]id you mean ${meant}\\?`));
  });

test('in a row of a file', async (context) => {
  const { wm, task } = await emulated(context);
  const { backlog: id } = sample;
  const rows = (input: string, status = 0) =>
    wm(['task', 'update', '--from', '-', '--yes'], { exit: status, input });
  await rows(`id,status,importance\n${id},completed,LOW\n`);
  const { status, importance } = await task(id);
  assert.deepEqual([status, importance], ['Completed', 'Low']);
  await rows(JSON.stringify({ id, status: 'active', dates: { type: 'backlog' } }));
  assert.equal((await task(id)).status, 'Active');
  const slip = await rows(`id,status\n${id},Complete\n`, 2);
  assert.match(slip.errors, /did you mean Completed\?/);
});
