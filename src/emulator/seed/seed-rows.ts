// What a seed file can say: what the members of a record are if they are left out, what they refer to, and their names in a file, which
// are those of the service. docs/emulator-seed.schema.json is made of these rows and of ../state/stored-schemas.ts.

import type { TypeOf } from '#contract/schema.ts';
import { scopes } from '#contract/scope.ts';
import { storedSchemas } from '../state/stored-schemas.ts';

export type SeedList = keyof typeof storedSchemas;
// The table has exactly these keys.
export const seedLists = Object.keys(storedSchemas) as readonly SeedList[];

/** The date of a record that gives none. */
const defaultDate = '2026-01-05T09:00:00Z';

/** The constant values of members that are left out. A snapshot leaves them out, too. */
export const constants = {
  accounts: {
    dataCentre: 'US',
    dateFormat: 'dd/MM/yyyy',
    firstDayOfWeek: 'Mon',
    workDays: ['Mon', 'Tue', 'Wed', 'Thu', 'Fri'],
    createdDate: defaultDate,
    joinedDate: defaultDate,
  },
  users: {
    lastName: '',
    type: 'Person',
    role: 'User',
    admin: false,
    deleted: false,
    licence: 'full',
    denied: [],
  },
  invitations: {},
  folders: { kind: 'folder', customFields: [] },
  tasks: {
    description: '',
    importance: 'Normal',
    scope: 'WsTask',
    createdDate: defaultDate,
    dates: { type: 'Backlog' },
    formerParentIds: [],
    superTaskIds: [],
    subTaskIds: [],
    dependencyIds: [],
    responsibleIds: [],
    responsiblePlaceholderIds: [],
    followerIds: [],
    recurrent: false,
    metadata: [],
    customFields: [],
    cascadingFieldSettings: [],
    billingType: 'Billable',
    finance: {},
    attachments: [],
  },
  comments: { createdDate: defaultDate },
  timelogs: { createdDate: defaultDate, trackedDate: defaultDate.slice(0, 10), comment: '' },
  dependencies: { relationType: 'FinishToStart', lagTime: 0 },
  customFields: { values: [] },
  workflows: { standard: false, hidden: false },
  customItemTypes: { relatedType: 'Task' },
  workSchedules: {},
  placeholders: {},
  applications: { callbacks: [], loopback: false },
  webhooks: { scope: 'account', recursive: false, status: 'Active' },
  tokens: { use: 'access', scopes },
} as const satisfies { readonly [L in SeedList]: Partial<TypeOf<(typeof storedSchemas)[L]>> };

export const constantsOf = (list: SeedList): Readonly<Record<string, unknown>> => constants[list];

/** The root and the recycle bin of an account. */
export const rootsOf = (accountId: string) => ({
  rootFolderId: `${accountId}I7777777`,
  recycleBinId: `${accountId}I7777776`,
});

/** The workflow that every account has. */
export const standardWorkflow = (accountId: string): TypeOf<typeof storedSchemas.workflows> => {
  const statusId = (suffix: string) => `${accountId}JMAB5${suffix}`;
  return {
    id: `${accountId}K4AB5STD`,
    accountId,
    name: 'Default workflow',
    standard: true,
    hidden: false,
    statuses: [
      { id: statusId('ACT'), name: 'New', group: 'Active' },
      { id: statusId('CMP'), name: 'Completed', group: 'Completed' },
      { id: statusId('DFR'), name: 'Deferred', group: 'Deferred' },
      { id: statusId('CNC'), name: 'Cancelled', group: 'Cancelled' },
    ],
  };
};

/** The lists that a member may name records of: by id, or by what the records are called. */
export const references: Readonly<Record<SeedList, Readonly<Record<string, readonly SeedList[]>>>> = {
  accounts: {},
  users: { accountId: ['accounts'], denied: ['tasks', 'folders'] },
  invitations: { accountId: ['accounts'] },
  folders: {
    accountId: ['accounts'],
    parentIds: ['folders'],
    sharedIds: ['users'],
    customItemTypeId: ['customItemTypes'],
    workflowId: ['workflows'],
  },
  tasks: {
    accountId: ['accounts'],
    parentIds: ['folders'],
    formerParentIds: ['folders'],
    superTaskIds: ['tasks'],
    subTaskIds: ['tasks'],
    authorIds: ['users'],
    responsibleIds: ['users', 'invitations'],
    responsiblePlaceholderIds: ['placeholders'],
    sharedIds: ['users', 'invitations'],
    followerIds: ['users', 'invitations'],
    customItemTypeId: ['customItemTypes'],
    workScheduleId: ['workSchedules'],
  },
  comments: { taskId: ['tasks'], folderId: ['folders'], authorId: ['users'] },
  timelogs: { taskId: ['tasks'], userId: ['users'] },
  dependencies: { accountId: ['accounts'], predecessorId: ['tasks'], successorId: ['tasks'] },
  customFields: { accountId: ['accounts'], spaceId: ['folders'] },
  workflows: { accountId: ['accounts'], spaceId: ['folders'] },
  customItemTypes: { accountId: ['accounts'] },
  workSchedules: { accountId: ['accounts'] },
  placeholders: { accountId: ['accounts'] },
  applications: {},
  webhooks: {
    accountId: ['accounts'],
    applicationId: ['applications'],
    authorId: ['users'],
    placeId: ['folders'],
    customItemTypes: ['customItemTypes'],
  },
  tokens: { applicationId: ['applications'], userId: ['users'] },
};

/** Names in a file that differ from the emulator's own. */
export const namesInFile: Partial<Readonly<Record<SeedList, Readonly<Record<string, string>>>>> = {
  applications: {
    id: 'clientId',
    secret: 'clientSecret',
    callbacks: 'redirectUris',
    loopback: 'anyLoopback',
  },
  tokens: { id: 'token' },
};

/** Members that follow from others, and so are never in a file. */
export const derived: Partial<Readonly<Record<SeedList, readonly string[]>>> = {
  accounts: ['rootFolderId', 'recycleBinId'],
  tokens: ['use'],
};

/** The members that a file must give. */
export const requiredMembers: Readonly<Record<SeedList, readonly string[]>> = {
  accounts: ['name'],
  users: ['firstName'],
  invitations: ['email'],
  folders: ['title'],
  tasks: ['title'],
  comments: ['text'],
  timelogs: ['taskId', 'hours'],
  dependencies: ['predecessorId', 'successorId'],
  customFields: ['title', 'type'],
  workflows: ['name', 'statuses'],
  customItemTypes: ['title'],
  workSchedules: ['title'],
  placeholders: ['title'],
  applications: ['id'],
  webhooks: ['hookUrl'],
  tokens: ['id', 'userId'],
};
