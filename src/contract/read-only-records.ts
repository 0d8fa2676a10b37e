// The other records that `wm` reads. The contract shows few of their members; public integrations show most of the assumed ones.

import { customFieldValue, shownMetadata } from './custom-field-schemas.ts';
import { timestampSchema } from './date.ts';
import { identifier } from './identifier.ts';
import * as s from './schema.ts';
import { words } from './words.ts';

export const accountRecord = s.object('Account', {
  id: identifier('AccountId'),
  name: s.optional(s.anyText),
  dateFormat: s.optional(s.anyText),
  firstDayOfWeek: s.optional(s.anyText),
  workDays: s.optional(s.list(s.anyText)),
  rootFolderId: s.optional(identifier('FolderId')),
  recycleBinId: s.optional(identifier('FolderId')),
  createdDate: s.optional(timestampSchema),
  joinedDate: s.optional(timestampSchema),
});
export type Account = s.TypeOf<typeof accountRecord>;

export const contactRecord = s.object('Contact', {
  /** A group is a contact, but not a user. */
  id: s.anyText,
  firstName: s.optional(s.anyText),
  lastName: s.optional(s.anyText),
  /** Person, Group, Robot. */
  type: s.optional(s.anyText),
  profiles: s.optional(s.list(s.anyJson)),
  avatarUrl: s.optional(s.anyText),
  timezone: s.optional(s.anyText),
  locale: s.optional(s.anyText),
  deleted: s.optional(s.boolean),
  me: s.optional(s.boolean),
  ...s.assumedMembers('record-shapes', {
    title: s.anyText,
    companyName: s.anyText,
    phone: s.anyText,
    primaryEmail: s.anyText,
    /** Of a group. */
    memberIds: s.list(s.anyText),
    myTeam: s.boolean,
  }),
});
export type Contact = s.TypeOf<typeof contactRecord>;

const { id: contactId, ...contactMembers } = contactRecord.shape;
/** Assumed to be like a contact. */
export const userRecord = s.object('User', {
  id: contactId,
  ...s.assumedMembers('read-by-id', contactMembers),
});

/** A project is a folder with a `project` object; a space is a folder of its own kind. */
export const folderRecord = s.object('Folder', {
  id: identifier('FolderId'),
  accountId: s.assumed(identifier('AccountId'), 'record-shapes'),
  title: s.optional(s.anyText),
  description: s.assumed(s.anyText, 'record-shapes'),
  childIds: s.optional(s.list(identifier('FolderId'))),
  parentIds: s.assumed(s.list(identifier('FolderId')), 'record-shapes'),
  sharedIds: s.assumed(s.list(identifier('UserId')), 'record-shapes'),
  scope: s.assumed(s.anyText, 'record-shapes'),
  permalink: s.assumed(s.anyText, 'permalinks'),
  metadata: s.assumed(shownMetadata, 'record-shapes'),
  customFields: s.optional(s.list(customFieldValue)),
  customItemTypeId: s.optional(identifier('EntityTypeId')),
  createdDate: s.assumed(timestampSchema, 'record-shapes'),
  updatedDate: s.assumed(timestampSchema, 'record-shapes'),
  workflowId: s.assumed(s.anyText, 'record-shapes'),
  project: s.optional(s.anyJson),
  ...s.assumedMembers('record-shapes', {
    superParentIds: s.list(identifier('FolderId')),
    hasAttachments: s.boolean,
    briefDescription: s.anyText,
    attachmentCount: s.number('count', { integer: true }),
    customColumnIds: s.list(identifier('CustomFieldId')),
    color: s.anyText,
    space: s.boolean,
  }),
});
export type Folder = s.TypeOf<typeof folderRecord>;

/** The fields of a folder that a response about one folder shows, and a list only if `fields` requests them. */
const fieldsOfOneFolder = ['superParentIds', 'hasAttachments', 'metadata', 'customFields'] as const;

