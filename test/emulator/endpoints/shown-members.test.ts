// Which members the records of tasks, folders, spaces, contacts and custom fields have in each response, as recorded: few in a
// list, more by id, and what `fields` names.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readSeed } from '#emulator/seed/parse-seed.ts';
import { invalid, outcome, records, valuesOf } from '#test/support/service/records.ts';
import { call, query, type Started, started } from '#test/support/service/start-emulator.ts';
import { listedTaskMembers } from '../../witness/recorded-shapes.ts';
import { shows } from '../shows.ts';

const taskId = 'IEAAAAAQKQAB5BNG';
const folder = 'IEAAAAAQI4AB5FLD';
const space = 'IEAAAAAQI5AB5SPC';

const listed = listedTaskMembers.filter((name) => name !== 'completedDate');
const readBesides = [
  ...'description briefDescription parentIds superParentIds sharedIds responsibleIds authorIds'.split(' '),
  ...'hasAttachments followedByMe followerIds superTaskIds subTaskIds dependencyIds'.split(' '),
  ...['metadata', 'customFields'],
];
const onlyRequested = [
  ...'attachmentCount recurrent billingType effortAllocation responsiblePlaceholderIds'.split(' '),
  ...['workScheduleId', 'cascadingFieldSettings', 'finance'],
];

async function data(emulator: Started, path: string, method = 'GET') {
  return records(emulator, method, path);
}

const sorted = (names: readonly string[]) => [...names].sort();
const membersOf = (record: object) => sorted(Object.keys(record));

test('a task list shows twelve members, completedDate of completed tasks, and the requested fields', async (t) => {
  shows('task-lists', 'default');
  const emulator = await started(t);
  for (const path of ['/tasks', `/folders/${folder}/tasks`, `/spaces/${space}/tasks?descendants=true`]) {
    for (const record of await data(emulator, path)) {
      const completed = record.status === 'Completed' ? ['completedDate'] : [];
      assert.deepEqual(membersOf(record), sorted([...listed, ...completed]), path);
    }
  }
  const find = async (fields: readonly string[], id = taskId) =>
    (await data(emulator, `/tasks?${query({ fields })}`)).find((task: { id: string }) => task.id === id);
  const some = await find(['description', 'followerIds', 'recurrent', 'customItemTypeId']);
  assert.deepEqual(membersOf(some), sorted([...listed, 'description', 'followerIds', 'followedByMe']));
  assert.equal((await find(['recurrent'], 'IEAAAAAQKQAB5REC')).recurrent, true);
  assert.equal((await find(['customItemTypeId'], 'IEAAAAAQKQAB5BUG')).customItemTypeId, 'IEAAAAAQPIAB5BUG');
  const all = await find([...readBesides.filter((name) => name !== 'followedByMe'), ...onlyRequested]);
  const shown = [...listed, ...readBesides, ...onlyRequested.filter((name) => name !== 'recurrent')];
  assert.deepEqual(membersOf(all), sorted(shown));
  assert.deepEqual(await outcome(emulator, 'GET', `/tasks?${query({ fields: ['colour'] })}`), invalid);
});

test('a single task shows more members; a changed one also the number of its attachments', async (t) => {
  shows('task-read', 'default');
  const emulator = await started(t);
  const [read] = await data(emulator, `/tasks/${taskId}`);
  assert.deepEqual(membersOf(read), sorted([...listed, ...readBesides]));
  const [asked] = await data(
    emulator,
    `/tasks/IEAAAAAQKQAB5MIL?${query({ fields: ['finance', 'attachmentCount'] })}`,
  );
  assert.deepEqual([asked.finance, asked.attachmentCount], [{ currency: 'Euro' }, 0]);
  const created = await data(emulator, `/folders/${folder}/tasks?title=New`, 'POST');
  const changed = await data(emulator, `/tasks/${created[0].id}?title=Newer`, 'PUT');
  const deleted = await data(emulator, `/tasks/${created[0].id}`, 'DELETE');
  for (const [record] of [created, changed, deleted])
    assert.deepEqual(membersOf(record), sorted([...listed, ...readBesides, 'attachmentCount']));
  const fields = query({ fields: ['effortAllocation', 'responsiblePlaceholderIds'] });
  const [effort] = await data(emulator, `/tasks/IEAAAAAQKQAB5MIL?${fields}`);
  assert.deepEqual(effort.effortAllocation, { responsibleAllocation: [], mode: 'None' });
  assert.deepEqual(effort.responsiblePlaceholderIds, []);
});

