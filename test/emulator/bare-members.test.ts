// With --bare, the response to every operation has only members that the contract shows, at every depth.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { operations } from '#contract/operations.ts';
import { otherOperations } from '#contract/other-operation.ts';
import type { EmulatorOptions } from '#emulator/emulator.ts';
import { call, query, started } from '#test/support/service/start-emulator.ts';
import { bareMembers } from '../witness/bare-members.ts';
import { shows } from './shows.ts';

const task = '/tasks/IEAAAAAQKQAB5BNG';
const folder = '/folders/IEAAAAAQI4AB5FLD';
const space = '/spaces/IEAAAAAQI5AB5SPC';
const fields = ['billingType', 'workScheduleId', 'effortAllocation', 'responsiblePlaceholderIds'];
const moreFields = [...fields, 'attachmentCount', 'recurrent', 'cascadingFieldSettings', 'finance'];
const tasks = '/tasks/IEAAAAAQKQAB5BNG,IEAAAAAQKQAB5BUG,IEAAAAAQKQAB5DON,IEAAAAAQKQAB5REC';
const hook = { hookUrl: 'https://hooks.example.com/', events: '[TaskCreated]' };
const text = { text: 'x' };
const hours = { hours: '1', trackedDate: '2026-03-02' };
const operation = { method: 'POST', path: `${folder}/folders`, parameters: { title: 'x' } };
const copy = { parent: 'IEAAAAAQI5AB5SPC', title: 'x' };
const effort = { mode: 'Flexible', dailyAllocationPercentage: 50, totalEffort: 60, allocatedEffort: 60 };
const setResponsibleAllocation = [
  { placeholderId: 'IEAAAAAQNVAB5DEV', dailyAllocation: [{ date: '2026-03-02', effortMinutes: 60 }] },
];
const dates = { start: '2026-03-02', due: '2026-03-06', workOnWeekends: true };

type Row = readonly [path: string, parameters?: Readonly<Record<string, string>>];

