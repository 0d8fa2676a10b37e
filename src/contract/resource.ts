// The other resources that `wm` reads. The contract shows some of their fields or none: what it shows is plain here,
// what has been seen in public integrations is marked by the assumption that covers it.

import { timestampValue } from './date.ts';
import { identifier } from './identifier.ts';
import { parseJson } from './json.ts';
import { flag, list, optional, record, type TypeOf, text, type Value } from './value.ts';

const plain = text('text');

/** Takes what comes: the shape of this field is not shown. */
const anything: Value<unknown> = {
  type: 'any',
  wire: 'json',
  check: (input) => input,
  fromWire: parseJson,
  toWire: (value) => JSON.stringify(value),
};

export const accountRecord = record('Account', {
  id: identifier('AccountId'),
  name: optional(plain),
  dateFormat: optional(plain),
  firstDayOfWeek: optional(plain),
  workDays: optional(list(plain)),
  rootFolderId: optional(identifier('FolderId')),
  recycleBinId: optional(identifier('FolderId')),
  createdDate: optional(timestampValue),
  joinedDate: optional(timestampValue),
});
export type Account = TypeOf<typeof accountRecord>;

export const contactRecord = record('Contact', {
  id: identifier('UserId'),
  firstName: optional(plain),
  lastName: optional(plain),
  /** Person, Group, Robot. */
  type: optional(plain),
  profiles: optional(list(anything)),
  avatarUrl: optional(plain),
  timezone: optional(plain),
  locale: optional(plain),
  deleted: optional(flag),
  me: optional(flag),
});
export type Contact = TypeOf<typeof contactRecord>;

/** Not shown; seen. A project is a folder with a `project` object; a space is a folder of its own kind. */
export const folderRecord = record('Folder', {
  id: identifier('FolderId'),
  title: optional(plain),
  childIds: optional(list(identifier('FolderId'))),
  scope: optional(plain),
  project: optional(anything),
});
export type Folder = TypeOf<typeof folderRecord>;

/** Not shown; seen. */
export const spaceRecord = record('Space', {
  id: identifier('FolderId'),
  title: optional(plain),
  accessType: optional(plain),
  archived: optional(flag),
});
export type Space = TypeOf<typeof spaceRecord>;

/** Not shown; seen. */
export const customFieldRecord = record('CustomFieldDefinition', {
  id: identifier('CustomFieldId'),
  accountId: optional(identifier('AccountId')),
  title: optional(plain),
  type: optional(plain),
  settings: optional(anything),
});
export type CustomFieldDefinition = TypeOf<typeof customFieldRecord>;

/** Not shown; seen. */
export const workflowRecord = record('Workflow', {
  id: plain,
  name: optional(plain),
  standard: optional(flag),
  hidden: optional(flag),
  customStatuses: optional(
    list(
      record('CustomStatus', {
        id: identifier('CustomStatusId'),
        name: optional(plain),
        group: optional(plain),
        standardName: optional(flag),
        standard: optional(flag),
        hidden: optional(flag),
        color: optional(plain),
      }),
    ),
  ),
});
export type Workflow = TypeOf<typeof workflowRecord>;
