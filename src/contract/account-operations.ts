// The operations that read the account, its people, its folders and spaces, custom fields and workflows.

import { assumed, named, operation, withNames } from './operation.ts';
import {
  accountRecord,
  auditLogRecord,
  contactRecord,
  customFieldRecord,
  folderField,
  folderRecord,
  spaceRecord,
  workflowRecord,
} from './read-only-records.ts';
import { anyText, boolean, list, text } from './schema.ts';
import { scopes, workflowReadScopes } from './scope.ts';
import { taskFilters, timestampRange } from './task-list.ts';

const shapes = named('record-shapes');
const contacts = { kind: 'contacts', record: contactRecord } as const;
export const folders = { kind: 'folders', record: folderRecord } as const;
export const spaces = { ...shapes, kind: 'spaces', record: spaceRecord } as const;
export const customFields = { ...shapes, kind: 'customfields', record: customFieldRecord } as const;
export const workflows = {
  ...shapes,
  scopes: workflowReadScopes,
  kind: 'workflows',
  record: workflowRecord,
} as const;
/** For reading one folder, or several by their ids. */
const folderFields = { fields: { schema: list(folderField), meaning: 'Also return these fields' } } as const;
/** For lists of folders. Any of them but `deleted` turns the tree into a list of records; so does descendants=false. */
const folderFilters = {
  descendants: { schema: boolean, meaning: 'With nested folders (true by default)' },
  project: { schema: boolean, meaning: 'Only projects, or only other folders' },
  title: { schema: text('title'), meaning: 'By a part of the title, ignoring case' },
  permalink: { schema: text('permalink', { notEmpty: true }), meaning: 'By its link in the web workspace' },
  metadata: taskFilters.metadata,
  customField: taskFilters.customField,
  customFields: taskFilters.customFields,
  updatedDate: taskFilters.updatedDate,
  contractTypes: { schema: list(anyText), meaning: 'Only projects with one of these contract types' },
  deleted: { schema: boolean, meaning: 'Only what is in the recycle bin, or only the rest' },
  ...folderFields,
} as const;
export const folderTree = { ...folders, alsoKind: 'folderTree', parameters: folderFilters } as const;
const contactFilters = {
  me: { schema: boolean, meaning: 'Only yourself', isFlag: true },
  email: { schema: text('e-mail'), meaning: 'By e-mail address' },
  name: { schema: text('name'), meaning: 'By name' },
  type: { schema: text('type'), meaning: 'Person, Group or Robot' },
  active: { schema: boolean, meaning: 'Only active ones' },
  deleted: { schema: boolean, meaning: 'Only those who left the account, or only the others' },
  metadata: taskFilters.metadata,
} as const;

export const accountOperations = withNames({
  getAccount: operation('GET', '/account', { ...shapes, kind: 'accounts', record: accountRecord }),
  listContacts: operation('GET', '/contacts', {
    parameters: contactFilters,
    ...contacts,
    ...named('contact-filters'),
  }),
  getContacts: operation('GET', '/contacts/{contactIds}', { ...contacts, ...assumed('read-by-id') }),
  listSpaces: operation('GET', '/spaces', {
    ...spaces,
    parameters: {
      withArchived: { schema: boolean, meaning: 'Also archived ones' },
      userIsMember: { schema: boolean, meaning: 'Only where you are a member' },
    },
  }),
  listFolders: operation('GET', '/folders', {
    ...folderTree,
    pages: 'filtered',
    ...named('folder-list-kind'),
  }),
  getFolders: operation('GET', '/folders/{folderIds}', {
    ...folders,
    ...assumed('read-by-id'),
    parameters: folderFields,
  }),
  listCustomFields: operation('GET', '/customfields', customFields),
  listSpaceCustomFields: operation('GET', '/spaces/{spaceId}/customfields', customFields),
  listWorkflows: operation('GET', '/workflows', workflows),
  listSpaceWorkflows: operation('GET', '/spaces/{spaceId}/workflows', workflows),
  listAuditLog: operation('GET', '/audit_log', {
    // The contract does not show which it needs, so any will do.
    scopes,
    parameters: {
      eventDate: { schema: timestampRange, meaning: 'By when it happened' },
      operations: { schema: list(anyText), meaning: 'By operation' },
    },
    kind: 'auditLog',
    record: auditLogRecord,
    ...named('audit-log'),
  }),
});
