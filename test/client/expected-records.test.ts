// A response with other records than the request names, and new records that are not as they were sent.

import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { ExactNumber, formatJson } from '#contract/json.ts';
import { sample } from '#emulator/state/sample-ids.ts';
import { createTestClock } from '#test/support/clock.ts';
import { emulated } from '#test/support/program/emulated.ts';
import { jsonReply } from '#test/support/service/raw-server.ts';
import { ask, hook, hookId, taskId } from '#test/support/service/scripted-service.ts';

const other = { id: sample.milestone, title: 'x' };
const own = { id: taskId, title: 'x' };
const tasks = (...data: readonly object[]) => jsonReply(200, { kind: 'tasks', data });

for (const data of [[other], [own, other], [other, own], []]) {
  const described = data.map(({ id }) => (id === taskId ? 'the task' : 'another')).join(' and ') || 'no task';

  test(`an update whose response has ${described} has an unknown outcome`, async () => {
    for (const argv of [
      ['task', 'update', taskId, '--title', 'x'],
      ['api', 'PUT', `/tasks/${taskId}`, '-f', 'title=x', '--yes'],
    ]) {
      const { status, output, errors } = await ask(argv, [tasks(...data)]);
      assert.deepEqual([status, output], [9, ''], errors);
      assert.match(errors, /expected the record IEAAAAAQKQAB5BNG, got (another|\d records)$/m);
    }
  });

  test(`a read whose response has ${described} is an error`, async () => {
    for (const argv of [
      ['task', 'get', taskId],
      ['api', 'GET', `/tasks/${taskId}`],
    ]) {
      const { status, errors } = await ask(argv, [tasks(...data)]);
      assert.equal(status, 1, errors);
      assert.match(errors, /expected the record IEAAAAAQKQAB5BNG, got (another|\d records)$/m);
    }
  });
}

test('rows whose response has another task have an unknown outcome', async () => {
  const input = `id,title\n${taskId},x\n${sample.backlog},x\n`;
  const ran = await ask(['task', 'update', '--from', '-', '--yes'], [tasks(other)], {
    input,
    clock: createTestClock(),
  });
  assert.equal(ran.status, 8, ran.errors);
  assert.match(ran.errors, /^0 of 2 rows updated .*, 2 unknown$/m);
});

test('with several ids, names the ones missing from the response', async () => {
  const some = [tasks(own, other)];
  const got = await ask(['task', 'get', taskId, sample.backlog], some);
  assert.equal(got.status, 5, got.errors);
  assert.match(got.errors, /^wm: 1 of 2 tasks was not found: IEAAAAAQKQAB5BLG$/m);
  assert.ok(got.output.startsWith(taskId) && !got.output.includes(other.id), got.output);
  const raw = await ask(['api', 'GET', `/tasks/${taskId},${sample.backlog}`], some);
  assert.equal(raw.status, 5, raw.errors);
  assert.match(raw.errors, /^wm: The response of the service does not contain IEAAAAAQKQAB5BLG$/m);
});

test('wm api accepts any record for a path outside the contract', async () => {
  for (const argv of [
    ['api', 'GET', '/approvals/A'],
    ['api', 'PUT', '/bookings/A', '--yes'],
    ['api', 'GET', '/tasks/A/comments'],
  ]) {
    const { status, errors } = await ask(argv, [tasks(other)]);
    assert.equal(status, 0, errors);
  }
});

const url = 'https://example.com/hook';
const comment = { id: 'IEAAAAAQIMAAAAAA', taskId, authorId: 'KUAAADAQ' };
const timelog = { id: 'IEAAAAAQJEAAAAAA', taskId, userId: 'KUAAADAQ', hours: 1.5, trackedDate: '2026-01-05' };
const add = ['timelog', 'add', taskId, '--hours', '1.5', '--date', '2026-01-05'];
const folder = ['--folder', sample.folder];

