// The effect of each parameter of a task update, over HTTP. The expectations come from the contract.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { taskRecord } from '#contract/task.ts';
import { readSeed } from '#emulator/seed/parse-seed.ts';
import { control } from '#test/support/service/control.ts';
import { outcome, records, valuesOf } from '#test/support/service/records.ts';
import { call, query, rejectedUpdate, started, update } from '#test/support/service/start-emulator.ts';
import { taskUpdateLines } from '#test/witness/task-update.ts';

const task = 'IEAAAAAQKQAB5BNG';
const ada = 'KUAAADAQ';
const ben = 'KUAABENQ';
const invitation = 'KXAAINVQ';

test('title, importance and description are set, and the response is a task record', async (t) => {
  const emulator = await started(t);
  const { status, headers, body } = await call(
    emulator,
    'PUT',
    `/tasks/${task}?title=a%20b%2Bc&importance=High&description=${encodeURIComponent('<b>x</b><script>y</script>')}`,
  );
  assert.equal(status, 200);
  assert.equal(headers.get('content-type'), 'application/json;charset=utf-8');
  assert.deepEqual(Object.keys(body), ['kind', 'data']);
  assert.equal(body.kind, 'tasks');
  assert.equal(body.data.length, 1);
  const record = taskRecord.validate(body.data[0]);
  assert.equal(record.id, task);
  assert.equal(record.title, 'a b+c');
  assert.equal(record.importance, 'High');
  assert.equal(record.description, '<b>x</b>');
  assert.equal(record.briefDescription, 'x');
  assert.equal(record.updatedDate, '2026-03-02T12:00:00Z');
  const read = await call(emulator, 'GET', `/tasks/${task}?fields=["attachmentCount"]`);
  assert.deepEqual(read.body.data, body.data);
});

test('every parameter changes the task as the witness says', async (t) => {
  const emulator = await started(t);
  for (const { parameter, query: pair, also, shows } of taskUpdateLines.filter((line) => line.shows)) {
    const pairs = [pair, also].filter((part) => part !== undefined).join('&');
    const { status, body } = await call(emulator, 'PUT', `/tasks/${task}?${pairs}`);
    assert.equal(status, 200, parameter);
    const read = (await records(emulator, 'GET', `/tasks/${task}`))[0];
    for (const record of [body.data[0], read]) assert.deepEqual({ ...record, ...shows }, record, pair);
  }
});

test('a plus in a query is a space', async (t) => {
  const emulator = await started(t);
  const { body } = await call(emulator, 'PUT', `/tasks/${task}?title=a+b`);
  assert.equal(body.data[0].title, 'a b');
});

test('status changes between all four values, and completing sets a date', async (t) => {
  const emulator = await started(t);
  for (const status of ['Completed', 'Cancelled', 'Deferred', 'Active']) {
    assert.equal((await update(emulator, { status })).status, status);
  }
  assert.equal((await update(emulator, { status: 'Completed' })).completedDate, '2026-03-02T12:00:00Z');
  const again = await update(emulator, { customStatus: 'IEAAAAAQJMAB5REV' });
  assert.deepEqual([again.status, again.completedDate], ['Active', undefined]);
  const record = await update(emulator, { status: 'Completed' });
  // The first status of that group in the workflow that the task was in.
  assert.equal(record.customStatusId, 'IEAAAAAQJMAB5PUB');
});

test('completing a task again keeps its completion date', async (t) => {
  const emulator = await started(t);
  await update(emulator, { status: 'Completed' });
  await control(emulator, 'POST', '/clock', { advanceSeconds: 86_400 });
  const published = { customStatus: 'IEAAAAAQJMAB5PUB' };
  for (const again of [{ status: 'Completed' }, published])
    assert.equal((await update(emulator, again)).completedDate, '2026-03-02T12:00:00Z');
});

