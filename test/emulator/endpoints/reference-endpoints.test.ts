// The endpoints of the service's older reference, each sent as a program sends it: custom fields, groups, invitations and users that
// change, colours, data exports and copies of folders.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { sample } from '#emulator/state/sample-ids.ts';
import { control, settled } from '#test/support/service/control.ts';
import { invalid, notFound, outcome, valuesOf } from '#test/support/service/records.ts';
import { send } from '#test/support/service/send.ts';
import { call, query, type Started, started } from '#test/support/service/start-emulator.ts';
import { receiving } from '../dispatch/receiver.ts';
import { createWebhook } from '../dispatch/subscribed.ts';
import { shows } from '../shows.ts';

/** Sends parameters as a form, or in the query, and gives back the records; fails where the answer is not 200 and of this kind. */
async function records(
  emulator: Started,
  request: string,
  kind: string,
  parameters: Record<string, unknown> = {},
) {
  const [method = '', path = ''] = request.split(' ');
  const init = method === 'POST' ? { body: new URLSearchParams(query(parameters)) } : {};
  const text = method === 'POST' ? '' : query(parameters);
  const { status, body } = await call(emulator, method, text === '' ? path : `${path}?${text}`, init);
  assert.deepEqual([status, body.kind], [200, kind], `${request}: ${JSON.stringify(body)}`);
  return body.data;
}

test('creates and changes a custom field, and accepts only the values in its settings', async (t) => {
  shows('reference-endpoints', 'default');
  const emulator = await started(t);
  const settings = { values: ['Red', 'Blue'], aggregation: 'None' };
  const [made] = await records(emulator, 'POST /customfields', 'customfields', {
    title: 'Paper',
    type: 'DropDown',
    settings,
    shareds: [sample.ben],
  });
  assert.match(made.id, /^IEAAAAAQJU[A-Z0-9]{6}$/);
  assert.deepEqual(
    [made.accountId, made.title, made.type, made.sharedIds],
    [sample.account, 'Paper', 'DropDown', [sample.ben]],
  );
  assert.deepEqual([made.settings.values, made.settings.aggregation], [['Red', 'Blue'], 'None']);
  const value = (text: string) =>
    `/tasks/${sample.task}?${query({ customFields: [{ id: made.id, value: text }] })}`;
  assert.equal((await call(emulator, 'PUT', value('Red'))).status, 200);
  assert.deepEqual(await outcome(emulator, 'PUT', value('Green')), invalid);
  const [changed] = await records(emulator, `PUT /customfields/${made.id}`, 'customfields', {
    title: 'Paper colour',
    settings: { values: ['Red', 'Green'] },
    addShareds: [sample.ada],
    removeShareds: [sample.ben],
  });
  assert.deepEqual(
    [changed.title, changed.settings.values, changed.settings.aggregation, changed.sharedIds],
    ['Paper colour', ['Red', 'Green'], 'None', [sample.ada]],
  );
  assert.equal((await call(emulator, 'PUT', value('Green'))).status, 200);
  assert.deepEqual(await records(emulator, `GET /customfields/${made.id}`, 'customfields'), [changed]);
  for (const path of [
    `/customfields/${made.id}?type=Colour`,
    `/customfields/${made.id}?addShareds=["KUAANONE"]`,
    ...[
      { values: 5 },
      { bogus: 1 },
      { values: [1] },
      { options: [{ color: 'Red' }] },
      { values: ['Red'], options: [{ value: 'Blue', color: 'Red' }] },
    ].map((settings) => `/customfields/${made.id}?${query({ settings })}`),
  ])
    assert.deepEqual(await outcome(emulator, 'PUT', path), invalid, path);
  const blue = { value: 'Blue', color: 'Turquoise' };
  for (const [settings, values, options] of [
    [{ options: [blue], readOnly: true }, ['Blue'], [blue]],
    [{ aggregation: 'None' }, ['Blue'], [blue]],
    [{ values: ['Pink'] }, ['Pink'], [{ value: 'Pink', color: 'Blue' }]],
  ] as const) {
    const [shown] = await records(emulator, `PUT /customfields/${made.id}`, 'customfields', { settings });
    assert.deepEqual([shown.settings.values, shown.settings.options], [values, options]);
    assert.equal(shown.settings.readOnly, true);
  }
  assert.deepEqual(await outcome(emulator, 'PUT', '/customfields/IEAAAAAQJUAANONE?title=x'), notFound);
});

