// The record of a task field by field, titles of tasks and folders, and the additional fields of parameterised events.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { control, settled } from '#test/support/service/control.ts';
import { invalid, outcome, records } from '#test/support/service/records.ts';
import { call, query, started } from '#test/support/service/start-emulator.ts';
import { payloadFields } from '../witness/events.ts';
import { receiving } from './dispatch/receiver.ts';
import { shows } from './shows.ts';

const folder = 'IEAAAAAQI4AB5FLD';
const project = 'IEAAAAAQI4AB5PRJ';

test('a task record has every field of the contract, with its value', async (t) => {
  const emulator = await started(t);
  const fields = [
    ...'billingType workScheduleId effortAllocation responsiblePlaceholderIds attachmentCount'.split(' '),
    ...['recurrent', 'cascadingFieldSettings', 'finance'],
  ];
  const read = async (id: string) => (await records(emulator, 'GET', `/tasks/${id}?${query({ fields })}`))[0];
  assert.deepEqual(await read('IEAAAAAQKQAB5BNG'), {
    id: 'IEAAAAAQKQAB5BNG',
    accountId: 'IEAAAAAQ',
    title: 'Write the launch page',
    description: 'Three sections, <b>one</b> message.',
    briefDescription: 'Three sections, one message.',
    status: 'Active',
    importance: 'Normal',
    customStatusId: 'IEAAAAAQJMAB5ACT',
    scope: 'WsTask',
    createdDate: '2026-01-05T09:00:00Z',
    updatedDate: '2026-01-05T09:00:00Z',
    dates: { type: 'Planned', start: '2026-02-02T09:00:00', due: '2026-02-06T17:00:00', duration: 2400 },
    parentIds: [folder],
    superParentIds: [],
    superTaskIds: [],
    subTaskIds: ['IEAAAAAQKQAB5SUB'],
    dependencyIds: ['IEAAAAAQIUAB5DEP'],
    authorIds: ['KUAAADAQ'],
    responsibleIds: ['KUAABENQ'],
    sharedIds: ['KUAAADAQ', 'KUAABENQ', 'KUAABOTQ'],
    followerIds: ['KUAAADAQ'],
    followedByMe: true,
    hasAttachments: false,
    attachmentCount: 0,
    priority: '018000000000000000000000',
    permalink: `${emulator.authUrl}/open.htm?id=1002000294`,
    metadata: [{ key: 'source', value: 'import' }],
    customFields: [
      { id: 'IEAAAAAQJUAB5TXT', value: 'Red and <b>gold</b>' },
      { id: 'IEAAAAAQJUAB5DRP', value: 'High' },
      { id: 'IEAAAAAQJUAB5MUL', value: '["Print","Web"]' },
    ],
    cascadingFieldSettings: [
      {
        fieldId: 'IEAAAAAQJUAB5TXT',
        systemField: false,
        enabledBy: 'KUAAADAQ',
        enabledAt: '2026-01-05T09:00:00Z',
      },
    ],
    finance: { plannedCost: 0, plannedFees: 0, actualFees: 0, actualCost: 0, currency: 'Euro' },
    billingType: 'Billable',
    workScheduleId: 'IEAAAAAQMLAB5STD',
    effortAllocation: {
      mode: 'Flexible',
      totalEffort: 960,
      allocatedEffort: 480,
      responsibleAllocation: [
        { userId: 'KUAABENQ', dailyAllocation: [{ date: '2026-02-02', effortMinutes: 480 }] },
      ],
    },
    responsiblePlaceholderIds: ['IEAAAAAQNVAB5DEV'],
  });
  // Those that not every task has.
  assert.equal((await read('IEAAAAAQKQAB5BUG')).customItemTypeId, 'IEAAAAAQPIAB5BUG');
  assert.ok(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/.test((await read('IEAAAAAQKQAB5DON')).completedDate));
  assert.equal((await read('IEAAAAAQKQAB5REC')).recurrent, true);
  const image = await read('IEAAAAAQKQAB5IMG');
  assert.deepEqual([image.hasAttachments, image.attachmentCount], [true, 1]);
  assert.equal((await read('IEAAAAAQKQAB5BIN')).scope, 'RbTask');
  assert.deepEqual((await read('IEAAAAAQKQAB5SUB')).superParentIds, [folder]);
  assert.equal((await fetch(`${emulator.authUrl}/open.htm?id=1002000294`)).status, 200);
});

test('a task or folder title has up to 1,000 characters', async (t) => {
  const emulator = await started(t);
  for (const what of ['tasks', 'folders'])
    for (const [length, expected] of [
      [1_000, [200, undefined]],
      [1_001, [400, 'invalid_parameter']],
    ] as const) {
      const form = { title: 'x'.repeat(length) };
      assert.deepEqual(await outcome(emulator, 'POST', `/folders/${folder}/${what}`, { form }), expected);
    }
});

async function hooking(t: Parameters<typeof started>[0]) {
  const emulator = await started(t, { allowLocalHooks: true });
  const receiver = await receiving(t);
  const hook = async (parameters: object) => {
    const { status, body } = await call(emulator, 'POST', '/webhooks', {
      json: { hookUrl: receiver.url, ...parameters },
    });
    return { status, id: body.data?.[0]?.id, error: body.error };
  };
  const emit = async (payload: object) => {
    const before = receiver.received.length;
    await control(emulator, 'POST', '/events', payload);
    await settled(emulator);
    return receiver.received.slice(before).map(({ events }) => events[0]);
  };
  return { hook, emit };
}