/** In this order: {comment} and the like stand for the id of the record that the one before them responded with. */
const requests: Readonly<Record<string, Row>> = {
  updateTask: [`${task}?${query({ fields, dates, effortAllocation: effort, setResponsibleAllocation })}`],
  getTasks: [`${tasks}?${query({ fields: moreFields })}`],
  listTasks: ['/tasks'],
  listFolderTasks: [`${folder}/tasks`],
  listSpaceTasks: [`${space}/tasks`],
  createTask: [`${folder}/tasks`, { title: 'x' }],
  createSpaceTask: [`${space}/tasks`, { title: 'x' }],
  createFolder: [`${folder}/folders`, { title: 'x' }],
  createSpaceFolder: [`${space}/folders`, { title: 'x' }],
  updateTasks: ['/tasks/IEAAAAAQKQAB5BNG,IEAAAAAQKQAB5BUG'],
  updateFolder: ['/folders/{createSpaceFolder}', { title: 'y' }],
  updateFolders: ['/folders/{createSpaceFolder},IEAAAAAQI4AB5SUB'],
  deleteFolder: ['/folders/{createSpaceFolder}'],
  deleteTask: ['/tasks/{createSpaceTask}'],
  createTaskComment: [`${task}/comments`, text],
  createFolderComment: [`${folder}/comments`, text],
  listTaskComments: [`${task}/comments`],
  listFolderComments: [`${folder}/comments`],
  listComments: ['/comments'],
  getComments: ['/comments/{createTaskComment}'],
  updateComment: ['/comments/{createTaskComment}', text],
  deleteComment: ['/comments/{createTaskComment}'],
  createTaskAttachment: [`${task}/attachments`, { name: 'a.pdf' }],
  createFolderAttachment: [`${folder}/attachments`, { name: 'a.pdf' }],
  listTaskAttachments: [`${task}/attachments`],
  listFolderAttachments: [`${folder}/attachments`],
  listAttachments: ['/attachments?withUrls=true'],
  getAttachments: ['/attachments/{createTaskAttachment}?withUrls=true'],
  getAttachmentUrl: ['/attachments/{createTaskAttachment}/url'],
  updateAttachment: ['/attachments/{createTaskAttachment}', { name: 'a.pdf' }],
  deleteAttachment: ['/attachments/{updateAttachment}'],
  createTaskTimelog: [`${task}/timelogs`, hours],
  listTaskTimelogs: [`${task}/timelogs`],
  listFolderTimelogs: [`${folder}/timelogs`],
  listContactTimelogs: ['/contacts/KUAAADAQ/timelogs'],
  listTimelogs: ['/timelogs'],
  getTimelogs: ['/timelogs/{createTaskTimelog}'],
  updateTimelog: ['/timelogs/{createTaskTimelog}', hours],
  deleteTimelog: ['/timelogs/{createTaskTimelog}'],
  listTimelogCategories: ['/timelog_categories'],
  listTimesheets: ['/timesheets'],
  listTaskLockPeriods: [`${task}/timelog_lock_periods`],
  listFolderLockPeriods: [`${folder}/timelog_lock_periods`],
  listSpaceLockPeriods: [`${space}/timelog_lock_periods`],
  convertIds: ['/ids?type=ApiV2Task&ids=%5B%221002000294%22%5D'],
  createTaskDependency: [`${task}/dependencies`, { successorId: 'IEAAAAAQKQAB5BUG' }],
  updateDependency: ['/dependencies/{createTaskDependency}', { relationType: 'StartToStart' }],
  listTaskDependencies: [`${task}/dependencies`],
  getDependencies: ['/dependencies/{createTaskDependency}'],
  deleteDependency: ['/dependencies/{createTaskDependency}'],
  batch: ['/batch', { operations: JSON.stringify([operation]) }],
  getAsyncJob: ['/async_job/{batch}'],
  createWebhook: ['/webhooks', hook],
  createFolderWebhook: [`${folder}/webhooks`, { ...hook, recursive: 'true' }],
  createSpaceWebhook: [`${space}/webhooks`, { ...hook, recursive: 'true' }],
  listWebhooks: ['/webhooks'],
  getWebhooks: ['/webhooks/{createFolderWebhook}'],
  updateWebhook: ['/webhooks/{createFolderWebhook}', { status: 'Suspended' }],
  deleteWebhook: ['/webhooks/{createFolderWebhook}'],
  getAccount: ['/account'],
  listContacts: ['/contacts'],
  getContacts: ['/contacts/KUAABENQ'],
  getUsers: ['/users/KUAABENQ'],
  listSpaces: ['/spaces'],
  getSpaces: [space],
  listFolders: ['/folders'],
  getFolders: ['/folders/IEAAAAAQI4AB5FLD,IEAAAAAQI4AB5PRJ'],
  listSubfolders: [`${folder}/folders`],
  listSpaceFolders: [`${space}/folders`],
  listCustomFields: ['/customfields'],
  listSpaceCustomFields: [`${space}/customfields`],
  getCustomFields: ['/customfields/IEAAAAAQJUAB5TXT'],
  listWorkflows: ['/workflows'],
  listSpaceWorkflows: [`${space}/workflows`],
  getWorkflows: ['/workflows/{listSpaceWorkflows}'],
  listAuditLog: ['/audit_log'],
  createGroup: ['/groups', { title: 'x' }],
  updateGroup: ['/groups/{createGroup}', { avatar: '{"letters":"X","color":"#795548"}' }],
  listGroups: ['/groups'],
  getGroup: ['/groups/{createGroup}?fields=%5B%22metadata%22%5D'],
  deleteGroup: ['/groups/{createGroup}'],
  createInvitation: ['/invitations', { email: 'x@example.com' }],
  updateInvitation: ['/invitations/{createInvitation}', { role: 'User' }],
  listInvitations: ['/invitations'],
  deleteInvitation: ['/invitations/{createInvitation}'],
  updateUser: ['/users/KUAABENQ', { profile: '{"accountId":"IEAAAAAQ","role":"User"}' }],
  createCustomField: ['/customfields', { title: 'x', type: 'Text' }],
  updateCustomField: ['/customfields/{createCustomField}', { title: 'y' }],
  getColors: ['/colors'],
  createDataExport: ['/data_export', {}],
  getLatestDataExport: ['/data_export'],
  getDataExport: ['/data_export/{createDataExport}'],
  getDataExportSchema: ['/data_export_schema'],
  copyFolder: ['/copy_folder/IEAAAAAQI4AB5FLD', copy],
  copyFolderAsync: ['/copy_folder_async/IEAAAAAQI4AB5FLD', copy],
  getVersion: ['/version'],
};