test('parents, shares, assignees, followers', async (t) => {
  const emulator = await started(t);
  const folder = 'IEAAAAAQI4AB5FLD';
  const project = 'IEAAAAAQI4AB5PRJ';
  const subfolder = 'IEAAAAAQI4AB5SUB';
  assert.deepEqual((await update(emulator, { addParents: [project, subfolder] })).parentIds, [
    folder,
    project,
    subfolder,
  ]);
  assert.deepEqual((await update(emulator, { removeParents: [folder, subfolder] })).parentIds, [project]);
  assert.deepEqual((await update(emulator, { removeShareds: [ben] })).sharedIds, [ada, 'KUAABOTQ']);
  assert.deepEqual((await update(emulator, { addShareds: [ben] })).sharedIds, [ada, 'KUAABOTQ', ben]);
  assert.deepEqual((await update(emulator, { addResponsibles: [ada] })).responsibleIds, [ben, ada]);
  assert.deepEqual((await update(emulator, { removeResponsibles: [ben] })).responsibleIds, [ada]);
  assert.deepEqual((await update(emulator, { addFollowers: [ben] })).followerIds, [ada, ben]);
  const unfollowed = await update(emulator, { follow: false });
  assert.deepEqual([unfollowed.followerIds, unfollowed.followedByMe], [[ben], false]);
  const followed = await update(emulator, { follow: true });
  assert.deepEqual([followed.followerIds, followed.followedByMe], [[ben, ada], true]);
});

test('withInvitations shows invitations among shares and assignees', async (t) => {
  const emulator = await started(t);
  const without = await update(emulator, {});
  assert.deepEqual([without.responsibleIds, without.sharedIds], [[ben], [ada, ben, 'KUAABOTQ']]);
  const shown = await update(emulator, { withInvitations: true });
  assert.deepEqual(
    [shown.responsibleIds, shown.sharedIds],
    [
      [ben, invitation],
      [ada, ben, 'KUAABOTQ', invitation],
    ],
  );
  const removed = await update(emulator, { removeResponsibles: [invitation], withInvitations: true });
  assert.deepEqual(removed.responsibleIds, [ben]);
});

test('optional fields are returned only on request', async (t) => {
  const emulator = await started(t);
  const plain = await update(emulator, {});
  for (const name of ['billingType', 'workScheduleId', 'effortAllocation', 'responsiblePlaceholderIds']) {
    assert.ok(!(name in plain), name);
  }
  const fields = ['billingType', 'workScheduleId', 'effortAllocation', 'responsiblePlaceholderIds'];
  const full = await update(emulator, {
    billingType: 'NonBillable',
    workScheduleId: 'IEAAAAAQMLAB5NGT',
    effortAllocation: { mode: 'FullTime', totalEffort: 120 },
    addResponsiblePlaceholders: ['IEAAAAAQNVAB5DES'],
    removeResponsiblePlaceholders: ['IEAAAAAQNVAB5DEV'],
    fields,
  });
  taskRecord.validate(full);
  assert.equal(full.billingType, 'NonBillable');
  assert.equal(full.workScheduleId, 'IEAAAAAQMLAB5NGT');
  assert.equal(full.effortAllocation.mode, 'FullTime');
  assert.equal(full.effortAllocation.totalEffort, 120);
  assert.deepEqual(full.responsiblePlaceholderIds, ['IEAAAAAQNVAB5DES']);
  const task = await update(emulator, { fields: ['billingType'] });
  assert.equal(task.billingType, 'NonBillable');
  assert.ok(!('workScheduleId' in task));
  assert.deepEqual(
    await rejectedUpdate(emulator, { fields: ['title'] }).then(({ status, error }) => [status, error]),
    [400, 'invalid_parameter'],
  );
});

test('setResponsibleAllocation updates the allocation of one assignee and leaves the others', async (t) => {
  const emulator = await started(t);
  const { effortAllocation } = await update(emulator, {
    setResponsibleAllocation: [{ userId: ada, dailyAllocation: [{ date: '2026-02-03', effortMinutes: 60 }] }],
    fields: ['effortAllocation'],
  });
  assert.deepEqual(effortAllocation, {
    mode: 'Flexible',
    totalEffort: 960,
    allocatedEffort: 540,
    responsibleAllocation: [
      { userId: ben, dailyAllocation: [{ date: '2026-02-02', effortMinutes: 480 }] },
      { userId: ada, dailyAllocation: [{ date: '2026-02-03', effortMinutes: 60 }] },
    ],
  });
  const both = await rejectedUpdate(emulator, {
    setResponsibleAllocation: [{ userId: ada, placeholderId: 'IEAAAAAQNVAB5DES', dailyAllocation: [] }],
  });
  assert.deepEqual([both.status, both.error], [400, 'invalid_parameter']);
});