test('task dates start with type and duration; the priority has 24 digits', async (t) => {
  const emulator = await started(t);
  const [planned] = await data(emulator, `/tasks/${taskId}`);
  assert.deepEqual(Object.keys(planned.dates), ['type', 'duration', 'start', 'due']);
  const dates = query({ dates: { start: '2026-03-02', due: '2026-03-03' } });
  const [changed] = await data(emulator, `/tasks/${taskId}?${dates}`, 'PUT');
  assert.deepEqual(Object.keys(changed.dates), ['type', 'duration', 'start', 'due']);
  const first = await data(emulator, '/tasks');
  const [, , third] = first;
  // So many moves to one place leave no digits between two keys.
  for (let i = 0; i < 80; i++) {
    const moved = first[3 + (i % 2)].id;
    await data(emulator, `/tasks/${moved}?priorityBefore=${third.id}`, 'PUT');
  }
  const tasks = await data(emulator, '/tasks');
  const keys: string[] = valuesOf(tasks, 'priority');
  for (const key of keys) assert.match(key, /^[0-9a-f]{24}$/);
  assert.deepEqual(keys, [...new Set(keys)].sort());
  assert.equal(tasks[4].id, third.id);
});

const treeMembers = ['id', 'title', 'childIds', 'scope'];
const listedOfFolder = [
  ...treeMembers,
  ...'accountId createdDate updatedDate description sharedIds parentIds permalink workflowId'.split(' '),
];
const readOfFolder = [...listedOfFolder, 'superParentIds', 'hasAttachments', 'metadata', 'customFields'];

test('lists folders as a tree, or with a filter as records without the root', async (t) => {
  shows('folder-list-kind', 'default');
  const emulator = await started(t);
  const { body: tree } = await call(emulator, 'GET', '/folders');
  assert.equal(tree.kind, 'folderTree');
  for (const { project, ...record } of tree.data) assert.deepEqual(membersOf(record), sorted(treeMembers));
  assert.deepEqual(
    valuesOf(
      tree.data.filter((record) => record.project),
      'id',
    ),
    ['IEAAAAAQI4AB5PRJ'],
  );
  const scopes = (records: readonly { scope: string }[]) => new Set(records.map(({ scope }) => scope));
  await data(emulator, '/folders/IEAAAAAQI4AB5SUB', 'DELETE');
  assert.deepEqual(
    scopes(await data(emulator, '/folders')),
    new Set(['WsRoot', 'RbRoot', 'WsFolder', 'RbFolder']),
  );
  const { body: living } = await call(emulator, 'GET', '/folders?deleted=false');
  assert.deepEqual([living.kind, scopes(living.data)], ['folderTree', new Set(['WsRoot', 'WsFolder'])]);
  assert.deepEqual(scopes(await data(emulator, '/folders?deleted=true')), new Set(['RbRoot', 'RbFolder']));
  const titles = async (filter: Record<string, unknown>) => {
    const { body } = await call(emulator, 'GET', `/folders?${query(filter)}`);
    assert.equal(body.kind, 'folders', JSON.stringify(body));
    for (const { project, customItemTypeId, ...record } of body.data)
      assert.deepEqual(membersOf(record), sorted(listedOfFolder));
    return valuesOf(body.data, 'title');
  };
  assert.deepEqual(await titles({ descendants: false }), ['Studio', 'Back office']);
  assert.deepEqual(await titles({ project: true }), ['Spring catalogue']);
  assert.deepEqual(await titles({ title: 'WEB' }), ['Website']);
  assert.deepEqual(await titles({ metadata: { key: 'none' } }), []);
  assert.deepEqual(await titles({ updatedDate: { start: '2026-03-02T00:00:00Z' } }), ['Copy']);
  const [website] = await data(emulator, `/folders?${query({ title: 'website', fields: ['customFields'] })}`);
  assert.deepEqual(membersOf(website), sorted([...listedOfFolder, 'customFields']));
});