/** The members that not every response shows. */
export const folderField = s.choice('field name', [
  ...fieldsOfOneFolder,
  ...words('description briefDescription attachmentCount customColumnIds color space'),
]);
export type FolderField = s.TypeOf<typeof folderField>;

/** The fields that each response shows without `fields`; those of a tree have none of them. */
export const shownFolderFields: Readonly<Record<'list' | 'one', readonly FolderField[]>> = {
  list: ['description'],
  one: ['description', ...fieldsOfOneFolder],
};

export const spaceRecord = s.object('Space', {
  id: identifier('FolderId'),
  ...s.assumedMembers('record-shapes', {
    title: s.anyText,
    avatarUrl: s.anyText,
    accessType: s.anyText,
    archived: s.boolean,
    guestRoleId: s.anyText,
    defaultProjectWorkflowId: s.anyText,
    defaultTaskWorkflowId: s.anyText,
  }),
});
export type Space = s.TypeOf<typeof spaceRecord>;

export const customFieldRecord = s.object('CustomFieldDefinition', {
  id: identifier('CustomFieldId'),
  ...s.assumedMembers('record-shapes', {
    accountId: identifier('AccountId'),
    title: s.anyText,
    type: s.anyText,
    spaceId: identifier('FolderId'),
    sharedIds: s.list(s.anyText),
    sharing: s.anyJson,
    settings: s.anyJson,
    description: s.anyText,
    archived: s.boolean,
  }),
});
export type CustomFieldDefinition = s.TypeOf<typeof customFieldRecord>;

export const workflowRecord = s.object('Workflow', {
  id: s.anyText,
  ...s.assumedMembers('record-shapes', {
    name: s.anyText,
    standard: s.boolean,
    hidden: s.boolean,
    customStatuses: s.list(
      s.object('CustomStatus', {
        id: identifier('CustomStatusId'),
        ...s.assumedMembers('record-shapes', {
          name: s.anyText,
          group: s.anyText,
          standardName: s.boolean,
          standard: s.boolean,
          hidden: s.boolean,
          color: s.anyText,
        }),
      }),
    ),
    description: s.anyText,
  }),
});
export type Workflow = s.TypeOf<typeof workflowRecord>;

/** Which of two tasks comes first. */
export const dependencyRecord = s.object('Dependency', {
  id: identifier('DependencyId'),
  ...s.assumedMembers('task-dependencies', {
    predecessorId: identifier('TaskId'),
    successorId: identifier('TaskId'),
    relationType: s.anyText,
    lagTime: s.number('minutes'),
  }),
});

export const versionRecord = s.object(
  'Version',
  s.assumedMembers('version', { major: s.number('number'), minor: s.number('number') }),
);

export const urlRecord = s.object('Url', { url: s.assumed(s.anyText, 'file-contents') });

export const convertedIdRecord = s.object('ConvertedId', {
  id: s.anyText,
  apiV2Id: s.assumed(s.anyText, 'permalinks'),
});

export const auditLogRecord = s.object(
  'AuditLogEntry',
  s.assumedMembers('audit-log', {
    id: s.anyText,
    operation: s.anyText,
    userId: identifier('UserId'),
    userEmail: s.anyText,
    eventDate: timestampSchema,
    ipAddress: s.anyText,
    objectType: s.anyText,
    objectName: s.anyText,
    objectId: s.anyText,
    /** An object of texts. */
    details: s.anyJson,
  }),
);
export type AuditLogEntry = s.TypeOf<typeof auditLogRecord>;

export const invitationRecord = s.object('Invitation', {
  id: identifier('UserId'),
  ...s.assumedMembers('invitations', {
    accountId: identifier('AccountId'),
    firstName: s.anyText,
    lastName: s.anyText,
    email: s.anyText,
    /** Pending, Accepted, Declined or Cancelled. */
    status: s.anyText,
    inviterUserId: identifier('UserId'),
    invitationDate: timestampSchema,
    resolvedDate: timestampSchema,
    role: s.anyText,
    external: s.boolean,
  }),
});