test('a group has members and subgroups, is a contact, and can be deleted', async (t) => {
  const emulator = await started(t);
  const [made] = await records(emulator, 'POST /groups', 'groups', {
    title: 'Writers',
    members: [sample.ada],
    avatar: { letters: 'WR', color: '#795548' },
    metadata: [{ key: 'team', value: 'x' }],
  });
  const { id, avatarUrl, ...rest } = made;
  assert.match(id, /^KX[A-Z0-9]{6}$/);
  assert.match(avatarUrl, /^https:/);
  assert.deepEqual(rest, {
    accountId: sample.account,
    title: 'Writers',
    memberIds: [sample.ada],
    childIds: [],
    parentIds: [],
    myTeam: false,
  });
  const [inner] = await records(emulator, 'POST /groups', 'groups', { title: 'Editors', parent: id });
  const [changed] = await records(emulator, `PUT /groups/${id}`, 'groups', {
    title: 'All writers',
    addMembers: [sample.ben],
    removeMembers: [sample.ada],
  });
  assert.deepEqual(
    [changed.title, changed.memberIds, changed.childIds],
    ['All writers', [sample.ben], [inner.id]],
  );
  assert.deepEqual(await outcome(emulator, 'PUT', `/groups/${id}?parent=${inner.id}`), invalid);
  assert.deepEqual(await outcome(emulator, 'POST', '/groups'), [400, 'parameter_required']);
  const [detailed] = await records(emulator, `GET /groups/${id}`, 'groups', { fields: ['metadata'] });
  assert.deepEqual(detailed, { ...changed, metadata: [{ key: 'team', value: 'x' }] });
  assert.deepEqual(valuesOf(await records(emulator, 'GET /groups', 'groups'), 'id'), [id, inner.id]);
  const contact = (await records(emulator, 'GET /contacts', 'contacts', { type: 'Group' })).find(
    (one) => one.id === id,
  );
  assert.deepEqual(
    [contact.firstName, contact.lastName, contact.type, contact.timezone, contact.memberIds, contact.myTeam],
    ['All writers', '', 'Group', 'Z', [sample.ben], false],
  );
  assert.equal('email' in contact.profiles[0], false);
  assert.deepEqual(await records(emulator, `GET /contacts/${id}`, 'contacts'), [contact]);
  const fieldPath = `/customfields/${sample.dropDown}`;
  for (const path of [`/tasks/${sample.task}`, `/folders/${sample.folder}`, fieldPath]) {
    const share = async (name: string) => {
      const { status, body } = await call(emulator, 'PUT', `${path}?${query({ [name]: [id] })}`);
      assert.equal(status, 200, JSON.stringify(body));
      return body.data[0].sharedIds;
    };
    const shared = await share('addShareds');
    assert.equal(shared.at(-1), id);
    assert.deepEqual(await share('removeShareds'), shared.slice(0, -1));
  }
  assert.deepEqual(
    await outcome(emulator, 'PUT', `/tasks/${sample.task}?${query({ addResponsibles: [id] })}`),
    invalid,
  );
  // A check changes nothing.
  assert.deepEqual(await records(emulator, `DELETE /groups/${inner.id}?test`, 'groups'), []);
  assert.equal((await records(emulator, 'GET /groups', 'groups')).length, 2);
  assert.deepEqual(await records(emulator, `DELETE /groups/${id}`, 'groups'), []);
  const [left] = await records(emulator, 'GET /groups', 'groups');
  assert.deepEqual([left.id, left.parentIds], [inner.id, []]);
  assert.deepEqual(await outcome(emulator, 'GET', `/groups/${id}`), notFound);
});

test('an invitation can be created, changed, resent and withdrawn', async (t) => {
  const emulator = await started(t);
  const [made] = await records(emulator, 'POST /invitations', 'invitations', {
    email: 'dora@example.com',
    firstName: 'Dora',
    role: 'Collaborator',
    subject: 'Come in',
    message: 'We need you.',
  });
  assert.deepEqual(
    [made.email, made.firstName, made.role, made.external, made.status, made.inviterUserId],
    ['dora@example.com', 'Dora', 'Collaborator', false, 'Pending', sample.ada],
  );
  const listed = await records(emulator, 'GET /invitations', 'invitations');
  assert.deepEqual(
    listed.find(({ id }) => id === made.id),
    made,
  );
  const [changed] = await records(emulator, `PUT /invitations/${made.id}`, 'invitations', {
    role: 'User',
    external: true,
    resend: true,
  });
  assert.deepEqual([changed.role, changed.external], ['User', true]);
  assert.deepEqual(await records(emulator, `DELETE /invitations/${made.id}`, 'invitations'), []);
  assert.equal((await records(emulator, 'GET /invitations', 'invitations')).length, listed.length - 1);
});