test('fields adds each allowed name to the payload, of a task and of a folder, and no other', async (t) => {
  shows('payload-field-members', 'default');
  const { hook, emit } = await hooking(t);
  const namesOf = (subject: 'task' | 'folder') =>
    payloadFields.filter(({ subjects }) => subjects.includes(subject)).map(({ name }) => name);
  await hook({
    parameterisedEvents: [
      { event: 'TaskTitleChanged', fields: namesOf('task') },
      { event: 'FolderTitleChanged', fields: namesOf('folder') },
    ],
  });
  const [task] = await emit({ eventType: 'TaskTitleChanged', taskId: 'IEAAAAAQKQAB5BNG' });
  assert.deepEqual(task.fields, {
    title: 'Write the launch page',
    responsibleIds: ['KUAABENQ', 'KXAAINVQ'],
    responsiblePlaceholderIds: ['IEAAAAAQNVAB5DEV'],
    status: 'Active',
    dates: {
      type: 'Planned',
      startDate: '2026-02-02T09:00:00',
      dueDate: '2026-02-06T17:00:00',
      duration: 2400,
    },
    customStatusId: 'IEAAAAAQJMAB5ACT',
    recurrence: false,
    dependencyIds: ['IEAAAAAQIUAB5DEP'],
    customFields: [
      { id: 'IEAAAAAQJUAB5TXT', value: 'Red and <b>gold</b>' },
      { id: 'IEAAAAAQJUAB5DRP', value: 'High' },
      { id: 'IEAAAAAQJUAB5MUL', value: '["Print","Web"]' },
    ],
    customItemTypeId: null,
  });
  const [bug] = await emit({ eventType: 'TaskTitleChanged', taskId: 'IEAAAAAQKQAB5BUG' });
  assert.equal(bug.fields.customItemTypeId, 'IEAAAAAQPIAB5BUG');
  const [folderEvent] = await emit({ eventType: 'FolderTitleChanged', folderId: project });
  assert.deepEqual(Object.keys(folderEvent.fields).toSorted(), [
    'customFields',
    'customItemTypeId',
    'project',
    'title',
  ]);
  assert.deepEqual(Object.keys(folderEvent.fields.project).toSorted(), [
    'customStatusId',
    'endDate',
    'ownerIds',
    'startDate',
  ]);
  assert.deepEqual(folderEvent.fields.project.ownerIds, ['KUAAADAQ']);
  for (const [event, field] of [
    ['TaskTitleChanged', 'project'],
    ['FolderTitleChanged', 'responsibleIds'],
    ['TaskTitleChanged', 'permalink'],
  ]) {
    const { status, error } = await hook({ parameterisedEvents: [{ event, fields: [field] }] });
    assert.deepEqual([status, error], invalid, `${event} ${field}`);
  }
});

test('the filters customFields and recurrent, several entries with OR, and plain folders under customItemTypes', async (t) => {
  const { hook, emit } = await hooking(t);
  const custom = await hook({
    parameterisedEvents: [
      { event: 'FolderCustomFieldChanged', customFields: ['IEAAAAAQJUAB5NUM'] },
      { event: 'TaskCustomFieldChanged', customFields: ['IEAAAAAQJUAB5TXT', 'IEAAAAAQJUAB5DAT'] },
      { event: 'TaskCreated', recurrent: true },
      { event: 'TaskCreated', recurrent: false },
    ],
  });
  const typed = await hook({ customItemTypes: ['IEAAAAAQPIAB5CMP', 'IEAAAAAQPIAB5BUG'] });
  const receivedBy = async (payload: object) =>
    (await emit(payload)).map(({ webhookId }) => webhookId).toSorted();
  const both = [custom.id, typed.id].toSorted();
  for (const [eventType, customFieldId, expected] of [
    ['FolderCustomFieldChanged', 'IEAAAAAQJUAB5NUM', [custom.id]],
    ['FolderCustomFieldChanged', 'IEAAAAAQJUAB5TXT', []],
    ['TaskCustomFieldChanged', 'IEAAAAAQJUAB5TXT', [custom.id]],
    ['TaskCustomFieldChanged', 'IEAAAAAQJUAB5DAT', [custom.id]],
    ['TaskCustomFieldChanged', 'IEAAAAAQJUAB5NUM', []],
  ] as const) {
    assert.deepEqual(
      await receivedBy({ eventType, customFieldId }),
      expected,
      `${eventType} ${customFieldId}`,
    );
  }
  assert.deepEqual(await receivedBy({ eventType: 'TaskCreated', taskId: 'IEAAAAAQKQAB5REC' }), [custom.id]);
  assert.deepEqual(await receivedBy({ eventType: 'TaskCreated', taskId: 'IEAAAAAQKQAB5BUG' }), both);
  assert.deepEqual(await receivedBy({ eventType: 'FolderTitleChanged', folderId: folder }), []);
  assert.deepEqual(await receivedBy({ eventType: 'FolderTitleChanged', folderId: 'IEAAAAAQI5AB5SPC' }), []);
});
