// The other resources that `wm` reads. The contract shows some of their fields or none. What it does not show is marked as
// assumed; most of that has been seen in public integrations. An id is shown wherever a path or a parameter takes one.

import { timestampSchema } from './date.ts';
import { identifier } from './identifier.ts';
import {
  anyJson,
  assumed,
  assumedMembers,
  boolean,
  list,
  number,
  object,
  optional,
  type TypeOf,
  text,
} from './schema.ts';
import { customFieldValue } from './task.ts';

const anyText = text('text');

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
  /** A group is a contact too, and no user. */
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
});
export type Contact = TypeOf<typeof contactRecord>;

const { id: contactId, ...contactMembers } = contactRecord.shape;

/** Not shown: a user is taken for a contact. */
export const userRecord = object('User', {
  id: contactId,
  ...assumedMembers(contactMembers),
});

/** A project is a folder with a `project` object; a space is a folder of its own kind. */
export const folderRecord = object('Folder', {
  id: identifier('FolderId'),
  accountId: assumed(identifier('AccountId')),
  title: optional(anyText),
  description: assumed(anyText),
  childIds: optional(list(identifier('FolderId'))),
  parentIds: assumed(list(identifier('FolderId'))),
  sharedIds: assumed(list(identifier('UserId'))),
  scope: assumed(anyText),
  permalink: assumed(anyText),
  customFields: optional(list(customFieldValue)),
  customItemTypeId: optional(identifier('EntityTypeId')),
  space: assumed(boolean),
  createdDate: assumed(timestampSchema),
  updatedDate: assumed(timestampSchema),
  workflowId: assumed(anyText),
  project: optional(anyJson),
});
export type Folder = TypeOf<typeof folderRecord>;

/** Not shown; seen. */
export const spaceRecord = object('Space', {
  id: identifier('FolderId'),
  title: assumed(anyText),
  accessType: assumed(anyText),
  archived: assumed(boolean),
});
export type Space = TypeOf<typeof spaceRecord>;

/** Not shown; seen. */
export const customFieldRecord = object('CustomFieldDefinition', {
  id: identifier('CustomFieldId'),
  accountId: assumed(identifier('AccountId')),
  title: assumed(anyText),
  type: assumed(anyText),
  settings: assumed(anyJson),
});
export type CustomFieldDefinition = TypeOf<typeof customFieldRecord>;

/** Not shown; seen. */
export const workflowRecord = object('Workflow', {
  id: anyText,
  name: assumed(anyText),
  standard: assumed(boolean),
  hidden: assumed(boolean),
  customStatuses: assumed(
    list(
      object('CustomStatus', {
        id: identifier('CustomStatusId'),
        name: assumed(anyText),
        group: assumed(anyText),
        standardName: assumed(boolean),
        standard: assumed(boolean),
        hidden: assumed(boolean),
        color: assumed(anyText),
      }),
    ),
  ),
});
export type Workflow = TypeOf<typeof workflowRecord>;

/** Not shown; seen. Tells which of two tasks comes first. */
export const dependencyRecord = object('Dependency', {
  id: identifier('DependencyId'),
  predecessorId: assumed(identifier('TaskId')),
  successorId: assumed(identifier('TaskId')),
  relationType: assumed(anyText),
  /** In minutes. */
  lagTime: assumed(number('minutes')),
});
export type Dependency = TypeOf<typeof dependencyRecord>;

/** Not shown; seen. */
export const versionRecord = object('Version', { major: assumed(anyText), minor: assumed(anyText) });

/** Not shown; seen. */
export const urlRecord = object('Url', { url: assumed(anyText) });

/** Not shown; seen. */
export const convertedIdRecord = object('ConvertedId', { id: anyText, apiV2Id: assumed(anyText) });

/** Not shown. */
export const auditLogRecord = object('AuditLogEntry', {
  id: assumed(anyText),
  eventDate: assumed(timestampSchema),
  operation: assumed(anyText),
  userId: assumed(identifier('UserId')),
  userEmail: assumed(anyText),
  objectType: assumed(anyText),
  objectId: assumed(anyText),
});
export type AuditLogEntry = TypeOf<typeof auditLogRecord>;

/** Not shown. */
export const invitationRecord = object('Invitation', {
  id: identifier('UserId'),
  accountId: assumed(identifier('AccountId')),
  email: assumed(anyText),
});