test('priorityBefore and priorityAfter move the task in the list', async (t) => {
  const emulator = await started(t);
  const ids = async () => valuesOf(await records(emulator, 'GET', '/tasks'), 'id');
  assert.deepEqual((await ids()).slice(0, 4), [
    task,
    'IEAAAAAQKQAB5SUB',
    'IEAAAAAQKQAB5MIL',
    'IEAAAAAQKQAB5BLG',
  ]);
  await update(emulator, { priorityAfter: 'IEAAAAAQKQAB5MIL' });
  assert.deepEqual((await ids()).slice(0, 4), [
    'IEAAAAAQKQAB5SUB',
    'IEAAAAAQKQAB5MIL',
    task,
    'IEAAAAAQKQAB5BLG',
  ]);
  await update(emulator, { priorityBefore: 'IEAAAAAQKQAB5SUB' });
  assert.deepEqual((await ids()).slice(0, 3), [task, 'IEAAAAAQKQAB5SUB', 'IEAAAAAQKQAB5MIL']);
  // More often than the bits of a number could halve the gap.
  for (let i = 0; i < 70; i++) {
    await update(emulator, { priorityBefore: 'IEAAAAAQKQAB5MIL' }, i % 2 === 0 ? task : 'IEAAAAAQKQAB5SUB');
    const last = i % 2 === 0 ? task : 'IEAAAAAQKQAB5SUB';
    assert.deepEqual((await ids()).slice(1, 3), [last, 'IEAAAAAQKQAB5MIL']);
  }
});

test('addSuperTasks and removeSuperTasks make and unmake a subtask', async (t) => {
  const emulator = await started(t);
  const parent = 'IEAAAAAQKQAB5BUG';
  const below = await update(emulator, { addSuperTasks: [parent] });
  assert.deepEqual(below.superTaskIds, [parent]);
  assert.deepEqual(below.superParentIds, ['IEAAAAAQI4AB5PRJ']);
  assert.deepEqual((await records(emulator, 'GET', `/tasks/${parent}`))[0].subTaskIds, [task]);
  assert.deepEqual((await update(emulator, { removeSuperTasks: [parent] })).superTaskIds, []);
  const loop = await rejectedUpdate(emulator, { addSuperTasks: ['IEAAAAAQKQAB5SUB'] });
  assert.deepEqual([loop.status, loop.error], [400, 'invalid_parameter']);
  // Two ways up to the same task: its folders are inherited once, and a loop is found on either.
  const [left, right, top] = ['IEAAAAAQKQAB5MIL', 'IEAAAAAQKQAB5BLG', parent];
  for (const id of [left, right]) await update(emulator, { addSuperTasks: [top] }, id);
  const diamond = await update(emulator, { addSuperTasks: [left, right] });
  assert.deepEqual(diamond.superTaskIds, [left, right]);
  assert.deepEqual(diamond.superParentIds.toSorted(), [
    'IEAAAAAQI4AB5FLD',
    'IEAAAAAQI4AB5PRJ',
    'IEAAAAAQI4AB5SUB',
  ]);
  const far = 'IEAAAAAQKQAB5DON';
  assert.deepEqual((await update(emulator, { addSuperTasks: [task] }, far)).superTaskIds, [task]);
  assert.deepEqual((await update(emulator, { addSuperTasks: [far] }, 'IEAAAAAQKQAB5DEF')).superTaskIds, [
    far,
  ]);
  for (const id of [top, left]) {
    const { description } = await rejectedUpdate(emulator, { addSuperTasks: [far] }, id);
    assert.match(description, /IEAAAAAQKQAB5DON is the task itself or one of its subtasks$/);
  }
});

test('metadata entries are set and removed; an empty value does not remove one', async (t) => {
  const emulator = await started(t);
  const set = await update(emulator, {
    metadata: [
      { key: 'a', value: '' },
      { key: 'b', value: '"1"' },
    ],
  });
  assert.deepEqual(set.metadata, [
    { key: 'source', value: 'import' },
    { key: 'a', value: '' },
    { key: 'b', value: '"1"' },
  ]);
  const removed = await update(emulator, {
    metadata: [
      { key: 'source', value: null },
      { key: 'b', value: null },
    ],
  });
  assert.deepEqual(removed.metadata, [{ key: 'a', value: '' }]);
});

