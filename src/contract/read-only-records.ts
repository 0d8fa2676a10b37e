// The other records that `wm` reads. The contract shows few of their members; public integrations show most of the assumed ones.

import { customFieldValue, shownMetadata } from './custom-field-schemas.ts';
import { timestampSchema } from './date.ts';
import { identifier } from './identifier.ts';
import {
  anyJson,
  anyText,
  assumed,
  assumedMembers,
  boolean,
  choice,
  list,
  number,
  object,
  optional,
  type TypeOf,
} from './schema.ts';
import { words } from './words.ts';

export const accountRecord = object('Account', {
  id: identifier('AccountId'),
  name: optional(anyText),
  dateFormat: optional(anyText),
  firstDayOfWeek: optional(anyText),
  workDays: optional(list(anyText)),
  rootFolderId: optional(identifier('FolderId')),
  recycleBinId: optional(identifier('FolderId')),
  createdDate: optional(timestampSchema),
  joinedDate: optional(timestampSchema),
});
export type Account = TypeOf<typeof accountRecord>;

export const contactRecord = object('Contact', {
  /** A group is a contact, but not a user. */
  id: anyText,
  firstName: optional(anyText),
  lastName: optional(anyText),
  /** Person, Group, Robot. */
  type: optional(anyText),
  profiles: optional(list(anyJson)),
  avatarUrl: optional(anyText),
  timezone: optional(anyText),
  locale: optional(anyText),
  deleted: optional(boolean),
  me: optional(boolean),
  ...assumedMembers('record-shapes', {
    title: anyText,
    companyName: anyText,
    phone: anyText,
    primaryEmail: anyText,
    /** Of a group. */
    memberIds: list(anyText),
    myTeam: boolean,
  }),
});
export type Contact = TypeOf<typeof contactRecord>;

const { id: contactId, ...contactMembers } = contactRecord.shape;
/** Assumed to be like a contact. */
export const userRecord = object('User', { id: contactId, ...assumedMembers('read-by-id', contactMembers) });

/** A project is a folder with a `project` object; a space is a folder of its own kind. */
export const folderRecord = object('Folder', {
  id: identifier('FolderId'),
  accountId: assumed(identifier('AccountId'), 'record-shapes'),
  title: optional(anyText),
  description: assumed(anyText, 'record-shapes'),
  childIds: optional(list(identifier('FolderId'))),
  parentIds: assumed(list(identifier('FolderId')), 'record-shapes'),
  sharedIds: assumed(list(identifier('UserId')), 'record-shapes'),
  scope: assumed(anyText, 'record-shapes'),
  permalink: assumed(anyText, 'permalinks'),
  metadata: assumed(shownMetadata, 'record-shapes'),
  customFields: optional(list(customFieldValue)),
  customItemTypeId: optional(identifier('EntityTypeId')),
  createdDate: assumed(timestampSchema, 'record-shapes'),
  updatedDate: assumed(timestampSchema, 'record-shapes'),
  workflowId: assumed(anyText, 'record-shapes'),
  project: optional(anyJson),
  ...assumedMembers('record-shapes', {
    superParentIds: list(identifier('FolderId')),
    hasAttachments: boolean,
    briefDescription: anyText,
    attachmentCount: number('count', { integer: true }),
    customColumnIds: list(identifier('CustomFieldId')),
    color: anyText,
    space: boolean,
  }),
});
export type Folder = TypeOf<typeof folderRecord>;

/** The fields of a folder that a response about one folder shows, and a list only if `fields` requests them. */
const fieldsOfOneFolder = ['superParentIds', 'hasAttachments', 'metadata', 'customFields'] as const;

/** The members that not every response shows. */
export const folderField = choice('field name', [
  ...fieldsOfOneFolder,
  ...words('description briefDescription attachmentCount customColumnIds color space'),
]);
export type FolderField = TypeOf<typeof folderField>;

/** The fields that each response shows without `fields`; those of a tree have none of them. */
export const shownFolderFields: Readonly<Record<'list' | 'one', readonly FolderField[]>> = {
  list: ['description'],
  one: ['description', ...fieldsOfOneFolder],
};

export const spaceRecord = object('Space', {
  id: identifier('FolderId'),
  ...assumedMembers('record-shapes', {
    title: anyText,
    avatarUrl: anyText,
    accessType: anyText,
    archived: boolean,
    guestRoleId: anyText,
    defaultProjectWorkflowId: anyText,
    defaultTaskWorkflowId: anyText,
  }),
});
export type Space = TypeOf<typeof spaceRecord>;

export const customFieldRecord = object('CustomFieldDefinition', {
  id: identifier('CustomFieldId'),
  ...assumedMembers('record-shapes', {
    accountId: identifier('AccountId'),
    title: anyText,
    type: anyText,
    spaceId: identifier('FolderId'),
    sharedIds: list(anyText),
    sharing: anyJson,
    settings: anyJson,
    description: anyText,
    archived: boolean,
  }),
});
export type CustomFieldDefinition = TypeOf<typeof customFieldRecord>;

export const workflowRecord = object('Workflow', {
  id: anyText,
  ...assumedMembers('record-shapes', {
    name: anyText,
    standard: boolean,
    hidden: boolean,
    customStatuses: list(
      object('CustomStatus', {
        id: identifier('CustomStatusId'),
        ...assumedMembers('record-shapes', {
          name: anyText,
          group: anyText,
          standardName: boolean,
          standard: boolean,
          hidden: boolean,
          color: anyText,
        }),
      }),
    ),
    description: anyText,
  }),
});
export type Workflow = TypeOf<typeof workflowRecord>;

/** Which of two tasks comes first. */
export const dependencyRecord = object('Dependency', {
  id: identifier('DependencyId'),
  ...assumedMembers('task-dependencies', {
    predecessorId: identifier('TaskId'),
    successorId: identifier('TaskId'),
    relationType: anyText,
    lagTime: number('minutes'),
  }),
});

export const versionRecord = object(
  'Version',
  assumedMembers('version', { major: number('number'), minor: number('number') }),
);

export const urlRecord = object('Url', { url: assumed(anyText, 'file-contents') });

export const convertedIdRecord = object('ConvertedId', {
  id: anyText,
  apiV2Id: assumed(anyText, 'permalinks'),
});

export const auditLogRecord = object(
  'AuditLogEntry',
  assumedMembers('audit-log', {
    id: anyText,
    operation: anyText,
    userId: identifier('UserId'),
    userEmail: anyText,
    eventDate: timestampSchema,
    ipAddress: anyText,
    objectType: anyText,
    objectName: anyText,
    objectId: anyText,
    /** An object of texts. */
    details: anyJson,
  }),
);
export type AuditLogEntry = TypeOf<typeof auditLogRecord>;

export const invitationRecord = object('Invitation', {
  id: identifier('UserId'),
  ...assumedMembers('invitations', {
    accountId: identifier('AccountId'),
    firstName: anyText,
    lastName: anyText,
    email: anyText,
    /** Pending, Accepted, Declined or Cancelled. */
    status: anyText,
    inviterUserId: identifier('UserId'),
    invitationDate: timestampSchema,
    resolvedDate: timestampSchema,
    role: anyText,
    external: boolean,
  }),
});
