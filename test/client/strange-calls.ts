// A call for each operation of the contract: the command that sends it, or else `wm api`, with what else a command sends that names ids.

import { operations } from '#contract/operations.ts';
import { otherOperations } from '#contract/other-operation.ts';
import { sample } from '#emulator/state/sample-ids.ts';

export const allOperations = { ...operations, ...otherOperations };
export type AnyOperation = keyof typeof allOperations;

/** The ids of records that the test created. */
export type Created = Readonly<
  Record<
    'webhook' | 'secondWebhook' | 'comment' | 'timelog' | 'group' | 'invitation' | 'job' | 'dataExport',
    string
  > & { readonly folder: string }
>;

export interface Call {
  readonly name: string;
  readonly operation: AnyOperation;
  readonly argv: readonly string[];
  readonly input?: string;
  /** Run before it, with the service's own responses. */
  readonly before?: readonly string[];
  /** The number of rows of a bulk run. */
  readonly rows?: number;
  /** The ids that a read asks for. */
  readonly ids?: readonly string[];
}

const url = 'https://hooks.example.com/new';
const [task, second] = [sample.task, sample.milestone];

export const batchOperations = JSON.stringify([
  { method: 'POST', path: `/folders/${sample.folder}/tasks`, parameters: { title: 'One' } },
]);

/** The commands that send each operation. */
const commandsOf = ({ webhook, secondWebhook, folder }: Created): Calls => ({
  updateTask: [
    ['task', 'update', task, '--title', 'Changed'],
    ['task', 'update', task, '--title', 'Changed', '--json'],
    {
      argv: ['task', 'update', '--from', '-', '--yes'],
      input: `id,title\n${task},Changed\n${second},Changed\n`,
      rows: 2,
    },
    { argv: ['task', 'update', task, second, '--title', 'Changed', '--yes'], rows: 2 },
    {
      argv: ['task', 'undo', task, '--yes'],
      before: ['task', 'update', task, '--title', 'Changed', '--undoable'],
    },
  ],
  getTasks: [
    { argv: ['task', 'get', task], ids: [task] },
    { argv: ['task', 'get', task, second], ids: [task, second] },
  ],
  listTasks: [['task', 'list']],
  listFolderTasks: [['task', 'list', '--folder', sample.folder]],
  listSpaceTasks: [['task', 'list', '--space', sample.space]],
  createTask: [['task', 'create', 'New', '--folder', sample.folder]],
  createFolder: [['folder', 'create', 'New', '--folder', sample.folder]],
  listTaskComments: [['task', 'comments', task]],
  createTaskComment: [['task', 'comment', task, 'Built and deployed']],
  createTaskAttachment: [['task', 'attach', task, `${folder}/body.json`]],
  createTaskTimelog: [['timelog', 'add', task, '--hours', '1h30m']],
  listWebhooks: [
    ['webhook', 'list'],
    ['webhook', 'export'],
  ],
  getWebhooks: [
    { argv: ['webhook', 'get', webhook], ids: [webhook] },
    { argv: ['webhook', 'get', webhook, secondWebhook], ids: [webhook, secondWebhook] },
  ],
  createWebhook: [
    ['webhook', 'create', url, '--events', 'TaskCreated', '--yes'],
    ['webhook', 'create', url, '--if-not-exists', '--yes'],
    ['webhook', 'apply', `${folder}/hooks.yaml`, '--yes'],
  ],
  createFolderWebhook: [['webhook', 'create', url, '--folder', sample.folder, '--yes']],
  createSpaceWebhook: [['webhook', 'create', url, '--space', sample.space, '--yes']],
  updateWebhook: [
    ['webhook', 'suspend', webhook, '--yes'],
    ['webhook', 'suspend', '--all', '--yes'],
    { argv: ['webhook', 'resume', webhook, '--yes'], before: ['webhook', 'suspend', webhook, '--yes'] },
  ],
  deleteWebhook: [
    ['webhook', 'delete', webhook, '--yes'],
    ['webhook', 'delete', '--all', '--yes'],
    ['webhook', 'apply', `${folder}/none.yaml`, '--delete-others', '--yes'],
  ],
  getAccount: [['account']],
  listContacts: [['contact', 'list']],
  getContacts: [
    { argv: ['contact', 'list', '--id', sample.ada], ids: [sample.ada] },
    { argv: ['contact', 'list', '--id', `${sample.ada},${sample.ben}`], ids: [sample.ada, sample.ben] },
  ],
  listSpaces: [['space', 'list']],
  listFolders: [['folder', 'list']],
  listCustomFields: [['customfield', 'list']],
  listSpaceCustomFields: [['customfield', 'list', '--space', sample.space]],
  listWorkflows: [['workflow', 'list']],
  listSpaceWorkflows: [['workflow', 'list', '--space', sample.space]],
  listAuditLog: [['audit-log']],
  batch: [['batch', `${folder}/operations.json`, '--yes']],
});