test('custom fields are set and removed, by the rules of their types', async (t) => {
  const emulator = await started(t);
  const set = async (id: string, value: string | null) => {
    const { customFields } = await update(emulator, { customFields: [{ id, value }] });
    return customFields.find((field: { id: string }) => field.id === id)?.value;
  };
  assert.equal(await set('IEAAAAAQJUAB5TXT', 'tab\t"quoted" \\ '), 'tab\t"quoted" \\ ');
  assert.equal(await set('IEAAAAAQJUAB5TXT', ''), '');
  assert.equal(await set('IEAAAAAQJUAB5TXT', null), undefined);
  assert.equal(await set('IEAAAAAQJUAB5NUM', '12.5'), '12.5');
  assert.equal(
    await set('IEAAAAAQJUAB5MUL', '["Web","a, \\"quoted\\" one"]'),
    '["Web","a, \\"quoted\\" one"]',
  );
  assert.equal(await set('IEAAAAAQJUAB5CON', `${ada},${ben}`), `${ada},${ben}`);
  for (const value of ['true', 'false']) assert.equal(await set('IEAAAAAQJUAB5CHK', value), value);
  for (const [id, value] of [
    ['IEAAAAAQJUAB5NUM', 'twelve'],
    ['IEAAAAAQJUAB5DRP', 'Huge'],
    ['IEAAAAAQJUAB5MUL', 'Web'],
    ['IEAAAAAQJUAB5MUL', '["Radio"]'],
    ['IEAAAAAQJUAB5MUL', '["Web",7]'],
    ['IEAAAAAQJUAB5CON', 'KUAANONE'],
    ['IEAAAAAQJUAB5CHK', 'yes'],
    ['IEAAAAAQJUAB5DAT', '2026-02-30'],
    ['IEAAAAAQJUAB5TXT', 'a\u0000b'],
    ['IEAAAAAQJUAB5TXT', '\u0011b'],
    ['IEAAAAAQJUAB5TXT', 'x'.repeat(4001)],
    ['IEAAAAAQJUABNONE', 'x'],
  ]) {
    const { status, error, description } = await rejectedUpdate(emulator, { customFields: [{ id, value }] });
    assert.deepEqual([status, error], [400, 'invalid_parameter'], `${id} ${value}`);
    assert.match(description, /customFields/);
  }
  assert.equal(await set('IEAAAAAQJUAB5TXT', 'x'.repeat(4000)), 'x'.repeat(4000));
});

test('plainTextCustomFields strips tags from custom fields only', async (t) => {
  const emulator = await started(t);
  const { customFields, description } = await update(emulator, {
    plainTextCustomFields: true,
    customFields: [{ id: 'IEAAAAAQJUAB5TXT', value: 'Red and <b>gold</b>, 1 < 2' }],
  });
  assert.equal(customFields[0].value, 'Red and gold, 1 < 2');
  assert.equal(description, 'Three sections, <b>one</b> message.');
  const html = await update(emulator, { plainTextCustomFields: false });
  assert.equal(html.customFields[0].value, 'Red and <b>gold</b>, 1 < 2');
});

test('convertToCustomItemType accepts only task types', async (t) => {
  const emulator = await started(t);
  const record = await update(emulator, { convertToCustomItemType: 'IEAAAAAQPIAB5STO' });
  assert.equal(record.customItemTypeId, 'IEAAAAAQPIAB5STO');
  const project = await rejectedUpdate(emulator, { convertToCustomItemType: 'IEAAAAAQPIAB5CMP' });
  assert.deepEqual([project.status, project.error], [400, 'invalid_parameter']);
});

test('a deleted task can be restored, but not changed otherwise', async (t) => {
  const emulator = await started(t);
  const deleted = 'IEAAAAAQKQAB5BIN';
  const { body } = await call(emulator, 'GET', `/tasks/${deleted}`);
  assert.equal(body.data[0].scope, 'RbTask');
  const change = await rejectedUpdate(emulator, { title: 'x' }, deleted);
  assert.deepEqual([change.status, change.error], [403, 'access_forbidden']);
  const not = await rejectedUpdate(emulator, { restore: false, title: 'x' }, deleted);
  assert.deepEqual([not.status, not.error], [403, 'access_forbidden']);
  const alive = await update(emulator, {});
  assert.deepEqual(await update(emulator, { restore: true }), alive);
  const restored = await update(emulator, { restore: true, title: 'Back' }, deleted);
  assert.deepEqual(
    [restored.scope, restored.title, restored.parentIds],
    ['WsTask', 'Back', ['IEAAAAAQI4AB5FLD']],
  );
});

test('a rejected update changes nothing', async (t) => {
  const emulator = await started(t);
  const before = await update(emulator, {});
  await rejectedUpdate(emulator, { title: 'New', addParents: ['IEAAAAAQI7777776'] });
  assert.deepEqual(await update(emulator, {}), before);
});