/** These respond with the bytes of a file. */
const files: readonly string[] = [
  ...['downloadAttachment', 'downloadNamedAttachment', 'previewAttachment', 'previewNamedAttachment'],
];

/** The names of the members of a value, each after those of the objects that it is in. */
function membersOf(value: unknown, path: readonly string[] = []): readonly string[] {
  if (Array.isArray(value)) return value.flatMap((entry: unknown) => membersOf(entry, path));
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([name, member]) => {
    const here = [...path, name];
    return [here.join('.'), ...membersOf(member, here)];
  });
}

/** By kind, the members of the responses to all of the requests. */
async function walk(t: Parameters<typeof started>[0], options: EmulatorOptions) {
  const emulator = await started(t, options);
  const rows = { ...operations, ...otherOperations };
  const ids = new Map<string, string>();
  const shown = new Map<string, Set<string>>();
  for (const [name, [path, parameters]] of Object.entries(requests)) {
    const row = Object.entries(rows).find(([rowName]) => rowName === name)?.[1];
    assert.ok(row, name);
    const target = path.replace(/\{(\w+)\}/, (_, of: string) => ids.get(of) ?? of);
    const init = parameters === undefined ? {} : { body: new URLSearchParams(parameters) };
    const { status, body } = await call(emulator, row.method, target, init);
    assert.equal(status, name === 'createDataExport' ? 202 : 200, `${name}: ${JSON.stringify(body)}`);
    if (name === 'batch' || name === 'createDataExport') emulator.clock.move(2_000);
    assert.deepEqual(Object.keys(body).sort(), ['data', 'kind'], name);
    if (body.data[0]?.id !== undefined) ids.set(name, body.data[0].id);
    const members = shown.get(body.kind) ?? new Set();
    shown.set(body.kind, members);
    for (const member of membersOf(body.data)) members.add(member);
  }
  return new Map([...shown].map(([kind, members]) => [kind, [...members].sort()]));
}

test('every operation has a request here', () => {
  assert.deepEqual(
    [...Object.keys(requests), ...files].sort(),
    [...Object.keys(operations), ...Object.keys(otherOperations)].sort(),
  );
});

test('with --bare a response has only the members in the contract, at every depth', async (t) => {
  shows('record-shapes', 'bare');
  shows('webhook-record', 'bare');
  shows('read-by-id', 'bare');
  shows('audit-log', 'bare');
  shows('task-items', 'bare');
  shows('task-dependencies', 'bare');
  shows('batch', 'bare');
  shows('version', 'bare');
  shows('file-contents', 'bare');
  shows('invitations', 'bare');
  shows('reference-endpoints', 'bare');
  shows('timelog-groups', 'bare');
  const shown = await walk(t, { mode: 'bare' });
  assert.deepEqual([...shown.keys()].sort(), Object.keys(bareMembers).sort());
  for (const [kind, members] of shown) assert.deepEqual(members, [...(bareMembers[kind] ?? [])].sort(), kind);
});

test('by default records have more members, in each kind that has records', async (t) => {
  const none = ['accounts', 'tasks', 'timelogLockPeriods', 'timesheet'];
  const shown = await walk(t, {});
  const more = [...shown].filter(([kind, members]) => members.length > (bareMembers[kind]?.length ?? 0));
  assert.deepEqual(
    more.map(([kind]) => kind).sort(),
    Object.keys(bareMembers)
      .filter((kind) => !none.includes(kind))
      .sort(),
  );
});
