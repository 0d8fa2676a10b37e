// The other resources that `wm` reads. The contract shows some of their fields or none: what it shows is plain here,
// what has been seen in public integrations is marked by the assumption that covers it.

import { timestampSchema } from './date.ts';
import { identifier } from './identifier.ts';
import { anyJson, boolean, list, number, object, optional, type TypeOf, text } from './schema.ts';

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
  id: identifier('UserId'),
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

/** Not shown; seen. A project is a folder with a `project` object; a space is a folder of its own kind. */
export const folderRecord = object('Folder', {
  id: identifier('FolderId'),
  accountId: optional(identifier('AccountId')),
  title: optional(anyText),
  description: optional(anyText),
  childIds: optional(list(identifier('FolderId'))),
  parentIds: optional(list(identifier('FolderId'))),
  sharedIds: optional(list(identifier('UserId'))),
  scope: optional(anyText),
  permalink: optional(anyText),
  customFields: optional(list(anyJson)),
  customItemTypeId: optional(identifier('EntityTypeId')),
  space: optional(boolean),
  project: optional(anyJson),
});
export type Folder = TypeOf<typeof folderRecord>;

/** Not shown; seen. */
export const spaceRecord = object('Space', {
  id: identifier('FolderId'),
  title: optional(anyText),
  accessType: optional(anyText),
  archived: optional(boolean),
});
export type Space = TypeOf<typeof spaceRecord>;

/** Not shown; seen. */
export const customFieldRecord = object('CustomFieldDefinition', {
  id: identifier('CustomFieldId'),
  accountId: optional(identifier('AccountId')),
  title: optional(anyText),
  type: optional(anyText),
  settings: optional(anyJson),
});
export type CustomFieldDefinition = TypeOf<typeof customFieldRecord>;

/** Not shown; seen. */
export const workflowRecord = object('Workflow', {
  id: anyText,
  name: optional(anyText),
  standard: optional(boolean),
  hidden: optional(boolean),
  customStatuses: optional(
    list(
      object('CustomStatus', {
        id: identifier('CustomStatusId'),
        name: optional(anyText),
        group: optional(anyText),
        standardName: optional(boolean),
        standard: optional(boolean),
        hidden: optional(boolean),
        color: optional(anyText),
      }),
    ),
  ),
});
export type Workflow = TypeOf<typeof workflowRecord>;

/** Not shown; seen. Tells which of two tasks comes first. */
export const dependencyRecord = object('Dependency', {
  id: identifier('DependencyId'),
  predecessorId: optional(identifier('TaskId')),
  successorId: optional(identifier('TaskId')),
  relationType: optional(anyText),
  /** In minutes. */
  lagTime: optional(number('minutes')),
});
export type Dependency = TypeOf<typeof dependencyRecord>;

/** Not shown; seen. */
export const versionRecord = object('Version', { major: anyText, minor: anyText });

/** Not shown; seen. */
export const urlRecord = object('Url', { url: anyText });

/** Not shown. */
export const auditLogRecord = object('AuditLogEntry', {
  id: optional(anyText),
  eventDate: optional(timestampSchema),
  operation: optional(anyText),
  userId: optional(identifier('UserId')),
  userEmail: optional(anyText),
  objectType: optional(anyText),
  objectId: optional(anyText),
});
export type AuditLogEntry = TypeOf<typeof auditLogRecord>;
