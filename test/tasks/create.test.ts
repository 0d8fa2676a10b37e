// `wm task create`: every flag reaches the service under the name that a creation has for it; a lost response names what may be the
// task. test/transcript/create-invalid.txt shows what is never sent.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { taskCreateParameters } from '#contract/task-create.ts';
import { sample } from '#emulator/state/sample-ids.ts';
import { emulated } from '#test/support/program/emulated.ts';
import { run } from '#test/support/program/program.ts';
import { recordedLines } from '../local-records/history/recorded.ts';

const environment = { WM_TOKEN: 'token', WM_HOST: 'api.example.com' };

test('each parameter has a flag, and each flag is sent under its name', async () => {
  const effort = '{"mode":"Basic"}';
  const given: Readonly<Record<string, readonly [flag: string, sent: string]>> = {
    title: ['', 'a b+c&d=é"'],
    description: ['--description=<b>x</b>', '<b>x</b>'],
    status: ['--status=deferred', 'Deferred'],
    importance: ['--importance=High', 'High'],
    dates: ['--dates={"type":"Backlog"}', '{"type":"Backlog"}'],
    shareds: ['--shareds=KUAABENQ', '["KUAABENQ"]'],
    parents: [`--parents=${sample.project},https://x.example/open?id=F2`, `["${sample.project}","F2"]`],
    responsibles: ['--responsibles=KUAABENQ,KUAAADAQ', '["KUAABENQ","KUAAADAQ"]'],
    responsiblePlaceholders: ['--responsible-placeholders=IEAAAAAQPLAB5AAA', '["IEAAAAAQPLAB5AAA"]'],
    followers: ['--followers=KUAABENQ', '["KUAABENQ"]'],
    follow: ['--no-follow', 'false'],
    priorityBefore: ['--priority-before=T1', 'T1'],
    priorityAfter: ['--priority-after=T2', 'T2'],
    superTasks: ['--super-tasks=T3', '["T3"]'],
    metadata: ['--metadata=a=b', '[{"key":"a","value":"b"}]'],
    customFields: [`--custom-field=${sample.numeric}=12`, `[{"id":"${sample.numeric}","value":"12"}]`],
    customStatus: [`--custom-status=${sample.inReview}`, sample.inReview],
    effortAllocation: [`--effort-allocation=${effort}`, effort],
    billingType: ['--billing-type=NonBillable', 'NonBillable'],
    workScheduleId: ['--work-schedule-id=IEAAAAAQMLAB5STD', 'IEAAAAAQMLAB5STD'],
    withInvitations: ['--with-invitations', 'true'],
    plainTextCustomFields: ['--no-plain-text-custom-fields', 'false'],
    fields: ['--fields=billingType', '["billingType"]'],
  };
  assert.deepEqual(Object.keys(given), Object.keys(taskCreateParameters));
  const flags = Object.values(given).flatMap(([flag]) => (flag === '' ? [] : [flag]));
  const ran = await run(
    ['task', 'create', given['title']?.[1] ?? '', '--folder', sample.folder, ...flags, '--dry-run', '--json'],
    { environment },
  );
  assert.equal(ran.status, 0, ran.errors);
  const { method, url, body } = JSON.parse(ran.output);
  assert.equal(`${method} ${url}`, `POST https://api.example.com/api/v4/folders/${sample.folder}/tasks`);
  assert.deepEqual(
    [...new URLSearchParams(body)],
    Object.entries(given).map(([name, [, sent]]) => [name, sent]),
  );
});

test('a lost response: sends nothing again, names the task that may be the new one, exit 9', async (context) => {
  const stage = await emulated(context);
  const { wm, control } = stage;
  const create = () => wm(['task', 'create', "It's new", '--folder', sample.folder, '--json']);
  await control('faults', { request: 'createTask', cutAfter: 0, when: 'after' });
  const lost = await create();
  assert.equal(lost.status, 9, lost.errors);
  assert.equal(lost.output, '');
  const { message, hint } = JSON.parse(lost.errors).error;
  assert.match(message, /^The outcome of creating the task is unknown: the request was sent/);
  const list = await fetch(`${stage.emulator.baseUrl}/folders/${sample.folder}/tasks`, {
    headers: { Authorization: `Bearer ${stage.emulator.token}` },
  });
  const { data } = JSON.parse(await list.text());
  const made = data.filter(({ title }: { title: string }) => title === "It's new");
  assert.equal(made.length, 1);
  assert.ok(
    hint.includes(`One task has this title in the folder, created now or earlier: ${made[0].id} (`),
    hint,
  );
  assert.ok(hint.includes(`wm task list --folder ${sample.folder} --title 'It'\\''s new'`), hint);

  await control('faults', { request: 'createTask', cutAfter: 0, when: 'before' });
  await control('faults', { request: 'listFolderTasks', status: 503, times: 3 });
  const unseen = await create();
  assert.equal(unseen.status, 9);
  assert.match(JSON.parse(unseen.errors).error.hint, /^Look for it before you send it again: wm task list/);

  const outcomes = (await recordedLines(stage)).flatMap((line) => line['outcome'] ?? []);
  assert.deepEqual(outcomes, ['unknown', 'unknown']);
});
