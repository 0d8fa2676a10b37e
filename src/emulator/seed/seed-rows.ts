// The format of a seed file: the references of each record, required members, and the names of members. These rows and
// ../state/stored-schemas.ts make docs/emulator-seed.schema.json.

import { storedSchemas } from '../state/stored-schemas.ts';

export type SeedList = keyof typeof storedSchemas;
// The table has exactly these keys.
export const seedLists = Object.keys(storedSchemas) as readonly SeedList[];

/** The lists whose records a member may name, by id or by name. */
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

/** The names in a file that differ from those in the emulator. */
export const namesInFile: Partial<Readonly<Record<SeedList, Readonly<Record<string, string>>>>> = {
  applications: {
    id: 'clientId',
    secret: 'clientSecret',
    callbacks: 'redirectUris',
    loopback: 'anyLoopback',
  },
  tokens: { id: 'token' },
};

/** Members that follow from others, so that a file never has them. */
export const derived: Partial<Readonly<Record<SeedList, readonly string[]>>> = {
  accounts: ['rootFolderId', 'recycleBinId'],
  tokens: ['use'],
};

/** The members that a file must have. */
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