type Calls = Partial<Record<AnyOperation, readonly (Omit<Call, 'name' | 'operation'> | readonly string[])[]>>;

/** What `wm api` sends with a change. */
const fieldsOf: Partial<Record<AnyOperation, readonly string[]>> = {
  updateTask: ['title=Changed'],
  updateFolder: ['title=Changed'],
  updateWebhook: ['status=Suspended'],
  updateComment: ['text=Changed'],
  updateTimelog: ['comment=Changed'],
  createTask: ['title=New'],
  createSpaceTask: ['title=New'],
  createFolder: ['title=New'],
  createSpaceFolder: ['title=New'],
  createWebhook: [`hookUrl=${url}`],
  createFolderWebhook: [`hookUrl=${url}`],
  createSpaceWebhook: [`hookUrl=${url}`],
  createTaskDependency: [`predecessorId=${sample.bug}`, 'relationType=FinishToStart'],
  createTaskComment: ['text=New'],
  createFolderComment: ['text=New'],
  createTaskTimelog: ['hours=2', 'trackedDate=2026-01-05'],
  batch: [`operations=${batchOperations}`],
  createCustomField: ['title=New', 'type=Text'],
  updateCustomField: ['title=Changed'],
  createGroup: ['title=New'],
  updateGroup: ['title=Changed'],
  createInvitation: ['email=new@example.com'],
  updateInvitation: ['role=Collaborator'],
  updateUser: [`profile={"accountId":"${sample.account}","role":"Collaborator"}`],
  copyFolder: ['title=New', `parent=${sample.space}`],
  copyFolderAsync: ['title=New', `parent=${sample.space}`],
  convertIds: ['type=ApiV2Task', 'ids=[4500000001]'],
};

/** The ids in the path of `wm api`. */
function idOf(name: string, created: Created): string {
  const ids: Readonly<Record<string, string>> = {
    task: sample.task,
    folder: sample.folder,
    space: sample.space,
    contact: sample.ada,
    user: sample.ada,
    attachment: sample.attachment,
    dependency: sample.dependency,
    customField: sample.text,
    workflow: sample.standardWorkflow,
    webhook: created.webhook,
    comment: created.comment,
    timelog: created.timelog,
    job: created.job,
    name: 'plan.png',
    group: created.group,
    invitation: created.invitation,
    dataExport: created.dataExport,
  };
  const id = ids[name.replace(/Ids?$/, '')];
  if (id === undefined) throw new Error(`No id for ${name}`);
  return id;
}

export function pathOf(path: string, created: Created): string {
  return path.replace(/\{(\w+)\}/g, (_, name: string) => idOf(name, created));
}

function apiCall(operation: AnyOperation, created: Created): Omit<Call, 'name' | 'operation'> {
  const { method, path, ...row } = allOperations[operation];
  const fields = (fieldsOf[operation] ?? []).flatMap((pair) => ['-f', pair]);
  // The emulator takes the name of a file alone.
  const file = 'takesFile' in row && row.takesFile ? ['-f', 'name=new.txt'] : [];
  const confirmed = method === 'GET' ? [] : ['--yes'];
  const ids = /\{\w+Ids\}$/.test(path) ? { ids: [idOf(/\{(\w+)\}$/.exec(path)?.[1] ?? '', created)] } : {};
  return {
    argv: ['api', method, pathOf(path, created), ...fields, ...file, ...confirmed],
    ...ids,
  };
}

/** Every call: each operation by its commands, and by `wm api`. */
export function callsOf(created: Created): readonly Call[] {
  const commands = commandsOf(created);
  return (Object.keys(allOperations) as readonly AnyOperation[]).flatMap((operation) =>
    [...(commands[operation] ?? []), apiCall(operation, created)].map((row) => {
      const call = 'argv' in row ? row : { argv: row };
      return { ...call, operation, name: `${operation}: ${nameOf(call.argv, created)}` };
    }),
  );
}

/** The command line, which is the same in every run. */
function nameOf(argv: readonly string[], { folder, ...ids }: Created): string {
  const named = (text: string, [name, id]: readonly [string, string]) => text.replace(id, name);
  return `wm ${Object.entries(ids).reduce(named, argv.join(' ').replaceAll(`${folder}/`, ''))}`;
}