test('changes the role of a user, in its own account only', async (t) => {
  const emulator = await started(t);
  const profile = { accountId: sample.account, role: 'Collaborator', external: true };
  const [user] = await records(emulator, `PUT /users/${sample.ben}`, 'users', { profile });
  assert.deepEqual(
    [user.id, user.firstName, user.profiles[0].role, user.profiles[0].external],
    [sample.ben, 'Ben', 'Collaborator', true],
  );
  assert.deepEqual(
    (await records(emulator, `GET /contacts/${sample.ben}`, 'contacts'))[0].profiles,
    user.profiles,
  );
  const other = query({ profile: { ...profile, accountId: sample.europeanAccount } });
  assert.deepEqual(await outcome(emulator, 'PUT', `/users/${sample.ben}?${other}`), invalid);
});

test('colours have names and codes', async (t) => {
  const colors = await records(await started(t), 'GET /colors', 'colors');
  assert.equal(colors.length, 13);
  assert.deepEqual(colors[0], { name: 'Brown', hex: '#795548' });
  for (const { hex } of colors) assert.match(hex, /^#[0-9A-F]{6}$/);
});

test('the first request starts a data export, which is ready later and downloads without a token', async (t) => {
  const emulator = await started(t);
  const first = await call(emulator, 'GET', '/data_export');
  assert.deepEqual([first.status, first.body.kind], [202, 'dataExport']);
  const [{ id, status, ...none }] = first.body.data;
  assert.deepEqual([status, none], ['InProgress', {}]);
  const [running] = await records(emulator, `GET /data_export/${id}`, 'dataExport');
  assert.deepEqual(running, { id, status: 'InProgress' });
  emulator.clock.move(1_000);
  const [done] = await records(emulator, 'GET /data_export', 'dataExport');
  assert.deepEqual([done.id, done.status, done.completedDate], [id, 'Completed', '2026-03-02T12:00:01Z']);
  const tables = await records(emulator, 'GET /data_export_schema', 'dataExportSchema');
  assert.deepEqual(valuesOf(done.resources, 'name'), valuesOf(tables, 'id'));
  const tasks = tables.find((table) => table.id === 'tasks');
  const columns = new Map<string, Record<string, unknown>>(
    tasks.columns.map((column: { id: string }) => [column.id, column]),
  );
  assert.equal(columns.get('title')?.['dataType'], 'String');
  assert.equal(columns.get('createdDate')?.['dataType'], 'Date');
  assert.equal(columns.get('recurrent')?.['dataType'], 'Boolean');
  await call(emulator, 'PUT', `/tasks/${sample.task}?${query({ title: 'Say "hello", twice' })}`);
  const { url } = done.resources.find(({ name }: { name: string }) => name === 'tasks');
  const file = await send(url, { method: 'GET', headers: {} });
  assert.equal(file.status, 200);
  assert.match(file.headers.get('content-type') ?? '', /^text\/csv/);
  const [head = '', ...lines] = file.text.trimEnd().split('\n');
  assert.deepEqual(
    head.split(','),
    [...columns.keys()].map((name) => `"${name}"`),
  );
  assert.ok(
    lines.some((line) => line.startsWith(`"${sample.task}"`) && line.includes('"Say ""hello"", twice"')),
  );
  assert.equal(
    lines.some((line) => line.includes(sample.europeanTask)),
    false,
  );
  // At most one in an hour.
  const again = await call(emulator, 'POST', '/data_export');
  assert.deepEqual([again.status, again.body.data[0].id], [200, id]);
  emulator.clock.move(3_600_000);
  const next = await call(emulator, 'POST', '/data_export');
  assert.deepEqual([next.status, next.body.data[0].status], [202, 'InProgress']);
  assert.notEqual(next.body.data[0].id, id);
  assert.deepEqual(await outcome(emulator, 'GET', '/data_export/unknown'), notFound);
  assert.equal((await send(url.replace(id, 'x'), { method: 'GET', headers: {} })).status, 404);
});

test('copies a folder with its contents, causing the events of new folders and tasks', async (t) => {
  const emulator = await started(t, { allowLocalHooks: true });
  const receiver = await receiving(t);
  await createWebhook(emulator, receiver, {});
  const copied = await records(emulator, `POST /copy_folder/${sample.folder}`, 'folders', {
    parent: sample.secondSpace,
    title: 'Website again',
    titlePrefix: 'Copy of ',
    addResponsibles: [sample.bot],
    removeResponsibles: [sample.ben],
    copyDescriptions: false,
    copyStatuses: false,
  });
  assert.equal(copied.length, 1);
  const [{ id, title, parentIds, childIds }] = copied;
  assert.deepEqual([title, parentIds, childIds.length], ['Website again', [sample.secondSpace], 1]);
  const [inner] = await records(emulator, `GET /folders/${childIds[0]}`, 'folders');
  assert.equal(inner.title, 'Copy of Copy');
  const read = async (taskId: string) => (await records(emulator, `GET /tasks/${taskId}`, 'tasks'))[0];
  const idsIn = async (folderId: string): Promise<string[]> =>
    valuesOf(await records(emulator, `GET /folders/${folderId}/tasks`, 'tasks'), 'id');
  const originals = await Promise.all((await idsIn(sample.folder)).map(read));
  const tasks = await Promise.all((await idsIn(id)).map(read));
  assert.deepEqual(
    valuesOf(tasks, 'title'),
    originals.map((task) => `Copy of ${task.title}`),
  );
  const page = tasks.find((task) => task.title === 'Copy of Write the launch page');
  assert.deepEqual(
    [page.responsibleIds, page.description, page.status, page.authorIds, page.subTaskIds.length],
    [[sample.bot], '', 'Active', [sample.ada], 1],
  );
  const subtask = await read(page.subTaskIds[0]);
  assert.deepEqual([subtask.superTaskIds, subtask.title.startsWith('Copy of ')], [[page.id], true]);
  assert.ok(tasks.every((task) => task.status === 'Active' && task.completedDate === undefined));
  await settled(emulator);
  const types = valuesOf(receiver.events, 'eventType');
  assert.deepEqual(
    types.filter((type: string) => type.startsWith('Folder')),
    ['FolderCreated', 'FolderCreated'],
  );
  assert.equal(types.filter((type: string) => type === 'TaskCreated').length > tasks.length, true);
});

test('rejects what cannot be copied; a full copy has statuses, people and fields', async (t) => {
  const emulator = await started(t);
  const copy = (folderId: string, parameters: Record<string, unknown>) =>
    call(emulator, 'POST', `/copy_folder/${folderId}`, { form: parameters });
  const into = { parent: sample.space, title: 'Copy' };
  for (const [folderId, parameters, error] of [
    [sample.folder, { title: 'x' }, 'parameter_required'],
    [sample.folder, { ...into, parent: 'IEAAAAAQI4AABNONE' }, 'invalid_parameter'],
    [sample.folder, { ...into, entryLimit: 2 }, 'invalid_parameter'],
    [sample.folder, { ...into, entryLimit: 251 }, 'invalid_parameter'],
    [sample.folder, { ...into, rescheduleDate: '2026-06-01' }, 'invalid_parameter'],
    [sample.folder, { ...into, copyCustomStatuses: false }, 'invalid_parameter'],
    [sample.root, into, 'invalid_request'],
  ] as const) {
    const { status, body } = await copy(folderId, parameters);
    assert.deepEqual([status, body.error], [400, error], JSON.stringify(parameters));
  }
  const { body } = await copy(sample.folder, into);
  assert.deepEqual(body.data[0].customFields, [{ id: sample.text, value: 'Landing pages' }]);
  const ids = valuesOf(await records(emulator, `GET /folders/${body.data[0].id}/tasks`, 'tasks'), 'id');
  const tasks = await records(emulator, `GET /tasks/${ids.join(',')}`, 'tasks');
  const titled = (title: string) => tasks.find((task) => task.title === title);
  assert.equal(titled('Buy the domain').status, 'Completed');
  const [original] = await records(emulator, `GET /tasks/${sample.task}`, 'tasks');
  for (const member of ['responsibleIds', 'description', 'customFields', 'dates', 'metadata'])
    assert.deepEqual(titled(original.title)[member], original[member], member);
});

test('an asynchronous copy is a job that names the copy once complete', async (t) => {
  const emulator = await started(t);
  const path = `/copy_folder_async/${sample.folder}`;
  const [job] = await records(emulator, `POST ${path}`, 'asyncJob', { parent: sample.space, title: 'Later' });
  assert.deepEqual(
    [job.type, job.status, job.progressPercent, job.result],
    ['CopyFolder', 'InProgress', 0, undefined],
  );
  emulator.clock.move(1_000);
  const [done] = await records(emulator, `GET /async_job/${job.id}`, 'asyncJob');
  assert.deepEqual([done.status, done.progressPercent, done.results], ['Completed', 100, undefined]);
  const [folder] = await records(emulator, `GET /folders/${done.result.folderId}`, 'folders');
  assert.equal(folder.title, 'Later');
  const tooMany = `${path}?${query({ parent: sample.space, title: 'x', entryLimit: 1 })}`;
  assert.deepEqual(await outcome(emulator, 'POST', tooMany), invalid);
});

test('users, groups and invitations accept only their own scopes', async (t) => {
  shows('operation-scopes', 'default');
  const emulator = await started(t);
  const ask = async (scope: string, method: string, path: string) => {
    const { token } = await control(emulator, 'POST', '/tokens', { userId: sample.ada, scopes: [scope] });
    return (await call(emulator, method, path, { token })).status;
  };
  for (const [scope, method, path, status] of [
    ['Default', 'GET', '/groups', 403],
    ['amReadOnlyGroup', 'GET', '/groups', 200],
    ['amReadOnlyGroup', 'POST', '/groups?title=x', 403],
    ['amReadWriteGroup', 'POST', '/groups?title=x', 200],
    ['wsReadWrite', 'POST', '/invitations?email=x%40example.com', 403],
    ['amReadWriteInvitation', 'POST', '/invitations?email=x%40example.com', 200],
    ['Default', 'PUT', `/users/${sample.ben}?profile=%7B%7D`, 403],
    ['amReadWriteUser', 'PUT', `/users/${sample.ben}?profile=%7B%7D`, 400],
    ['wsReadOnly', 'GET', '/colors', 200],
    ['wsReadOnly', 'GET', '/data_export_schema', 200],
  ] as const)
    assert.equal(await ask(scope, method, path), status, `${scope} ${method} ${path}`);
});

test('reports a parameter without effect in these requests as ignored', async (t) => {
  const emulator = await started(t);
  const [group] = await records(emulator, 'POST /groups', 'groups', { title: 'Writers' });
  const avatar = { letters: 'WR', color: '#795548' };
  for (const [request, parameters, ignored] of [
    [
      'POST /invitations',
      { email: 'dora@example.com', subject: 'Come in', message: 'Now' },
      'subject, message',
    ],
    [`PUT /invitations/${sample.invitation}`, { resend: true, role: 'Collaborator' }, 'resend'],
    ['POST /groups', { title: 'Editors', avatar }, 'avatar'],
    [`PUT /groups/${group.id}`, { avatar }, 'avatar'],
    [`PUT /groups/${group.id}`, { title: 'Editors' }, null],
    ['GET /data_export_schema', { version: 'V1' }, 'version'],
  ] as const) {
    const [method = '', path = ''] = request.split(' ');
    const { status, headers } = await call(emulator, method, `${path}?${query(parameters)}`);
    assert.deepEqual([status, headers.get('emulator-ignored-parameters')], [200, ignored], request);
  }
});

test('plainText strips the tags from timelog comments', async (t) => {
  const emulator = await started(t);
  const path = `/tasks/${sample.task}/timelogs`;
  const log = { hours: 1, trackedDate: '2026-03-02', comment: 'a <b>bold</b> &amp; long day' };
  await records(emulator, `POST ${path}`, 'timelogs', log);
  for (const [plainText, comment] of [
    [true, 'a bold & long day'],
    [false, log.comment],
  ])
    assert.equal((await records(emulator, `GET ${path}`, 'timelogs', { plainText })).at(-1).comment, comment);
});
