// Adds what a seed does not say but the emulator needs: an account with its root folder, recycle bin and workflow, an
// administrator, the ready application; and what a record's members are where they depend on other records.

import { didYouMean } from '#contract/did-you-mean.ts';
import { formatValue } from '#contract/schema.ts';
import { constantsOf, rootsOf, standardWorkflow } from '../state/default-members.ts';
import { randomText } from '../state/random-text.ts';
import { sample, sampleApplications } from '../state/sample-ids.ts';
import { keyAfter } from '../task/priority.ts';
import type { SeedProblems } from './seed-problems.ts';
import { type Draft, type Drafts, stableId } from './seed-records.ts';
import { asList } from './seed-references.ts';
import type { SeedList } from './seed-rows.ts';

const added = (list: SeedList, members: Record<string, unknown>): Draft => ({
  path: [],
  members: { ...constantsOf(list), ...members },
});

/** Adds the records that others refer to, before ids are assigned. */
export function addRequiredRecords(drafts: Drafts): void {
  if (drafts.accounts.length === 0)
    drafts.accounts.push(added('accounts', { id: sample.account, name: 'Seed' }));
  drafts.accounts.forEach(({ members }, at) => {
    if (at === 0) members['id'] ??= sample.account;
  });
  if (drafts.users.length === 0)
    drafts.users.push(
      added('users', {
        id: sample.ada,
        firstName: 'Ada',
        lastName: 'Fields',
        email: 'ada@example.com',
        admin: true,
      }),
    );
  const { id, secret } = sampleApplications.ready;
  if (!drafts.applications.some(({ members }) => members['id'] === id))
    drafts.applications.unshift(
      added('applications', { id, secret, name: 'Ready application', loopback: true }),
    );
  for (const { members } of drafts.applications) {
    members['secret'] ??= members['id'] === id ? secret : randomText(64);
    members['name'] ??= members['id'];
  }
}

/** Once accounts have ids: what each of them has. */
export function addAccountRecords(drafts: Drafts): void {
  const first = drafts.accounts[0]?.members['id'];
  for (const { members } of drafts.accounts) {
    const accountId = String(members['id']);
    const roots = rootsOf(accountId);
    Object.assign(members, roots);
    for (const [id, title, kind] of [
      [roots.recycleBinId, 'Recycle Bin', 'bin'],
      [roots.rootFolderId, 'Root', 'root'],
    ] as const)
      drafts.folders.unshift(added('folders', { id, title, kind, accountId, parentIds: [] }));
    const isOwn = (one: Draft) =>
      one.members['standard'] === true &&
      [accountId, members['name']].includes(one.members['accountId'] ?? first);
    if (!drafts.workflows.some(isOwn))
      drafts.workflows.unshift({ path: [], members: { ...standardWorkflow(accountId) } });
  }
  for (const list of accountLists) for (const { members } of drafts[list]) members['accountId'] ??= first;
  for (const { members } of drafts.workflows)
    members['statuses'] = asList(members['statuses']).map((status, at) => {
      const id = stableId(
        `${String(first)}JM`,
        `${String(members['name'])}/${at}/${JSON.stringify(status)}`,
        6,
      );
      return { id, ...Object(status) };
    });
}

const accountLists: readonly SeedList[] = [
  'users',
  'invitations',
  'folders',
  'tasks',
  'dependencies',
  'customFields',
  'workflows',
  'customItemTypes',
  'workSchedules',
  'placeholders',
  'webhooks',
];

export interface SeedDefaults {
  /** The application of webhooks and tokens that name none. */
  readonly applicationId?: string | undefined;
}

/** Once names are ids: the members that depend on other records. */
export function fillMembers(drafts: Drafts, { applicationId }: SeedDefaults, problems: SeedProblems): void {
  const people = createPeople(drafts, problems);
  const application = applicationId ?? sampleApplications.ready.id;
  for (const { members } of drafts.users) members['email'] ??= makeEmail(members);
  for (const { members } of drafts.folders) {
    const account = String(members['accountId']);
    members['parentIds'] ??= [rootsOf(account).rootFolderId];
    members['sharedIds'] ??= people.of(account);
  }
  const tasks = new Map(drafts.tasks.map((draft) => [draft.members['id'], draft]));
  const folders = new Map(drafts.folders.map((draft) => [draft.members['id'], draft]));
  let priority = '';
  for (const { members } of drafts.tasks) {
    const account = String(members['accountId']);
    const isDeleted = members['scope'] === 'RbTask';
    members['parentIds'] ??=
      asList(members['superTaskIds']).length > 0
        ? []
        : [isDeleted ? rootsOf(account).recycleBinId : rootsOf(account).rootFolderId];
    members['authorIds'] ??= [people.administrator(account)];
    members['sharedIds'] ??= people.of(account);
    members['updatedDate'] ??= members['createdDate'];
    const given = members['priority'];
    priority = typeof given === 'string' && given > priority ? given : keyAfter(priority);
    members['priority'] ??= priority;
    linkBoth(members, 'superTaskIds', 'subTaskIds', tasks);
    linkBoth(members, 'subTaskIds', 'superTaskIds', tasks);
  }
  fillStatuses(drafts, problems);
  for (const list of ['comments', 'timelogs'] as const)
    for (const { members } of drafts[list]) {
      const account = String(
        (tasks.get(members['taskId']) ?? folders.get(members['folderId']))?.members['accountId'],
      );
      members[list === 'comments' ? 'authorId' : 'userId'] ??= people.administrator(account);
      members['updatedDate'] ??= members['createdDate'];
    }
  for (const { members } of drafts.customFields)
    members['settings'] ??= asList(members['values']).length > 0 ? { values: members['values'] } : {};
  for (const { members } of drafts.webhooks) {
    members['applicationId'] ??= application;
    members['authorId'] ??= people.administrator(String(members['accountId']));
  }
  for (const { members } of drafts.tokens) members['applicationId'] ??= application;
}