for (const [argv, kind, record, names] of [
  [['webhook', 'create', url], 'webhooks', hook, ''],
  [['webhook', 'create', url], 'webhooks', { ...hook, hookUrl: 'HTTPS://Example.com:443/hook' }, ''],
  [['webhook', 'create', url], 'webhooks', { id: hookId }, ''],
  [['webhook', 'create', url], 'webhooks', { ...hook, hookUrl: `${url}s` }, 'hookUrl'],
  [
    ['webhook', 'create', url, ...folder],
    'webhooks',
    { ...hook, folderId: sample.subfolder, hookUrl: `${url}s` },
    'hookUrl, folderId',
  ],
  [['task', 'create', 'cafe\u0301  x', ...folder], 'tasks', { id: taskId, title: 'caf\u00e9 x' }, ''],
  [['task', 'create', 'y', ...folder], 'tasks', own, 'title'],
  [['folder', 'create', 'y', ...folder], 'folders', { id: sample.subfolder, title: 'x' }, 'title'],
  [
    ['task', 'comment', taskId, "it's @ 😀 1"],
    'comments',
    { ...comment, text: 'it&#39;s &#64; &#x1f600; 1' },
    '',
  ],
  [
    ['task', 'comment', taskId, '\u{20bb7} \u00e9'],
    'comments',
    { ...comment, text: '&#x20bb7; &eacute;' },
    '',
  ],
  [['task', 'comment', taskId, '\u{20bb7}'], 'comments', { ...comment, text: '&#x20bb6;' }, 'text'],
  ...(
    [
      ['2026-10-12', '2026-10-12', ''],
      ['2026-10-12', '2026-10-11', ''],
      ['2026-10-13', '2026-10-13', 'dates'],
    ] as const
  ).map(
    ([start, due, differs]) =>
      [
        ['task', 'create', 'x', ...folder, '--start', '2026-10-10', '--due', '2026-10-11'],
        'tasks',
        { id: taskId, title: 'x', dates: { start: `${start}T09:00:00`, due: `${due}T17:00:00` } },
        differs,
      ] as const,
  ),
  [['task', 'comment', taskId, '<b>x</b>y', '--html'], 'comments', { ...comment, text: 'y' }, ''],
  [['task', 'comment', taskId, 'a'], 'comments', { ...comment, text: 'b' }, 'text'],
  [['task', 'comment', taskId, 'a'], 'comments', { ...comment, taskId: sample.bug, text: 'a' }, 'taskId'],
  [add, 'timelogs', timelog, ''],
  [add, 'timelogs', { ...timelog, hours: 2 }, 'hours'],
  [add, 'timelogs', { ...timelog, hours: new ExactNumber('1.50') }, ''],
] as const) {
  const difference = names === '' ? 'no difference' : `another ${names}`;
  test(`wm ${argv.join(' ')}: the new record ${JSON.stringify(record)} shows ${difference}`, async () => {
    const ran = await ask(argv, (request) =>
      request.startsWith('POST') ? jsonReply(200, formatJson({ kind, data: [record] })) : tasks(),
    );
    assert.equal(ran.status, 0, ran.errors);
    const warned = /^The new record (\w+) does not show (.*) as sent\. Check whether it is the right one\.$/m;
    assert.deepEqual(warned.exec(ran.errors)?.slice(1) ?? [], names === '' ? [] : [record.id, names]);
  });
}

test('an attachment with another name', async (context) => {
  const { folder: place } = await emulated(context);
  const path = join(place, 'plan.txt');
  await writeFile(path, 'x');
  for (const name of ['plan.txt', 'other.txt']) {
    const data = [{ id: 'IEAAAAAQIYAAAAAA', taskId, name }];
    const replies = [jsonReply(200, { kind: 'attachments', data })];
    const ran = await ask(['task', 'attach', taskId, path], replies, { clock: createTestClock() });
    assert.equal(ran.status, 0, ran.errors);
    assert.equal(ran.errors.includes('does not show file as sent'), name !== 'plan.txt', ran.errors);
  }
});

test('a create whose response has two records has an unknown outcome', async () => {
  const { status, errors } = await ask(['task', 'create', 'x', ...folder], (request) =>
    request.startsWith('POST') ? tasks(own, other) : tasks(),
  );
  assert.equal(status, 9, errors);
  assert.match(errors, /expected one record, got 2 records/);
});