test('a folder read by id, created, changed or deleted shows everything except optional fields', async (t) => {
  shows('record-shapes', 'default');
  const emulator = await started(t);
  const created = await data(emulator, `/folders/${folder}/folders?title=New`, 'POST');
  const path = `/folders/${created[0].id}`;
  const changed = await data(emulator, `${path}?title=Newer`, 'PUT');
  const read = await data(emulator, path);
  const deleted = await data(emulator, path, 'DELETE');
  for (const [record] of [created, changed, read, deleted])
    assert.deepEqual(membersOf(record), sorted(readOfFolder));
  const fields = ['briefDescription', 'attachmentCount', 'customColumnIds', 'color'];
  const [asked] = await data(emulator, `/folders/${folder}?${query({ fields })}`);
  assert.deepEqual([asked.briefDescription, asked.attachmentCount, asked.customColumnIds], ['', 0, []]);
});

test('the recycle bin lists deleted tasks; with descendants, also those deleted with a folder', async (t) => {
  shows('bin-tasks', 'default');
  const emulator = await started(t);
  await call(emulator, 'DELETE', '/folders/IEAAAAAQI4AB5SUB');
  for (const [more, titles] of [
    ['', ['Old banner']],
    ['?descendants=true', ['Think about dark mode', 'Old banner']],
  ] as const)
    assert.deepEqual(
      valuesOf(await data(emulator, `/folders/IEAAAAAQI7777776/tasks${more}`), 'title'),
      titles,
    );
  assert.deepEqual(await data(emulator, `/folders/IEAAAAAQI7777776/tasks?title=none`), []);
});

interface Person {
  readonly firstName: string;
  readonly profiles: readonly [{ readonly role: string; readonly external: boolean }];
}

test('spaces, contacts and custom fields have the members that the service shows', async (t) => {
  const emulator = await started(t);
  shows('space-id-pattern', 'default');
  const [studio] = await data(emulator, '/spaces');
  assert.equal((await data(emulator, `/folders/${studio.id}`))[0].title, studio.title);
  assert.equal((await call(emulator, 'GET', '/spaces/a%20b')).status, 400);
  assert.deepEqual(membersOf(studio), [
    ...'accessType archived avatarUrl defaultProjectWorkflowId defaultTaskWorkflowId guestRoleId'.split(' '),
    ...'id title'.split(' '),
  ]);
  const people = await data(emulator, '/contacts');
  assert.deepEqual(
    people.map((person: Person) => [person.firstName, person.profiles[0].role, person.profiles[0].external]),
    [
      ['Ada', 'User', false],
      ['Ben', 'User', false],
      ['Lantern', 'Collaborator', true],
    ],
  );
  assert.equal(people[0].primaryEmail, 'ada@paper-lantern.example');
  const fields = await data(emulator, '/customfields');
  const named = (title: string) => fields.find((field) => field.title === title);
  const risk = named('Risk');
  assert.deepEqual([risk.sharedIds, risk.sharing, risk.description, risk.archived], [[], {}, '', false]);
  assert.deepEqual(risk.settings.values, ['Low', 'Medium', 'High']);
  assert.deepEqual(valuesOf(risk.settings.options, 'value'), ['Low', 'Medium', 'High']);
  assert.deepEqual(risk.settings.applicableEntityTypes, ['WorkItem']);
  assert.equal(named('Budget').settings.currency, 'EUR');
  assert.equal(named('Reviewers').spaceId, space);
});

test('a seed sets the access and archiving of a space; lists have archived spaces only on request', async (t) => {
  const id = 'IEAAAAAQI5AB5OLD';
  const seed = readSeed({
    version: 1,
    folders: [{ id, title: 'Attic', kind: 'space', accessType: 'Personal', archived: true }],
    users: [
      {
        firstName: 'Cy',
        admin: true,
        email: 'cy@paper-lantern.example',
        title: 'Printer',
        companyName: 'Ink',
        phone: '1',
      },
    ],
  });
  assert.ok(!('problems' in seed), JSON.stringify(seed));
  const emulator = await started(t, { seed });
  const titles = async (filter: string) => valuesOf(await data(emulator, `/spaces${filter}`), 'title');
  assert.deepEqual((await titles('')).includes('Attic'), false);
  assert.deepEqual((await titles('?withArchived=true&userIsMember=true')).includes('Attic'), true);
  const [attic] = await data(emulator, `/spaces/${id}`);
  assert.deepEqual([attic.accessType, attic.archived, attic.guestRoleId], ['Personal', true, undefined]);
  const [cy] = await data(emulator, '/contacts?name=cy');
  assert.deepEqual([cy.title, cy.companyName, cy.phone], ['Printer', 'Ink', '1']);
});