test('rejects missing and forbidden values, and names the parameter', async (t) => {
  const emulator = await started(t);
  const cases: [Record<string, unknown>, number, string, RegExp][] = [
    [{ title: '' }, 400, 'invalid_parameter', /'title'/],
    [{ title: 'x'.repeat(1001) }, 400, 'invalid_parameter', /'title'.*1000/],
    [{ status: 'Done' }, 400, 'invalid_parameter', /'status'.*Active, Deferred, Completed, Cancelled/],
    [{ status: 'actif' }, 400, 'invalid_parameter', /'status'/],
    [{ importance: 'Medium' }, 400, 'invalid_parameter', /'importance'/],
    [{ addParents: ['IEAAAAAQI7777776'] }, 400, 'invalid_parameter', /'addParents'.*recycle bin/],
    [{ removeParents: ['IEAAAAAQI7777776'] }, 400, 'invalid_parameter', /'removeParents'.*recycle bin/],
    [{ addParents: ['NOSUCHFOLDER'] }, 400, 'invalid_parameter', /'addParents'/],
    [{ addParents: 'IEAAAAAQI4AB5PRJ,IEAAAAAQI4AB5FLD' }, 400, 'invalid_parameter', /'addParents'/],
    [{ addShareds: ['KUAANONE'] }, 400, 'invalid_parameter', /'addShareds'/],
    [{ addShareds: ['short'] }, 400, 'invalid_parameter', /'addShareds'/],
    [{ addFollowers: [invitation] }, 400, 'invalid_parameter', /'addFollowers'/],
    [{ follow: 'yes' }, 400, 'invalid_parameter', /'follow'/],
    [{ metadata: [{ key: 'a b', value: '' }] }, 400, 'invalid_parameter', /'metadata'/],
    [{ metadata: [{ key: 'k'.repeat(50), value: '' }] }, 400, 'invalid_parameter', /'metadata'/],
    [{ metadata: [{ key: 'k', value: 'v'.repeat(1000) }] }, 400, 'invalid_parameter', /'metadata'/],
    [
      { metadata: Array.from({ length: 101 }, (_, i) => ({ key: `${i}`, value: '' })) },
      400,
      'invalid_parameter',
      /100/,
    ],
    [{ customStatus: 'IEAAAAAQJMABNONE' }, 400, 'invalid_parameter', /'customStatus'/],
    [{ workScheduleId: 'IEAAAAAQMLABNONE' }, 400, 'invalid_parameter', /'workScheduleId'/],
    [{ billingType: 'Free' }, 400, 'invalid_parameter', /'billingType'/],
    [{ tilte: 'x' }, 400, 'invalid_parameter', /'tilte' is unknown/],
    [
      { priorityBefore: task },
      400,
      'invalid_parameter',
      /'priorityBefore'.*IEAAAAAQKQAB5BNG is the task itself/,
    ],
    [{ priorityAfter: 'IEAAAAAQKQABNONE' }, 400, 'invalid_parameter', /'priorityAfter'.*not a task of this/],
    [
      { addSuperTasks: ['IEAAEUAQKQAB5BNG'] },
      400,
      'invalid_parameter',
      /'addSuperTasks'.*not a task of this/,
    ],
    [
      { addSuperTasks: ['IEAAAAAQKQAB5BIN'] },
      400,
      'invalid_parameter',
      /'addSuperTasks'.*not a task of this/,
    ],
    [
      { customStatus: 'IEAAAAAQJMAB5PUB', status: 'Active' },
      400,
      'invalid_parameter',
      /'customStatus'.*IEAAAAAQJMAB5PUB belongs to Completed, but status is Active$/,
    ],
  ];
  for (const [parameters, status, error, description] of cases) {
    const response = await rejectedUpdate(emulator, parameters);
    assert.deepEqual(
      [response.status, response.error],
      [status, error],
      JSON.stringify(parameters).slice(0, 80),
    );
    assert.match(response.description, description);
  }
});

test('limits are exactly those of the contract', async (t) => {
  const emulator = await started(t);
  await update(emulator, { title: '\u{1F3EE}'.repeat(1000) });
  await update(emulator, { metadata: [{ key: 'k'.repeat(49), value: 'v'.repeat(999) }] });
  const description = 'é'.repeat(1_000_000);
  const { status, body } = await call(emulator, 'PUT', `/tasks/${task}`, {
    body: `description=${encodeURIComponent(description)}`,
    headers: { 'Content-Type': 'application/x-www-form-urlencoded' },
  });
  assert.equal(status, 200);
  assert.equal(body.data[0].description, description);
  assert.deepEqual(
    await outcome(emulator, 'PUT', `/tasks/${task}`, { json: { description: 'x'.repeat(1_000_001) } }),
    [400, 'invalid_parameter'],
  );
});

