// Words of closed lists: taken ignoring case, sent in the service's own, and with a slip answered by what was meant. Free
// text and ids are never changed, and the service itself takes one case alone.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { sample } from '#emulator/state/sample-ids.ts';
import { emulated } from '#test/support/program/emulated.ts';
import { run } from '#test/support/program/program.ts';

const environment = { WM_TOKEN: 'token', WM_HOST: 'api.example.com' };
const id = 'IEAAAAAQKQAB5BNG';
const dry = (...more: string[]) =>
  run(['task', 'update', id, ...more, '--dry-run', '--json'], { environment });

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
    const ran = await dry(...argv);
    assert.equal(ran.status, 0, ran.errors);
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
    const ran = await dry(...argv);
    assert.equal(ran.status, 2, ran.output);
    assert.ok(JSON.parse(ran.errors).error.message.endsWith(`; did you mean ${meant}?`), ran.errors);
  });
}

test('without a close match, lists all values and makes no suggestion', async () => {
  const { errors } = await dry('--status', 'Purple');
  assert.equal(
    JSON.parse(errors).error.message,
    '--status: "Purple" is not one of Active, Deferred, Completed, Cancelled (custom statuses: --custom-status)',
  );
});

test('events, scopes and causes', async (context) => {
  const { wm } = await emulated(context);
  const created = await wm(
    [
      ...[
        'webhook',
        'create',
        'http://hooks.example.com/',
        '--events',
        'taskcreated,TASKDELETED',
        '--dry-run',
      ],
      ...['--json'],
    ],
    { status: 0 },
  );
  assert.match(JSON.parse(created.output).body, /TaskCreated.*TaskDeleted/);
  const parameterised = await wm([
    ...['webhook', 'create', 'http://hooks.example.com/', '--dry-run', '--json'],
    ...['--parameterised-events', '[{"event":"taskcreated","recurrent":true}]'],
  ]);
  assert.match(JSON.parse(parameterised.output).body, /TaskCreated/);
  const wrong = await wm(['webhook', 'create', 'http://hooks.example.com/', '--events', 'TaskCreate'], {
    status: 2,
  });
  assert.match(wrong.errors, /Did you mean TaskCreated\?/);
  const inJson = await wm([
    ...['webhook', 'create', 'http://hooks.example.com/'],
    ...['--parameterised-events', '[{"event":"TaskTitelChanged"}]'],
  ]);
  assert.match(inJson.errors, /did you mean TaskTitleChanged\?/);
  await wm(['emulator', 'emit', 'commentadded'], { status: 0 });
  await wm(['emulator', 'revoke', 'Password-Reset', '--user', sample.bot], { status: 0 });
  const cause = await wm(['emulator', 'revoke', 'passwort-reset', '--user', sample.bot]);
  assert.match(cause.errors, /did you mean password-reset\?/);
  await wm(['emulator', 'token', sample.ben, '--scope', 'WSREADONLY,default'], { status: 0 });
  const scope = await wm(['emulator', 'token', sample.ben, '--scope', 'wsReadWrit']);
  assert.match(scope.errors, /did you mean wsReadWrite\?/);
});

test('in a row of a file', async (context) => {
  const { wm, task } = await emulated(context);
  const rows = (input: string) => wm(['task', 'update', '--from', '-', '--yes'], { input });
  const csv = await rows(`id,status,importance\n${sample.backlog},completed,LOW\n`);
  assert.equal(csv.status, 0, csv.errors);
  assert.deepEqual(
    [(await task(sample.backlog)).status, (await task(sample.backlog)).importance],
    ['Completed', 'Low'],
  );
  const json = await rows(
    `${JSON.stringify({ id: sample.backlog, status: 'active', dates: { type: 'backlog' } })}\n`,
  );
  assert.equal(json.status, 0, json.errors);
  assert.equal((await task(sample.backlog)).status, 'Active');
  const slip = await rows(`id,status\n${sample.backlog},Complete\n`);
  assert.equal(slip.status, 2);
  assert.match(slip.errors, /did you mean Completed\?/);
});
