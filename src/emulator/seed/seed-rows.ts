// The format of a seed file: the required members, ids and references of each record, and the names of members. These rows and
// ../state/stored-schemas.ts make docs/emulator-seed.schema.json.

import { storedSchemas } from '../state/stored-schemas.ts';

export type SeedList = keyof typeof storedSchemas;
// The table has exactly these keys.
export const seedLists = Object.keys(storedSchemas) as readonly SeedList[];

type References = Readonly<Record<string, readonly SeedList[]>>;

interface SeedRow {
  /** The members that a file must have. */
  readonly required: readonly string[];
  /** How the ids begin; `*` is the id of the account. */
  readonly idPrefix: string;
  /** The lists whose records a member may name, by id or by name. */
  readonly references?: References;
}

export const seedRows: Readonly<Record<SeedList, SeedRow>> = {
  accounts: { required: ['name'], idPrefix: 'IE' },
  users: { required: ['firstName'], idPrefix: 'KU', references: { denied: ['tasks', 'folders'] } },
  invitations: { required: ['email'], idPrefix: 'KX' },
  folders: {
    required: ['title'],
    idPrefix: '*I4',
    references: {
      parentIds: ['folders'],
      sharedIds: ['users'],
      customItemTypeId: ['customItemTypes'],
      workflowId: ['workflows'],
    },
  },
  tasks: {
    required: ['title'],
    idPrefix: '*KQ',
    references: {
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
  },
  comments: {
    required: ['text'],
    idPrefix: '*IM',
    references: { taskId: ['tasks'], folderId: ['folders'], authorId: ['users'] },
  },
  timelogs: {
    required: ['taskId', 'hours'],
    idPrefix: '*JQ',
    references: { taskId: ['tasks'], userId: ['users'] },
  },
  dependencies: {
    required: ['predecessorId', 'successorId'],
    idPrefix: '*IU',
    references: { predecessorId: ['tasks'], successorId: ['tasks'] },
  },
  customFields: { required: ['title', 'type'], idPrefix: '*JU', references: { spaceId: ['folders'] } },
  workflows: { required: ['name', 'statuses'], idPrefix: '*K4', references: { spaceId: ['folders'] } },
  customItemTypes: { required: ['title'], idPrefix: '*PI' },
  workSchedules: { required: ['title'], idPrefix: '*ML' },
  placeholders: { required: ['title'], idPrefix: '*NV' },
  applications: { required: ['id'], idPrefix: '' },
  webhooks: {
    required: ['hookUrl'],
    idPrefix: '*W',
    references: {
      applicationId: ['applications'],
      authorId: ['users'],
      customItemTypes: ['customItemTypes'],
      folderId: ['folders'],
      spaceId: ['folders'],
    },
  },
  tokens: {
    required: ['id', 'userId'],
    idPrefix: '',
    references: { applicationId: ['applications'], userId: ['users'] },
  },
};

const accountReference: References = { accountId: ['accounts'] };

/** Of each list, with its accountId. */
export const references = new Map<SeedList, References>(
  seedLists.map((list) => [
    list,
    { ...('accountId' in storedSchemas[list].shape && accountReference), ...seedRows[list].references },
  ]),
);

/** The names in a file that differ from those in the emulator. */
const namesInFile: Partial<Readonly<Record<SeedList, Readonly<Record<string, string>>>>> = {
  applications: {
    id: 'clientId',
    secret: 'clientSecret',
    callbacks: 'redirectUris',
    loopback: 'anyLoopback',
  },
  tokens: { id: 'token' },
};

/** Members that follow from others, so that a file never has them. */
const derived: Partial<Readonly<Record<SeedList, readonly string[]>>> = {
  accounts: ['rootFolderId', 'recycleBinId'],
  tokens: ['use'],
};

/** The members that a file may have, under their stored names. */
export const storedMembers = (list: SeedList): readonly string[] =>
  Object.keys(storedSchemas[list].shape).filter((member) => !derived[list]?.includes(member));

export const nameInFile = (list: SeedList, member: string): string => namesInFile[list]?.[member] ?? member;
