// Completes a seed: adds an account with its root folder, recycle bin and workflow, an administrator and the ready application, and
// fills in omitted members whose values depend on other records.

import { didYouMean } from '#contract/did-you-mean.ts';
import { formatValue } from '#contract/schema.ts';
import { defaults, readyApplication, rootsOf, standardWorkflow } from '../state/default-members.ts';
import { sample } from '../state/sample-ids.ts';
import { keyAfter } from '../task/priority.ts';
import { type Draft, type Drafts, type SeedProblems, stableId, toText } from './seed-records.ts';
import { asList } from './seed-references.ts';
import { references, type SeedList } from './seed-rows.ts';

type Members = Draft['members'];

const createDraft = (list: SeedList, members: Members): Draft => ({
  path: [],
  members: { ...defaults[list], ...members },
});

/** Adds the records that others refer to, before ids are assigned. */
export function addRequiredRecords(drafts: Drafts): void {
  if (drafts.accounts.length === 0)
    drafts.accounts.push(createDraft('accounts', { id: sample.account, name: 'Seed' }));
  const [account] = drafts.accounts;
  if (account !== undefined) account.members['id'] ??= sample.account;
  const ada = { id: sample.ada, firstName: 'Ada', lastName: 'Fields', email: 'ada@example.com', admin: true };
  if (drafts.users.length === 0) drafts.users.push(createDraft('users', ada));
  const { id, secret } = readyApplication;
  if (!drafts.applications.some(({ members }) => members['id'] === id))
    drafts.applications.unshift({ path: [], members: { ...readyApplication } });
  for (const { members } of drafts.applications) {
    // Empty: a start of the emulator makes one.
    members['secret'] ??= members['id'] === id ? secret : '';
    members['name'] ??= members['id'];
  }
}

/** Adds the records that every account has, once accounts have ids. */
export function addAccountRecords(drafts: Drafts): void {
  const defaultId = drafts.accounts[0]?.members['id'];
  for (const { members } of drafts.accounts) {
    const accountId = String(members['id']);
    const roots = rootsOf(accountId);
    Object.assign(members, roots);
    for (const [id, title, kind] of [
      [roots.recycleBinId, 'Recycle Bin', 'bin'],
      [roots.rootFolderId, 'Root', 'root'],
    ] as const)
      drafts.folders.unshift(createDraft('folders', { id, title, kind, accountId, parentIds: [] }));
    const isStandardHere = (workflow: Draft) =>
      workflow.members['standard'] === true &&
      [accountId, members['name']].includes(workflow.members['accountId'] ?? defaultId);
    if (!drafts.workflows.some(isStandardHere))
      drafts.workflows.unshift({ path: [], members: { ...standardWorkflow(accountId) } });
  }
  for (const [list, { accountId }] of references)
    if (accountId !== undefined) for (const { members } of drafts[list]) members['accountId'] ??= defaultId;
  for (const { members } of drafts.workflows)
    members['statuses'] = asList(members['statuses']).map((status, index) => {
      const text = `${String(members['name'])}/${index}/${JSON.stringify(status)}`;
      return { id: stableId(`${String(defaultId)}JM`, text, 6), ...Object(status) };
    });
}

/** Fills in members that depend on other records, once references are ids. */
export function fillMembers(drafts: Drafts, problems: SeedProblems, applicationId = readyApplication.id) {
  const people = createPeople(drafts, problems);
  for (const { members } of drafts.users) members['email'] ??= makeEmail(members);
  for (const { path, members } of drafts.folders) {
    const account = String(members['accountId']);
    members['parentIds'] ??= [rootsOf(account).rootFolderId];
    members['sharedIds'] ??= people.idsIn(account);
    const { kind, project, createdDate = defaults.accounts.createdDate } = members;
    if (kind !== 'project' && project === undefined) continue;
    if (kind === 'folder') members['kind'] = 'project';
    else if (kind !== 'project') problems.add([...path, 'project'], `a ${kind} cannot be a project`);
    const authorId = people.administrator(account);
    members['project'] = { authorId, ownerIds: [], createdDate, ...Object(project) };
  }
  const tasks = new Map(drafts.tasks.map((draft) => [draft.members['id'], draft]));
  const folders = new Map(drafts.folders.map((draft) => [draft.members['id'], draft]));
  let priority = '';
  for (const { members } of drafts.tasks) {
    const account = String(members['accountId']);
    const { rootFolderId, recycleBinId } = rootsOf(account);
    const home = members['scope'] === 'RbTask' ? recycleBinId : rootFolderId;
    members['parentIds'] ??= asList(members['superTaskIds']).length > 0 ? [] : [home];
    members['authorIds'] ??= [people.administrator(account)];
    members['sharedIds'] ??= people.idsIn(account);
    members['updatedDate'] ??= members['createdDate'];
    const fromFile = members['priority'];
    priority = typeof fromFile === 'string' && fromFile > priority ? fromFile : keyAfter(priority);
    members['priority'] ??= priority;
    linkBoth(members, 'superTaskIds', 'subTaskIds', tasks);
    linkBoth(members, 'subTaskIds', 'superTaskIds', tasks);
  }
  fillStatuses(drafts, problems);
  for (const list of ['comments', 'timelogs'] as const)
    for (const { members } of drafts[list]) {
      const subject = tasks.get(members['taskId']) ?? folders.get(members['folderId']);
      const account = String(subject?.members['accountId']);
      members[list === 'comments' ? 'authorId' : 'userId'] ??= people.administrator(account);
      members['updatedDate'] ??= members['createdDate'];
    }
  for (const { members } of drafts.customFields)
    members['settings'] ??= asList(members['values']).length > 0 ? { values: members['values'] } : {};
  for (const { members } of drafts.webhooks) {
    members['applicationId'] ??= applicationId;
    members['authorId'] ??= people.administrator(String(members['accountId']));
  }
  for (const { members } of drafts.tokens) members['applicationId'] ??= applicationId;
}

