// The effect of each parameter of a task update, over HTTP. The expectations come from the contract.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { taskRecord } from '#contract/task.ts';
import { readSeed } from '#emulator/seed/parse-seed.ts';
import { control } from '#test/support/service/control.ts';
import {
  forbidden,
  invalid,
  invalidUpdate,
  outcome,
  records,
  valuesOf,
} from '#test/support/service/records.ts';
import { call, query, rejectedUpdate, started, update } from '#test/support/service/start-emulator.ts';
import { taskUpdateLines } from '#test/witness/task-update.ts';

const task = 'IEAAAAAQKQAB5BNG';
const ada = 'KUAAADAQ';
const ben = 'KUAABENQ';
const invitation = 'KXAAINVQ';

test('title, importance and description are set, and the response is a task record', async (t) => {
  const emulator = await started(t);
  const description = encodeURIComponent('<b>x</b><script>y</script>');
  const path = `/tasks/${task}?title=a%20b%2Bc&importance=High&description=${description}`;
  const { status, headers, body } = await call(emulator, 'PUT', path);
  assert.equal(status, 200);
  assert.equal(headers.get('content-type'), 'application/json;charset=utf-8');
  assert.deepEqual(Object.keys(body), ['kind', 'data']);
  assert.deepEqual([body.kind, body.data.length], ['tasks', 1]);
  const record = taskRecord.validate(body.data[0]);
  const { id, title, importance, briefDescription, updatedDate } = record;
  assert.deepEqual([id, title, importance], [task, 'a b+c', 'High']);
  assert.deepEqual([record.description, briefDescription], ['<b>x</b>', 'x']);
  assert.equal(updatedDate, '2026-03-02T12:00:00Z');
  assert.deepEqual(await records(emulator, 'GET', `/tasks/${task}?fields=["attachmentCount"]`), body.data);
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
  const [{ title }] = await records(await started(t), 'PUT', `/tasks/${task}?title=a+b`);
  assert.equal(title, 'a b');
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

test('parents, shares, assignees, followers', async (t) => {
  const emulator = await started(t);
  const [folder, project, subfolder] = ['IEAAAAAQI4AB5FLD', 'IEAAAAAQI4AB5PRJ', 'IEAAAAAQI4AB5SUB'];
  for (const [parameters, member, expected] of [
    [{ addParents: [project, subfolder] }, 'parentIds', [folder, project, subfolder]],
    [{ removeParents: [folder, subfolder] }, 'parentIds', [project]],
    [{ removeShareds: [ben] }, 'sharedIds', [ada, 'KUAABOTQ']],
    [{ addShareds: [ben] }, 'sharedIds', [ada, 'KUAABOTQ', ben]],
    [{ addResponsibles: [ada] }, 'responsibleIds', [ben, ada]],
    [{ removeResponsibles: [ben] }, 'responsibleIds', [ada]],
    [{ addFollowers: [ben] }, 'followerIds', [ada, ben]],
    [{ follow: false }, 'followerIds', [ben]],
    [{ follow: true }, 'followerIds', [ben, ada]],
  ] as const)
    assert.deepEqual((await update(emulator, parameters))[member], expected, JSON.stringify(parameters));
  for (const follow of [false, true]) assert.equal((await update(emulator, { follow })).followedByMe, follow);
});

test('withInvitations shows invitations among shares and assignees', async (t) => {
  const emulator = await started(t);
  const shared = [ada, ben, 'KUAABOTQ'];
  const without = await update(emulator, {});
  assert.deepEqual([without.responsibleIds, without.sharedIds], [[ben], shared]);
  const { responsibleIds, sharedIds } = await update(emulator, { withInvitations: true });
  assert.deepEqual(
    [responsibleIds, sharedIds],
    [
      [ben, invitation],
      [...shared, invitation],
    ],
  );
  const removed = await update(emulator, { removeResponsibles: [invitation], withInvitations: true });
  assert.deepEqual(removed.responsibleIds, [ben]);
});

test('optional fields are returned only on request', async (t) => {
  const emulator = await started(t);
  const fields = ['billingType', 'workScheduleId', 'effortAllocation', 'responsiblePlaceholderIds'];
  const plain = await update(emulator, {});
  for (const name of fields) assert.ok(!(name in plain), name);
  const full = await update(emulator, {
    billingType: 'NonBillable',
    workScheduleId: 'IEAAAAAQMLAB5NGT',
    effortAllocation: { mode: 'FullTime', totalEffort: 120 },
    addResponsiblePlaceholders: ['IEAAAAAQNVAB5DES'],
    removeResponsiblePlaceholders: ['IEAAAAAQNVAB5DEV'],
    fields,
  });
  taskRecord.validate(full);
  assert.deepEqual([full.billingType, full.workScheduleId], ['NonBillable', 'IEAAAAAQMLAB5NGT']);
  const { mode, totalEffort } = full.effortAllocation;
  assert.deepEqual([mode, totalEffort], ['FullTime', 120]);
  assert.deepEqual(full.responsiblePlaceholderIds, ['IEAAAAAQNVAB5DES']);
  const one = await update(emulator, { fields: ['billingType'] });
  assert.deepEqual([one.billingType, 'workScheduleId' in one], ['NonBillable', false]);
  await invalidUpdate(emulator, { fields: ['title'] });
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
});

test('priorityBefore and priorityAfter move the task in the list', async (t) => {
  const emulator = await started(t);
  const [subtask, milestone, backlog] = ['IEAAAAAQKQAB5SUB', 'IEAAAAAQKQAB5MIL', 'IEAAAAAQKQAB5BLG'];
  const ids = async (from: number, to: number) =>
    valuesOf(await records(emulator, 'GET', '/tasks'), 'id').slice(from, to);
  assert.deepEqual(await ids(0, 4), [task, subtask, milestone, backlog]);
  await update(emulator, { priorityAfter: milestone });
  assert.deepEqual(await ids(0, 4), [subtask, milestone, task, backlog]);
  await update(emulator, { priorityBefore: subtask });
  assert.deepEqual(await ids(0, 3), [task, subtask, milestone]);
  // More often than 24 digits could halve the gap.
  for (let i = 0; i < 100; i++) {
    const moved = i % 2 === 0 ? task : subtask;
    const { priority } = await update(emulator, { priorityBefore: milestone }, moved);
    assert.equal(priority.length, 24);
    assert.deepEqual(await ids(1, 3), [moved, milestone]);
  }
});

test('addSuperTasks and removeSuperTasks make and unmake a subtask', async (t) => {
  const emulator = await started(t);
  const parent = 'IEAAAAAQKQAB5BUG';
  const put = (addSuperTasks: readonly string[], id = task) => update(emulator, { addSuperTasks }, id);
  const below = await put([parent]);
  assert.deepEqual([below.superTaskIds, below.superParentIds], [[parent], ['IEAAAAAQI4AB5PRJ']]);
  assert.deepEqual((await records(emulator, 'GET', `/tasks/${parent}`))[0].subTaskIds, [task]);
  assert.deepEqual((await update(emulator, { removeSuperTasks: [parent] })).superTaskIds, []);
  await invalidUpdate(emulator, { addSuperTasks: ['IEAAAAAQKQAB5SUB'] });
  // Two ways up to the same task: its folders are inherited once, and a loop is found on either.
  const [left, right, top] = ['IEAAAAAQKQAB5MIL', 'IEAAAAAQKQAB5BLG', parent];
  for (const id of [left, right]) await put([top], id);
  const diamond = await put([left, right]);
  assert.deepEqual(diamond.superTaskIds, [left, right]);
  const inherited = ['IEAAAAAQI4AB5FLD', 'IEAAAAAQI4AB5PRJ', 'IEAAAAAQI4AB5SUB'];
  assert.deepEqual(diamond.superParentIds.toSorted(), inherited);
  const far = 'IEAAAAAQKQAB5DON';
  assert.deepEqual((await put([task], far)).superTaskIds, [task]);
  assert.deepEqual((await put([far], 'IEAAAAAQKQAB5DEF')).superTaskIds, [far]);
  for (const id of [top, left])
    assert.match(
      await invalidUpdate(emulator, { addSuperTasks: [far] }, id),
      /IEAAAAAQKQAB5DON is the task itself or one of its subtasks$/,
    );
});

test('metadata entries are set and removed; an empty value does not remove one', async (t) => {
  const emulator = await started(t);
  const entry = (key: string, value: string | null) => ({ key, value });
  const [empty, quoted, imported] = [entry('a', ''), entry('b', '"1"'), entry('source', 'import')];
  const set = await update(emulator, { metadata: [empty, quoted] });
  assert.deepEqual(set.metadata, [imported, empty, quoted]);
  const removed = await update(emulator, { metadata: [entry('source', null), entry('b', null)] });
  assert.deepEqual(removed.metadata, [empty]);
});

test('custom fields are set and removed, by the rules of their types', async (t) => {
  const emulator = await started(t);
  const field = (end: string, value: string | null) => ({ id: `IEAAAAAQJUAB${end}`, value });
  for (const [end, value] of [
    ['5TXT', 'tab\t"quoted" \\ '],
    ['5TXT', ''],
    ['5TXT', null],
    ['5NUM', '12.5'],
    ['5MUL', '["Web","a, \\"quoted\\" one"]'],
    ['5CON', `${ada},${ben}`],
    ['5CHK', 'true'],
    ['5CHK', 'false'],
    ['5TXT', 'x'.repeat(4000)],
  ] as const) {
    const { id } = field(end, value);
    const { customFields } = await update(emulator, { customFields: [field(end, value)] });
    const stored = customFields.find((record: { id: string }) => record.id === id);
    assert.equal(stored?.value, value ?? undefined, end);
  }
  for (const [end, value] of [
    ['5NUM', 'twelve'],
    ['5DRP', 'Huge'],
    ['5MUL', 'Web'],
    ['5MUL', '["Radio"]'],
    ['5MUL', '["Web",7]'],
    ['5CON', 'KUAANONE'],
    ['5CHK', 'yes'],
    ['5DAT', '2026-02-30'],
    ['5TXT', 'a\u0000b'],
    ['5TXT', '\u0011b'],
    ['5TXT', 'x'.repeat(4001)],
    ['NONE', 'x'],
  ] as const)
    assert.match(await invalidUpdate(emulator, { customFields: [field(end, value)] }), /customFields/);
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
  await invalidUpdate(emulator, { convertToCustomItemType: 'IEAAAAAQPIAB5CMP' });
});

test('a deleted task can be restored, but not changed otherwise', async (t) => {
  const emulator = await started(t);
  const deleted = 'IEAAAAAQKQAB5BIN';
  assert.equal((await records(emulator, 'GET', `/tasks/${deleted}`))[0].scope, 'RbTask');
  for (const parameters of [{ title: 'x' }, { restore: false, title: 'x' }]) {
    const { status, error } = await rejectedUpdate(emulator, parameters, deleted);
    assert.deepEqual([status, error], forbidden);
  }
  const alive = await update(emulator, {});
  assert.deepEqual(await update(emulator, { restore: true }), alive);
  const { scope, title, parentIds } = await update(emulator, { restore: true, title: 'Back' }, deleted);
  assert.deepEqual([scope, title, parentIds], ['WsTask', 'Back', ['IEAAAAAQI4AB5FLD']]);
});

test('a rejected update changes nothing', async (t) => {
  const emulator = await started(t);
  const before = await update(emulator, {});
  await rejectedUpdate(emulator, { title: 'New', addParents: ['IEAAAAAQI7777776'] });
  assert.deepEqual(await update(emulator, {}), before);
});

test('rejects missing and forbidden values, and names the parameter', async (t) => {
  const emulator = await started(t);
  const notHere = /'addSuperTasks'.*not a task of this/;
  for (const [parameters, description] of [
    [{ title: '' }, /'title'/],
    [{ title: 'x'.repeat(1001) }, /'title'.*1000/],
    [{ status: 'Done' }, /'status'.*Active, Deferred, Completed, Cancelled/],
    [{ status: 'actif' }, /'status'/],
    [{ importance: 'Medium' }, /'importance'/],
    [{ addParents: ['IEAAAAAQI7777776'] }, /'addParents'.*recycle bin/],
    [{ removeParents: ['IEAAAAAQI7777776'] }, /'removeParents'.*recycle bin/],
    [{ addParents: ['NOSUCHFOLDER'] }, /'addParents'/],
    [{ addParents: 'IEAAAAAQI4AB5PRJ,IEAAAAAQI4AB5FLD' }, /'addParents'/],
    [{ addShareds: ['KUAANONE'] }, /'addShareds'/],
    [{ addShareds: ['short'] }, /'addShareds'/],
    [{ addFollowers: [invitation] }, /'addFollowers'/],
    [{ follow: 'yes' }, /'follow'/],
    [{ metadata: [{ key: 'a b', value: '' }] }, /'metadata'/],
    [{ metadata: [{ key: 'k'.repeat(50), value: '' }] }, /'metadata'/],
    [{ metadata: [{ key: 'k', value: 'v'.repeat(1000) }] }, /'metadata'/],
    [{ metadata: Array.from({ length: 101 }, (_, i) => ({ key: `${i}`, value: '' })) }, /100/],
    [{ customStatus: 'IEAAAAAQJMABNONE' }, /'customStatus'/],
    [{ workScheduleId: 'IEAAAAAQMLABNONE' }, /'workScheduleId'/],
    [{ billingType: 'Free' }, /'billingType'/],
    [{ tilte: 'x' }, /'tilte' is unknown/],
    [{ priorityBefore: task }, /'priorityBefore'.*IEAAAAAQKQAB5BNG is the task itself/],
    [{ priorityAfter: 'IEAAAAAQKQABNONE' }, /'priorityAfter'.*not a task of this/],
    [{ addSuperTasks: ['IEAAEUAQKQAB5BNG'] }, notHere],
    [{ addSuperTasks: ['IEAAAAAQKQAB5BIN'] }, notHere],
    [
      { customStatus: 'IEAAAAAQJMAB5PUB', status: 'Active' },
      /'customStatus'.*IEAAAAAQJMAB5PUB belongs to Completed, but status is Active$/,
    ],
  ] as const)
    assert.match(await invalidUpdate(emulator, parameters), description);
});

test('limits are exactly those of the contract', async (t) => {
  const emulator = await started(t);
  await update(emulator, { title: '\u{1F3EE}'.repeat(1000) });
  await update(emulator, { metadata: [{ key: 'k'.repeat(49), value: 'v'.repeat(999) }] });
  const description = 'é'.repeat(1_000_000);
  const [record] = await records(emulator, 'PUT', `/tasks/${task}`, {
    body: `description=${encodeURIComponent(description)}`,
    headers: { 'Content-Type': 'application/x-www-form-urlencoded' },
  });
  assert.equal(record.description, description);
  const long = { json: { description: 'x'.repeat(1_000_001) } };
  assert.deepEqual(await outcome(emulator, 'PUT', `/tasks/${task}`, long), invalid);
});

test('accepts parameters in a query, a form or JSON', async (t) => {
  const emulator = await started(t);
  const path = `/tasks/${task}`;
  const form = { title: 'from a form', addFollowers: [ben] };
  const [inForm] = await records(emulator, 'PUT', `${path}?importance=Low`, { form });
  assert.deepEqual([inForm.title, inForm.importance], ['from a form', 'Low']);
  const [{ title, dates }] = await records(emulator, 'PUT', path, {
    json: { title: 'from JSON', dates: { due: '2026-04-01' }, follow: true },
    headers: { 'Content-Type': 'application/json; charset=utf-8' },
  });
  assert.deepEqual([title, dates], ['from JSON', { type: 'Milestone', due: '2026-04-01T17:00:00' }]);
  for (const [body, type, why] of [
    ['[]', 'application/json', 'The body is not a JSON object'],
    ['null', 'application/json', 'The body is not a JSON object'],
    ['"x"', 'application/json', 'The body is not a JSON object'],
    ['title=x', '', 'The Content-Type is missing; send a form or JSON'],
    ['title=x', 'Text/Plain; charset=utf-8', 'The Content-Type is text/plain; send a form or JSON'],
  ] as const) {
    const headers: Record<string, string> = type === '' ? {} : { 'Content-Type': type };
    const response = await call(emulator, 'PUT', path, { body: Buffer.from(body), headers });
    const error = { errorDescription: why, error: 'invalid_request' };
    assert.deepEqual([response.status, response.body], [400, error]);
  }
  // A name without a value is empty.
  assert.match(await invalidUpdate(emulator, {}, `${task}?title&x=`), /^Parameter 'title' value is invalid/);
  const published = { customStatus: 'IEAAAAAQJMAB5PUB', status: 'Completed' };
  assert.equal((await update(emulator, published)).title, title);
  const xml = { body: '<title/>', headers: { 'Content-Type': 'text/xml' } };
  for (const [path, init, error] of [
    [`/tasks/${task}?title=a&title=b`, {}, 'invalid_parameter'],
    [`/tasks/${task}`, xml, 'invalid_request'],
    [`/tasks/${task}?title=%E0%A4%A`, {}, 'invalid_request'],
  ] as const)
    assert.deepEqual(await outcome(emulator, 'PUT', path, init), [400, error], path);
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
        const data = await records(emulator, 'PUT', path, init);
        assert.deepEqual(data[0].responsibleIds.toSorted(), expected, list);
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
    assert.deepEqual([status, body.error], invalid, parameters);
    assert.ok(body.errorDescription.includes(`'${name}'`), body.errorDescription);
  }
  assert.deepEqual(
    await outcome(emulator, 'PUT', `/tasks/${task}?addResponsibles=${ada}`, {
      json: { addResponsibles: [ben] },
    }),
    invalid,
  );
});

test('a GET can act as another method, and state is echoed', async (t) => {
  const emulator = await started(t);
  const tunnelled = query({ method: 'PUT', title: 'tunnelled', state: 'a b' });
  const { status, body } = await call(emulator, 'GET', `/tasks/${task}?${tunnelled}`);
  assert.equal(status, 200);
  assert.deepEqual(Object.keys(body), ['kind', 'state', 'data']);
  assert.deepEqual([body.data[0].title, body.state], ['tunnelled', 'a b']);
  const twice = await call(emulator, 'GET', `/tasks/${task}?method=GET&method=GET`);
  const why = "Parameter 'method' value is invalid: it is given more than once";
  assert.deepEqual([twice.status, twice.body.errorDescription], [400, why]);
  const other = await outcome(emulator, 'PUT', `/tasks/${task}?method=GET`);
  assert.deepEqual(other, invalid);
});

test('priorityAfter and priorityBefore must leave room between them', async (t) => {
  const emulator = await started(t);
  const [first, second] = ['IEAAAAAQKQAB5SUB', 'IEAAAAAQKQAB5MIL'];
  const why = await invalidUpdate(emulator, { priorityBefore: first, priorityAfter: second });
  assert.match(why, /IEAAAAAQKQAB5MIL comes after IEAAAAAQKQAB5SUB/);
  const { priority } = await update(emulator, { priorityAfter: first, priorityBefore: second });
  assert.ok('028' < priority && priority < '038', priority);
});

test('a request cannot refer to a task that the user may not see', async (t) => {
  const emulator = await started(t);
  const other = 'IEAAAAAQKQAB5MIL';
  await control(emulator, 'POST', `/users/${ada}`, { denied: [other] });
  for (const parameters of [{ priorityAfter: other }, { addSuperTasks: [other] }]) {
    const { status, error, description } = await rejectedUpdate(emulator, parameters);
    const why = `Access to task ${other} is denied`;
    assert.deepEqual([status, error, description], [403, 'access_forbidden', why]);
  }
});

test('a brief description has 125 characters, counting an emoji as one', async (t) => {
  const emulator = await started(t);
  for (const character of ['x', '\u{1F3EE}'])
    for (const [length, rest] of [
      [125, ''],
      [126, '...'],
    ] as const) {
      const { briefDescription } = await update(emulator, { description: character.repeat(length) });
      assert.equal(briefDescription, `${character.repeat(125)}${rest}`);
    }
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
  const { status, body } = await call(emulator, 'GET', '/tasks?pageSize=1.5');
  const why = "Parameter 'pageSize' value is invalid: it is not a whole number";
  assert.deepEqual([status, body.errorDescription], [400, why]);
});

test('an allocation may be for a placeholder; a task without one gets the flexible mode', async (t) => {
  const emulator = await started(t);
  const fields = ['effortAllocation'];
  const whole = { mode: 'FullTime', totalEffort: 120 };
  const milestone = await update(emulator, { effortAllocation: whole, fields }, 'IEAAAAAQKQAB5MIL');
  assert.deepEqual(milestone.effortAllocation, whole);
  const day = (effortMinutes: number) => ({ dailyAllocation: [{ date: '2026-02-03', effortMinutes }] });
  const placeholder = { placeholderId: 'IEAAAAAQNVAB5DES', ...day(60) };
  const user = { userId: ada, ...day(30) };
  const other = { ...placeholder, ...day(90) };
  const second = { placeholderId: 'IEAAAAAQNVAB5DEV', ...day(1) };
  for (const [setResponsibleAllocation, allocatedEffort, responsibleAllocation] of [
    [[placeholder], 60, [placeholder]],
    [[user, other], 120, [other, user]],
    [[second], 121, [other, user, second]],
  ] as const) {
    const parameters = { setResponsibleAllocation, fields };
    const { effortAllocation } = await update(emulator, parameters, 'IEAAAAAQKQAB5BLG');
    assert.deepEqual(effortAllocation, { mode: 'Flexible', allocatedEffort, responsibleAllocation });
  }
  for (const [assignee, why] of [
    [{}, 'an allocation needs either a userId or a placeholderId'],
    [{ placeholderId: 'IEAAAAAQNVABNONE' }, 'IEAAAAAQNVABNONE is not a placeholder of this account'],
    [{ userId: 'KUAANONE' }, 'KUAANONE is not a user of this account'],
  ] as const)
    assert.equal(
      await invalidUpdate(emulator, { setResponsibleAllocation: [{ ...assignee, ...day(1) }] }),
      `Parameter 'setResponsibleAllocation' value is invalid: ${why}`,
    );
});