test('accepts parameters in a query, a form or JSON', async (t) => {
  const emulator = await started(t);
  const form = await call(emulator, 'PUT', `/tasks/${task}?importance=Low`, {
    form: { title: 'from a form', addFollowers: `["${ben}"]` },
  });
  assert.deepEqual([form.body.data[0].title, form.body.data[0].importance], ['from a form', 'Low']);
  const json = await call(emulator, 'PUT', `/tasks/${task}`, {
    body: JSON.stringify({ title: 'from JSON', dates: { due: '2026-04-01' }, follow: true }),
    headers: { 'Content-Type': 'application/json; charset=utf-8' },
  });
  assert.equal(json.body.data[0].title, 'from JSON');
  assert.deepEqual(json.body.data[0].dates, { type: 'Milestone', due: '2026-04-01T17:00:00' });
  assert.deepEqual(await outcome(emulator, 'PUT', `/tasks/${task}?title=a&title=b`), [
    400,
    'invalid_parameter',
  ]);
  const { title } = json.body.data[0];
  for (const [body, type, why] of [
    ['[]', 'application/json', 'The body is not a JSON object'],
    ['null', 'application/json', 'The body is not a JSON object'],
    ['"x"', 'application/json', 'The body is not a JSON object'],
    ['title=x', '', 'The Content-Type is missing; send a form or JSON'],
    ['title=x', 'Text/Plain; charset=utf-8', 'The Content-Type is text/plain; send a form or JSON'],
  ] as const) {
    const response = await call(emulator, 'PUT', `/tasks/${task}`, {
      body: Buffer.from(body),
      headers: type === '' ? {} : { 'Content-Type': type },
    });
    assert.deepEqual(
      [response.status, response.body],
      [400, { errorDescription: why, error: 'invalid_request' }],
    );
  }
  // A name without a value is empty.
  const bare = await rejectedUpdate(emulator, {}, `${task}?title&x=`);
  assert.match(bare.description, /^Parameter 'title' value is invalid/);
  assert.equal(
    (await update(emulator, { customStatus: 'IEAAAAAQJMAB5PUB', status: 'Completed' })).title,
    title,
  );
  assert.deepEqual(
    await outcome(emulator, 'PUT', `/tasks/${task}`, {
      body: '<title/>',
      headers: { 'Content-Type': 'text/xml' },
    }),
    [400, 'invalid_request'],
  );
  assert.deepEqual(await outcome(emulator, 'PUT', `/tasks/${task}?title=%E0%A4%A`), [400, 'invalid_request']);
});

test('reads a list of plain texts in every notation that clients use', async (t) => {
  const emulator = await started(t);
  const both = [
    `addResponsibles=${ada}&addResponsibles=${ben}`,
    `addResponsibles[]=${ada}&addResponsibles%5B%5D=${ben}`,
    `addResponsibles[]=${ada}&addResponsibles=${ben}`,
    `addResponsibles=[${ada},${ben}]`,
    `addResponsibles=%5B%20${ada}%20,%20"${ben}"%20%5D`,
    `addResponsibles=["${ada}","${ben}"]`,
  ];
  const alone = [`addResponsibles=${ada}`, `addResponsibles[]=${ada}`, `addResponsibles=[${ada}]`];
  for (const [lists, expected] of [
    [both, [ada, ben]],
    [alone, [ada]],
  ] as const) {
    for (const list of lists) {
      for (const [path, init] of [
        [`/tasks/${task}?${list}`, {}],
        [`/tasks/${task}`, { body: new URLSearchParams(list) }],
      ] as const) {
        await update(emulator, { removeResponsibles: [ada, ben] });
        const { status, body } = await call(emulator, 'PUT', path, init);
        assert.equal(status, 200, `${list}: ${JSON.stringify(body)}`);
        assert.deepEqual(body.data[0].responsibleIds.toSorted(), expected, list);
      }
    }
  }
  const fields = await call(emulator, 'GET', `/tasks/${task}?fields[]=billingType&fields=workScheduleId`);
  assert.equal(fields.status, 200, JSON.stringify(fields.body));
  assert.ok('billingType' in fields.body.data[0] && 'workScheduleId' in fields.body.data[0]);
});

