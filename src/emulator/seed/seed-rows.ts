// The format of a seed file: the required members, ids and references of each record, and the names of members. These rows and
// ../state/stored-schemas.ts make docs/emulator-seed.schema.json.

import type { Schema } from '#contract/schema.ts';
import { storedSchemas } from '../state/stored-schemas.ts';

export type SeedList = keyof typeof storedSchemas;
// The table has exactly these keys.
export const seedLists = Object.keys(storedSchemas) as readonly SeedList[];

type References = Readonly<Record<string, readonly SeedList[]>>;

interface SeedRow {
  readonly required: readonly string[];
  /** How the ids begin; `*` is the id of the account. */
  readonly idPrefix: string;
  /** The lists whose records a member may name, by id or by name, where the type of its ids does not say it. */
  readonly references?: References;
  /** The names in a file that differ from those in the emulator. */
  readonly names?: Readonly<Record<string, string>>;
  /** Members that follow from others, so that a file never has them. */
  readonly derived?: readonly string[];
}

/** With whom a record is shared. */
const sharedIds: readonly SeedList[] = ['users', 'invitations', 'groups'];

export const seedRows: Readonly<Record<SeedList, SeedRow>> = {
  accounts: { required: ['name'], idPrefix: 'IE', derived: ['rootFolderId', 'recycleBinId'] },
  users: { required: ['firstName'], idPrefix: 'KU', references: { denied: ['tasks', 'folders'] } },
  invitations: { required: ['email'], idPrefix: 'KX' },
  groups: { required: ['title'], idPrefix: 'KX', references: { parentIds: ['groups'] } },
  folders: { required: ['title'], idPrefix: '*I4', references: { sharedIds, workflowId: ['workflows'] } },
  tasks: {
    required: ['title'],
    idPrefix: '*KQ',
    references: {
      responsibleIds: ['users', 'invitations'],
      sharedIds,
      followerIds: ['users', 'invitations'],
    },
  },
  comments: { required: ['text'], idPrefix: '*IM' },
  timelogs: {
    required: ['taskId', 'hours'],
    idPrefix: '*JQ',
    references: { categoryId: ['timelogCategories'] },
  },
  timelogCategories: { required: ['name'], idPrefix: '*TC' },
  dependencies: { required: ['predecessorId', 'successorId'], idPrefix: '*IU' },
  customFields: { required: ['title', 'type'], idPrefix: '*JU', references: { sharedIds } },
  workflows: { required: ['name', 'statuses'], idPrefix: '*K4' },
  customItemTypes: { required: ['title'], idPrefix: '*PI' },
  workSchedules: { required: ['title'], idPrefix: '*ML' },
  placeholders: { required: ['title'], idPrefix: '*NV' },
  applications: {
    required: ['id'],
    idPrefix: '',
    names: { id: 'clientId', secret: 'clientSecret', callbacks: 'redirectUris', loopback: 'anyLoopback' },
  },
  webhooks: { required: ['hookUrl'], idPrefix: '*W', references: { applicationId: ['applications'] } },
  tokens: {
    required: ['id', 'userId'],
    idPrefix: '',
    references: { applicationId: ['applications'] },
    names: { id: 'token' },
    derived: ['use'],
  },
};

/** The lists that the ids of a type name. */
const listsByType: References = {
  AccountId: ['accounts'],
  UserId: ['users'],
  FolderId: ['folders'],
  TaskId: ['tasks'],
  EntityTypeId: ['customItemTypes'],
  WorkScheduleId: ['workSchedules'],
  PlaceholderId: ['placeholders'],
};

/** The members that a file may have, under their stored names, with their schemas. */
export const storedMembers = (list: SeedList): readonly (readonly [string, Schema<unknown>])[] =>
  Object.entries(storedSchemas[list].shape).filter(([member]) => !seedRows[list].derived?.includes(member));

export const nameInFile = (list: SeedList, member: string) => seedRows[list].names?.[member] ?? member;

function referencesOf(list: SeedList): References {
  const entries = storedMembers(list).map(([member, schema]) => {
    const { type } = schema.item ?? schema;
    return [member, seedRows[list].references?.[member] ?? listsByType[type] ?? []] as const;
  });
  return Object.fromEntries(entries.filter(([member, lists]) => member !== 'id' && lists.length > 0));
}

export const references = new Map(seedLists.map((list) => [list, referencesOf(list)]));