/** Makes a subtask and its parent name each other, even if the file only says one of the two. */
function linkBoth(members: Members, member: string, back: string, tasks: ReadonlyMap<unknown, Draft>): void {
  for (const id of asList(members[member])) {
    const target = tasks.get(id)?.members;
    if (target !== undefined && !asList(target[back]).includes(members['id']))
      target[back] = [...asList(target[back]), members['id']];
  }
}

function createPeople(drafts: Drafts, problems: SeedProblems) {
  const byAccount = new Map<string, Members[]>();
  for (const { members } of drafts.users) {
    const account = String(members['accountId']);
    byAccount.set(account, [...(byAccount.get(account) ?? []), members]);
  }
  for (const { path, members } of drafts.accounts) {
    const users = byAccount.get(String(members['id'])) ?? [];
    if (!users.some(isAdministrator))
      problems.add(
        path.length > 0 ? path : ['users'],
        `the account ${formatValue(members['name'])} has no administrator: write admin: true for one of its users`,
      );
  }
  return {
    idsIn: (account: string) => (byAccount.get(account) ?? []).map(({ id }) => id),
    administrator: (account: string) => byAccount.get(account)?.find(isAdministrator)?.['id'],
  };
}

const isAdministrator = ({ admin, deleted }: Members) => admin === true && deleted !== true;

function makeEmail({ firstName, lastName, id }: Members): string {
  const word = `${String(firstName)}.${String(lastName)}`.toLowerCase().replace(/[^a-z.]/g, '');
  return `${/^\w+\.\w+$/.test(word) ? word : word.replaceAll('.', '') || String(id).toLowerCase()}@example.com`;
}

const statusesOf = ({ members: { accountId, id: workflowId, standard, statuses } }: Draft) =>
  asList(statuses).map((status) => {
    const { id, name, group }: Members = Object(status);
    return { accountId, workflowId, standard, id: String(id), name: String(name), group: String(group) };
  });

/** Resolves the custom status of each task and project, by its id or its name, and sets the status of a task to its group. */
function fillStatuses(drafts: Drafts, problems: SeedProblems): void {
  const everywhere = drafts.workflows.flatMap(statusesOf);
  const statusesIn = (account: unknown) => everywhere.filter(({ accountId }) => accountId === account);
  for (const { path, members } of drafts.tasks) fillStatus(path, members, statusesIn(members['accountId']));
  for (const { path, members } of drafts.folders) {
    const { workflowId, project } = members;
    if (project === undefined) continue;
    const all = statusesIn(members['accountId']);
    const own = all.flatMap((row) => (row.workflowId === workflowId ? { ...row, standard: true } : []));
    fillStatus([...path, 'project'], Object(project), [...own, ...all]);
    // Only its custom status is shown.
    delete Object(project).status;
  }

  function fillStatus(path: Draft['path'], members: Members, statuses: ReturnType<typeof statusesOf>): void {
    const idOrName = members['customStatusId'];
    if (idOrName === undefined) {
      members['status'] ??= 'Active';
      const inGroup = statuses.filter(({ group }) => group === members['status']);
      members['customStatusId'] = (inGroup.find(({ standard }) => standard) ?? inGroup[0])?.id;
      if (members['customStatusId'] === undefined)
        problems.add(path, `no workflow has a status of the group ${formatValue(members['status'])}`);
      return;
    }
    const match =
      statuses.find(({ id }) => id === idOrName) ?? statuses.find(({ name }) => name === idOrName);
    if (match === undefined) {
      const names = statuses.map(({ name }) => name);
      const hint = didYouMean(toText(idOrName), names) ?? 'Add it to a workflow';
      const why = `${formatValue(idOrName)} is not a status in this file. ${hint}`;
      problems.add([...path, 'customStatusId'], why);
      return;
    }
    members['customStatusId'] = match.id;
    members['status'] ??= match.group;
    if (members['status'] !== match.group)
      problems.add(
        [...path, 'status'],
        `${formatValue(members['status'])} is not the group of ${match.name}, which is ${match.group}: omit status`,
      );
  }
}