test('does not read other values as a list of plain texts', async (t) => {
  const emulator = await started(t);
  const entry = encodeURIComponent('{"key":"k","value":"v"}');
  const dates = encodeURIComponent('{"due":"2026-04-01"}');
  for (const [parameters, name] of [
    ['title=a&title=b', 'title'],
    ['title[]=a', 'title[]'],
    ['importance=[High]', 'importance'],
    [`dates=${dates}&dates=${dates}`, 'dates'],
    [`metadata=${entry}`, 'metadata'],
    [`metadata[]=${entry}`, 'metadata[]'],
    [`metadata=[${entry}]&metadata=[${entry}]`, 'metadata'],
    ['addResponsibles=', 'addResponsibles'],
    [`addResponsibles=${ada},${ben}`, 'addResponsibles'],
    [`addResponsibles=[${ada},]`, 'addResponsibles'],
    [`addResponsibles=[${ada}`, 'addResponsibles'],
    [`addResponsibles=["${ada}"]&addResponsibles=["${ben}"]`, 'addResponsibles'],
    [`addResponsibles[]=[${ada}]`, 'addResponsibles'],
    ['addResponsibles=[1]', 'addResponsibles'],
    ['nothing[]=a', 'nothing[]'],
  ] as const) {
    const { status, body } = await call(emulator, 'PUT', `/tasks/${task}?${parameters}`);
    assert.deepEqual([status, body.error], [400, 'invalid_parameter'], parameters);
    assert.ok(body.errorDescription.includes(`'${name}'`), body.errorDescription);
  }
  assert.deepEqual(
    await outcome(emulator, 'PUT', `/tasks/${task}?addResponsibles=${ada}`, {
      json: { addResponsibles: [ben] },
    }),
    [400, 'invalid_parameter'],
  );
});

test('a GET can act as another method, and state is echoed', async (t) => {
  const emulator = await started(t);
  const { status, body } = await call(
    emulator,
    'GET',
    `/tasks/${task}?${query({ method: 'PUT', title: 'tunnelled', state: 'a b' })}`,
  );
  assert.equal(status, 200);
  assert.deepEqual(Object.keys(body), ['kind', 'state', 'data']);
  assert.deepEqual([body.data[0].title, body.state], ['tunnelled', 'a b']);
  const twice = await call(emulator, 'GET', `/tasks/${task}?method=GET&method=GET`);
  assert.deepEqual(
    [twice.status, twice.body.errorDescription],
    [400, "Parameter 'method' value is invalid: it is given more than once"],
  );
  assert.deepEqual(await outcome(emulator, 'PUT', `/tasks/${task}?method=GET`), [400, 'invalid_parameter']);
});

test('priorityAfter and priorityBefore must leave room between them', async (t) => {
  const emulator = await started(t);
  const error = await rejectedUpdate(emulator, {
    priorityBefore: 'IEAAAAAQKQAB5SUB',
    priorityAfter: 'IEAAAAAQKQAB5MIL',
  });
  assert.deepEqual([error.status, error.error], [400, 'invalid_parameter']);
  assert.match(error.description, /IEAAAAAQKQAB5MIL comes after IEAAAAAQKQAB5SUB/);
  const between = { priorityAfter: 'IEAAAAAQKQAB5SUB', priorityBefore: 'IEAAAAAQKQAB5MIL' };
  const { priority } = await update(emulator, between);
  assert.ok('028' < priority && priority < '038', priority);
});

test('a request cannot refer to a task that the user may not see', async (t) => {
  const emulator = await started(t);
  const other = 'IEAAAAAQKQAB5MIL';
  await control(emulator, 'POST', `/users/${ada}`, { denied: [other] });
  for (const parameter of ['priorityAfter', 'addSuperTasks']) {
    const value = parameter === 'addSuperTasks' ? [other] : other;
    const { status, error, description } = await rejectedUpdate(emulator, { [parameter]: value });
    assert.deepEqual(
      [status, error, description],
      [403, 'access_forbidden', `Access to task ${other} is denied`],
    );
  }
});

test('a brief description has 125 characters, counting an emoji as one', async (t) => {
  const emulator = await started(t);
  const brief = async (description: string) => (await update(emulator, { description })).briefDescription;
  const lantern = '\u{1F3EE}';
  assert.equal(await brief(lantern.repeat(125)), lantern.repeat(125));
  assert.equal(await brief(lantern.repeat(126)), `${lantern.repeat(125)}...`);
  assert.equal(await brief('x'.repeat(125)), 'x'.repeat(125));
  assert.equal(await brief('x'.repeat(126)), `${'x'.repeat(125)}...`);
});