/** A subtask and its parent name each other, whichever of the two a file says. */
function linkBoth(
  members: Record<string, unknown>,
  member: string,
  back: string,
  tasks: ReadonlyMap<unknown, Draft>,
): void {
  for (const id of asList(members[member])) {
    const other = tasks.get(id)?.members;
    if (other !== undefined && !asList(other[back]).includes(members['id']))
      other[back] = [...asList(other[back]), members['id']];
  }
}

function createPeople(drafts: Drafts, problems: SeedProblems) {
  const byAccount = new Map<string, Record<string, unknown>[]>();
  for (const { members } of drafts.users) {
    const account = String(members['accountId']);
    byAccount.set(account, [...(byAccount.get(account) ?? []), members]);
  }
  for (const { path, members } of drafts.accounts) {
    const users = byAccount.get(String(members['id'])) ?? [];
    if (!users.some((user) => user['admin'] === true && user['deleted'] !== true))
      problems.add(
        path.length > 0 ? path : ['users'],
        `the account ${formatValue(members['name'])} has no administrator: write admin: true for one of its users`,
      );
  }
  return {
    of: (account: string) => (byAccount.get(account) ?? []).map(({ id }) => id),
    administrator: (account: string) =>
      (byAccount.get(account) ?? []).find((user) => user['admin'] === true && user['deleted'] !== true)?.[
        'id'
      ],
  };
}

function makeEmail({ firstName, lastName, id }: Record<string, unknown>): string {
  const word = `${String(firstName)}.${String(lastName)}`.toLowerCase().replace(/[^a-z.]/g, '');
  return `${/^\w+\.\w+$/.test(word) ? word : word.replaceAll('.', '') || String(id).toLowerCase()}@example.com`;
}

interface Status {
  readonly id: string;
  readonly name: string;
  readonly group: string;
  readonly standard: boolean;
}

/** The custom status of a task, by its id or its name, and the group that it belongs to. */
function fillStatuses(drafts: Drafts, problems: SeedProblems): void {
  const byAccount = new Map<unknown, Status[]>();
  for (const { members } of drafts.workflows) {
    const statuses = byAccount.get(members['accountId']) ?? [];
    for (const one of asList(members['statuses'])) {
      const { id, name, group }: Record<string, unknown> = Object(one);
      const standard = members['standard'] === true;
      statuses.push({ id: String(id), name: String(name), group: String(group), standard });
    }
    byAccount.set(members['accountId'], statuses);
  }
  for (const { path, members } of drafts.tasks) {
    const statuses = byAccount.get(members['accountId']) ?? [];
    const given = members['customStatusId'];
    if (given === undefined) {
      members['status'] ??= 'Active';
      const own = statuses.filter(({ group }) => group === members['status']);
      members['customStatusId'] = (own.find(({ standard }) => standard) ?? own[0])?.id;
      if (members['customStatusId'] === undefined)
        problems.add(path, `${formatValue(members['status'])} is the status of no workflow`);
      continue;
    }
    const found = statuses.find(({ id }) => id === given) ?? statuses.find(({ name }) => name === given);
    if (found === undefined) {
      const hint =
        didYouMean(
          String(given),
          statuses.map(({ name }) => name),
        ) ?? 'Add it to a workflow';
      problems.add(
        [...path, 'customStatusId'],
        `${formatValue(given)} is not a status in this file. ${hint}`,
      );
      continue;
    }
    members['customStatusId'] = found.id;
    members['status'] ??= found.group;
    if (members['status'] !== found.group)
      problems.add(
        [...path, 'status'],
        `${formatValue(members['status'])} is not the group of ${found.name}, which is ${found.group}: leave status out`,
      );
  }
}
