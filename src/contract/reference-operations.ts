// The operations that only an old public reference of the service shows. It has no errors, and later members may be missing.

import { customFields, folders } from './account-operations.ts';
import { asyncJob } from './batch-operation.ts';
import { customFieldType, shownMetadata } from './custom-field-schemas.ts';
import { day } from './date.ts';
import { identifier } from './identifier.ts';
import { assumed, named, operation } from './operation.ts';
import { invitationRecord, userRecord } from './read-only-records.ts';
import { anyText, assumedMembers, boolean, choice, list, number, object, optional, text } from './schema.ts';
import { metadataEntry, title } from './task.ts';

const row = 'reference-endpoints';
const evidence = assumed(row);
const required = { required: true } as const;
const notEmpty = text('text', { notEmpty: true });
const userId = identifier('UserId');
const ids = list(userId);
const relatives = { memberIds: ids, childIds: ids, parentIds: ids };
const shownOfGroup = { ...relatives, avatarUrl: anyText, myTeam: boolean, metadata: shownMetadata };
const groupMembers = { accountId: identifier('AccountId'), title: anyText, ...shownOfGroup };
const groupRecord = object('Group', { id: userId, ...assumedMembers(row, groupMembers) });
const colorRecord = object('Color', assumedMembers(row, { name: anyText, hex: anyText }));
const file = object('ExportedFile', { name: anyText, url: anyText });
const exportMembers = { status: anyText, completedDate: anyText, resources: list(file) };
const dataExportRecord = object('DataExport', { id: anyText, ...assumedMembers(row, exportMembers) });
const dataType = choice('data type', ['Number', 'String', 'Date', 'Boolean']);
const column = object('ExportedColumn', { id: anyText, alias: anyText, dataType });
const tableMembers = { alias: anyText, columns: list(column) };
const exportedTable = object('ExportedTable', { id: anyText, ...assumedMembers(row, tableMembers) });
const fields = { ...customFields, ...evidence } as const;
const onOff = { optionColorsEnabled: boolean, allowOtherValues: boolean, useThousandsSeparator: boolean };
const words = { inheritanceType: anyText, aggregation: anyText, currency: anyText };
const option = object('Option', { value: anyText, ...assumedMembers(row, { color: anyText }) });
const fieldSettings = object('Settings', {
  ...assumedMembers(row, { values: list(anyText), options: list(option), readOnly: boolean }),
  ...assumedMembers(row, { ...onOff, ...words, applicableEntityTypes: list(anyText) }),
  ...assumedMembers(row, { decimalPlaces: number('places', { from: 0, integer: true }) }),
});
const settings = { schema: fieldSettings, meaning: 'Settings of its type, such as its values' } as const;
const newField = {
  title: { schema: notEmpty, meaning: 'Title', ...required },
  type: { schema: customFieldType, meaning: 'Type of its values', ...required },
  settings,
  shareds: { schema: ids, meaning: 'Share it with users' },
} as const;
const fieldUpdate = {
  title: { schema: notEmpty, meaning: 'Title' },
  type: { schema: customFieldType, meaning: 'Type of its values' },
  settings,
  addShareds: { schema: ids, meaning: 'Share it with more users' },
  removeShareds: { schema: ids, meaning: 'Stop sharing it with users' },
} as const;
export const avatar = object('Avatar', {
  letters: text('letters', { max: 2, notEmpty: true }),
  color: text('color', { pattern: { regex: /^#[0-9A-Fa-f]{6}$/, description: '# and six hex digits' } }),
});
const groupUpdate = {
  title: { schema: title, meaning: 'Title' },
  parent: { schema: userId, meaning: 'The group that it is in' },
  avatar: { schema: avatar, meaning: 'Letters and color of its picture' },
  metadata: { schema: list(metadataEntry), meaning: 'Set or remove metadata entries' },
  addMembers: { schema: ids, meaning: 'Add users' },
  removeMembers: { schema: ids, meaning: 'Remove users' },
} as const;
const { addMembers: _, removeMembers: __, ...groupRest } = groupUpdate;
const newTitle = { ...groupRest.title, ...required } as const;
const newGroup = { ...groupRest, title: newTitle, members: { schema: ids, meaning: 'Its users' } } as const;
export const role = choice('role', ['User', 'Collaborator']);
const profile = object('Profile', { accountId: identifier('AccountId'), role, external: optional(boolean) });
const again = {
  resend: { schema: boolean, meaning: 'Send the e-mail again' },
  role: { schema: role, meaning: 'The role in the account' },
  external: { schema: boolean, meaning: 'From outside the company' },
} as const;
const newInvitation = {
  email: { schema: notEmpty, meaning: 'Whom to invite', ...required },
  firstName: { schema: notEmpty, meaning: 'First name' },
  lastName: { schema: notEmpty, meaning: 'Last name' },
  role: again.role,
  external: again.external,
  subject: { schema: notEmpty, meaning: 'Subject of the e-mail' },
  message: { schema: anyText, meaning: 'Text of the e-mail' },
} as const;
const copied = (meaning: string) => ({ schema: boolean, meaning, default: true });
const entries = number('entries', { from: 1, below: 251, integer: true });
const copyParameters = {
  parent: { schema: identifier('FolderId'), meaning: 'Where to put the copy', ...required },
  title: { schema: title, meaning: 'Title of the copy', ...required },
  titlePrefix: { schema: anyText, meaning: 'What the titles in it begin with' },
  copyDescriptions: copied('With descriptions'),
  copyResponsibles: copied('With assignees'),
  addResponsibles: { schema: ids, meaning: 'Assign users to each task' },
  removeResponsibles: { schema: ids, meaning: 'Assign these users to no task' },
  copyCustomFields: copied('With custom fields'),
  copyCustomStatuses: copied('With custom statuses'),
  copyStatuses: copied('With statuses; otherwise each task is active'),
  copyParents: { schema: boolean, meaning: 'Also into the other folders of each', default: false },
  rescheduleDate: { schema: day, meaning: 'Move all dates to begin or end on this day' },
  rescheduleMode: { schema: choice('mode', ['Start', 'End']), meaning: 'Whether to begin or end on it' },
  entryLimit: { schema: entries, meaning: 'The most folders and tasks to copy', default: 250 },
} as const;
const groups = { ...evidence, kind: 'groups', record: groupRecord, scopes: ['amReadWriteGroup'] } as const;
const readGroups = { ...groups, scopes: ['amReadOnlyGroup', 'amReadWriteGroup'] } as const;
const invited = { record: invitationRecord, scopes: ['amReadWriteInvitation'] } as const;
export const invitations = { ...evidence, kind: 'invitations', ...invited } as const;
export const users = { ...evidence, kind: 'users', record: userRecord, scopes: ['amReadWriteUser'] } as const;
const dataExport = { ...evidence, kind: 'dataExport', record: dataExportRecord } as const;
const tables = { ...evidence, kind: 'dataExportSchema', record: exportedTable } as const;
const copy = { ...evidence, parameters: copyParameters } as const;
const also = choice('field name', ['metadata']);
const one = { fields: { schema: list(also), meaning: 'Also return these' } } as const;
const test = { test: { schema: boolean, meaning: 'Only check whether it can be deleted' } } as const;
const profiles = { profile: { schema: profile, meaning: 'Role in the account', ...required } } as const;
const version = { version: { schema: choice('version', ['V0', 'V1']), meaning: 'Of the schema' } } as const;

export const referenceOperations = {
  createCustomField: operation('POST', '/customfields', { ...fields, parameters: newField }),
  updateCustomField: operation('PUT', '/customfields/{customFieldId}', {
    ...fields,
    parameters: fieldUpdate,
  }),
  listGroups: operation('GET', '/groups', { ...readGroups, ...named(row) }),
  getGroup: operation('GET', '/groups/{groupId}', { ...readGroups, parameters: one }),
  createGroup: operation('POST', '/groups', { ...groups, parameters: newGroup }),
  updateGroup: operation('PUT', '/groups/{groupId}', { ...groups, parameters: groupUpdate }),
  deleteGroup: operation('DELETE', '/groups/{groupId}', { ...groups, parameters: test }),
  createInvitation: operation('POST', '/invitations', { ...invitations, parameters: newInvitation }),
  updateInvitation: operation('PUT', '/invitations/{invitationId}', { ...invitations, parameters: again }),
  deleteInvitation: operation('DELETE', '/invitations/{invitationId}', invitations),
  updateUser: operation('PUT', '/users/{userId}', { ...users, parameters: profiles }),
  getColors: operation('GET', '/colors', { ...evidence, kind: 'colors', record: colorRecord }),
  getLatestDataExport: operation('GET', '/data_export', dataExport),
  createDataExport: operation('POST', '/data_export', dataExport),
  getDataExport: operation('GET', '/data_export/{dataExportId}', dataExport),
  getDataExportSchema: operation('GET', '/data_export_schema', { ...tables, parameters: version }),
  copyFolder: operation('POST', '/copy_folder/{folderId}', { ...folders, ...copy }),
  copyFolderAsync: operation('POST', '/copy_folder_async/{folderId}', { ...asyncJob, ...copy }),
} as const;