test('a brief description matches the description, even an old or a very long one', async (t) => {
  const tasks = Array.from({ length: 1_010 }, (_, at) => ({ title: 'x', description: `<i>${at}</i>` }));
  const seed = readSeed({ version: 1, tasks });
  assert.ok(!('problems' in seed));
  const emulator = await started(t, { seed });
  const brief = async (description: string) =>
    (await update(emulator, { description }, emulator.sampleTask)).briefDescription;
  assert.equal(await brief('<b>first</b>'), 'first');
  const listed = (await records(emulator, 'GET', '/tasks?fields=["briefDescription"]')).slice(1);
  assert.deepEqual(
    valuesOf(listed, 'briefDescription'),
    Array.from({ length: 1_009 }, (_, at) => `${at + 1}`),
  );
  assert.equal(await brief('<b>first</b>'), 'first');
  assert.equal(await brief(`<b>y</b>${'<br>'.repeat(2_000)}z`), 'y z');
  assert.equal(await brief(`<b>z</b>${'<br>'.repeat(2_000)}z`), 'z z');
});

test('the brief description of a long one is the first 125 characters of its text, without tags', async (t) => {
  const emulator = await started(t);
  const brief = async (description: string) => (await update(emulator, { description })).briefDescription;
  for (let shift = 0; shift < 20; shift++) {
    const link = (name: string) => `<a href="https://example.com/?a=1&amp;b=${'p'.repeat(120)}">${name}</a> `;
    const words = Array.from({ length: 60 }, (_, at) => `w${at}`);
    // The cut falls on each part of a link in turn.
    const start = 'x'.repeat(shift * 9);
    const text = `${start} ${words.join(' ')}`.trim();
    const expected = text.length > 125 ? `${text.slice(0, 125)}...` : text;
    assert.equal(await brief(`${start} ${words.map(link).join('')}`), expected);
    const lessThan = `${'<br>'.repeat(1_240)}${'y'.repeat(shift)}&lt;&lt;&lt;&lt;&lt;z`;
    assert.equal(await brief(lessThan), `${'y'.repeat(shift)}<<<<<z`);
  }
});

test('a page size must be a whole number', async (t) => {
  const emulator = await started(t);
  const half = await call(emulator, 'GET', '/tasks?pageSize=1.5');
  assert.deepEqual(
    [half.status, half.body.errorDescription],
    [400, "Parameter 'pageSize' value is invalid: it is not a whole number"],
  );
  assert.equal((await records(emulator, 'GET', '/tasks?pageSize=2')).length, 2);
});

test('an allocation may be for a placeholder; a task without one gets the flexible mode', async (t) => {
  const emulator = await started(t);
  const fields = ['effortAllocation'];
  const backlog = 'IEAAAAAQKQAB5BLG';
  const whole = { mode: 'FullTime', totalEffort: 120 };
  const milestone = 'IEAAAAAQKQAB5MIL';
  const { effortAllocation } = await update(emulator, { effortAllocation: whole, fields }, milestone);
  assert.deepEqual(effortAllocation, whole);
  const day = (effortMinutes: number) => ({ dailyAllocation: [{ date: '2026-02-03', effortMinutes }] });
  const placeholder = { placeholderId: 'IEAAAAAQNVAB5DES', ...day(60) };
  const allocate = async (...setResponsibleAllocation: object[]) =>
    (await update(emulator, { setResponsibleAllocation, fields }, backlog)).effortAllocation;
  assert.deepEqual(await allocate(placeholder), {
    mode: 'Flexible',
    allocatedEffort: 60,
    responsibleAllocation: [placeholder],
  });
  const [user, other] = [
    { userId: ada, ...day(30) },
    { ...placeholder, ...day(90) },
  ];
  assert.deepEqual(await allocate(user, other), {
    mode: 'Flexible',
    allocatedEffort: 120,
    responsibleAllocation: [other, user],
  });
  const second = { placeholderId: 'IEAAAAAQNVAB5DEV', ...day(1) };
  assert.deepEqual((await allocate(second)).responsibleAllocation, [other, user, second]);
  for (const [allocation, why] of [
    [day(1), 'an allocation needs either a userId or a placeholderId'],
    [
      { placeholderId: 'IEAAAAAQNVABNONE', ...day(1) },
      'IEAAAAAQNVABNONE is not a placeholder of this account',
    ],
    [{ userId: 'KUAANONE', ...day(1) }, 'KUAANONE is not a user of this account'],
  ] as const) {
    const { status, description } = await rejectedUpdate(emulator, {
      setResponsibleAllocation: [allocation],
    });
    assert.deepEqual(
      [status, description],
      [400, `Parameter 'setResponsibleAllocation' value is invalid: ${why}`],
    );
  }
});
