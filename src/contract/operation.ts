// The endpoints of the contract and of wm's own requests: method, path, scopes, parameters and response. The client builds its
// requests from these rows and the emulator its routes. other-operation.ts has endpoints that only other programs use.

import type { AssumptionId } from './assumption.ts';
import { asyncJobRecord, batchParameters } from './batch-operation.ts';
import { fileToSend } from './file-to-send.ts';
import { folderFilters } from './folder-list.ts';
import { identifier } from './identifier.ts';
import { limit } from './limit.ts';
import { type Parameters, requiredNames } from './parameter.ts';
import {
  accountRecord,
  auditLogRecord,
  contactRecord,
  customFieldRecord,
  folderRecord,
  spaceRecord,
  workflowRecord,
} from './read-only-records.ts';
import type { ResponseKind } from './response-kind.ts';
import { boolean, type Schema, text } from './schema.ts';
import { readScopes, type Scope, scopes, workflowReadScopes, writeScopes } from './scope.ts';
import { taskRecord, taskUpdateParameters } from './task.ts';
import { folderCreateParameters, taskCreateParameters } from './task-create.ts';
import {
  attachmentRecord,
  commentCreateParameters,
  commentReadParameters,
  commentRecord,
  timelogParameters,
  timelogRecord,
} from './task-items.ts';
import { taskFilters } from './task-list.ts';
import {
  webhookCreateInAccountParameters,
  webhookCreateParameters,
  webhookId,
  webhookRecord,
  webhookUpdateParameters,
} from './webhook.ts';

/** Names the file that is a request's body, percent-encoded. */
export const fileNameHeader = 'X-File-Name';

export type Method = 'GET' | 'POST' | 'PUT' | 'DELETE';

export interface PathParameter {
  readonly schema: Schema<string>;
  /** The most ids that the path takes, separated by commas; undefined if it takes only one. */
  readonly maxIds?: number;
  /** The assumption for its pattern, if the contract shows none. */
  readonly assumption?: AssumptionId;
}

export interface Operation<P extends Parameters = Parameters, R = unknown> {
  readonly method: Method;
  /** Below the API's base address; `{name}` stands for a path parameter. */
  readonly path: string;
  readonly pathParameters: Readonly<Record<string, PathParameter>>;
  readonly parameters: P;
  /** The names of the required parameters. */
  readonly required: readonly string[];
  /** Where the parameters of a request go: the query, or a form body. */
  readonly parametersIn: 'query' | 'form';
  /** The body is a file, and a header names it. */
  readonly takesFile?: true;
  /** One of these is needed. */
  readonly scopes: readonly Scope[];
  readonly kind: ResponseKind;
  /** If the contract does not show the kind: another one to accept. */
  readonly alsoKind?: ResponseKind;
  readonly record: Schema<R>;
  /** The body of the response is the bytes of a file, not JSON. */
  readonly returnsFile?: true;
  /** `stated`: the contract shows it. `named`: it gives the name alone, the shape is an assumption. `assumed`: neither. */
  readonly evidence: 'stated' | 'named' | 'assumed';
  /** The assumption for what the contract does not show of it. */
  readonly assumption?: AssumptionId;
}

/** An operation that the contract does not state in full names the assumption for the rest. */
type Evidence =
  | { readonly evidence?: 'stated' }
  | { readonly evidence: 'named' | 'assumed'; readonly assumption: AssumptionId };

/** The ids in paths, by their names there. */
const pathParameters = {
  taskId: { schema: identifier('TaskId') },
  taskIds: { schema: identifier('TaskId'), maxIds: limit.tasksPerGet },
  folderId: { schema: identifier('FolderId') },
  folderIds: { schema: identifier('FolderId'), maxIds: limit.foldersPerGet },
  spaceId: { schema: identifier('FolderId'), assumption: 'space-id-pattern' },
  spaceIds: {
    schema: identifier('FolderId'),
    maxIds: limit.itemsPerGet,
    assumption: 'space-id-pattern',
  },
  webhookId: { schema: webhookId },
  webhookIds: { schema: webhookId, maxIds: limit.webhooksPerGet },
  contactId: { schema: identifier('UserId') },
  contactIds: { schema: identifier('UserId'), maxIds: limit.contactsPerGet },
  userIds: { schema: identifier('UserId'), maxIds: limit.itemsPerGet },
  commentId: { schema: identifier('CommentId') },
  commentIds: { schema: identifier('CommentId'), maxIds: limit.itemsPerGet },
  attachmentId: { schema: identifier('AttachmentId') },
  attachmentIds: { schema: identifier('AttachmentId'), maxIds: limit.itemsPerGet },
  /** Of an attachment. */
  name: { schema: text('name') },
  timelogId: { schema: identifier('TimelogId') },
  timelogIds: { schema: identifier('TimelogId'), maxIds: limit.itemsPerGet },
  dependencyId: { schema: identifier('DependencyId') },
  dependencyIds: { schema: identifier('DependencyId'), maxIds: limit.itemsPerGet },
  customFieldIds: { schema: identifier('CustomFieldId'), maxIds: limit.itemsPerGet },
  workflowIds: { schema: identifier('WorkflowId'), maxIds: limit.itemsPerGet },
  jobId: { schema: identifier('JobId') },
} as const satisfies Operation['pathParameters'];

type PathName = keyof typeof pathParameters;
type NamesIn<Path extends string> = Path extends `${string}{${infer Name}}${infer Rest}`
  ? Name | NamesIn<Rest>
  : never;
type ParametersIn<Path extends string> = Pick<typeof pathParameters, NamesIn<Path> & PathName>;

function parametersIn<Path extends string>(path: Path): ParametersIn<Path> {
  const names = path.split('{').slice(1);
  const rows: Operation['pathParameters'] = pathParameters;
  const entries = names.map((rest) => rest.slice(0, rest.indexOf('}'))).map((name) => [name, rows[name]]);
  // The names are those of the path, which the compiler cannot follow.
  return Object.fromEntries(entries) as ParametersIn<Path>;
}

const none = {} as const;

type Row<P extends Parameters, R, Path extends string> = Pick<Operation<P, R>, 'method' | 'kind' | 'record'> &
  Partial<Omit<Operation<P, R>, 'pathParameters'>> &
  Evidence & { readonly path: Path };

/** Keeps the names of its path parameters: they are part of what a program has to give. */
type OperationWith<P extends Parameters, R, Path extends string> = Omit<Operation<P, R>, 'pathParameters'> & {
  readonly pathParameters: ParametersIn<Path>;
};

export function operation<R, const Path extends string, P extends Parameters = typeof none>(
  row: Row<P, R, Path>,
): OperationWith<P, R, Path> {
  // Without parameters in the row, P is the type of none.
  const { parameters = none as unknown as P } = row;
  return {
    parametersIn: 'query',
    scopes: row.method === 'GET' ? readScopes : writeScopes,
    evidence: 'stated',
    required: requiredNames(parameters),
    ...row,
    parameters,
    pathParameters: parametersIn(row.path),
  };
}

const tasks = { kind: 'tasks', record: taskRecord } as const;
const folders = { kind: 'folders', record: folderRecord } as const;
const comments = { kind: 'comments', record: commentRecord } as const;
const attachments = { kind: 'attachments', record: attachmentRecord } as const;
const timelogs = { kind: 'timelogs', record: timelogRecord } as const;
const asyncJob = { kind: 'asyncJob', record: asyncJobRecord } as const;
const webhooks = { kind: 'webhooks', record: webhookRecord } as const;
const contacts = { kind: 'contacts', record: contactRecord } as const;
const customFields = { kind: 'customfields', record: customFieldRecord } as const;
const workflows = { kind: 'workflows', record: workflowRecord } as const;

export const assumed = <A extends AssumptionId>(assumption: A) =>
  ({ evidence: 'assumed', assumption }) as const;
export const named = <A extends AssumptionId>(assumption: A) => ({ evidence: 'named', assumption }) as const;

const contactFilters = {
  me: { schema: boolean, meaning: 'Only yourself' },
  email: { schema: text('e-mail'), meaning: 'By e-mail address' },
  name: { schema: text('name'), meaning: 'By name' },
  type: { schema: text('type'), meaning: 'Person, Group or Robot' },
  active: { schema: boolean, meaning: 'Only active ones' },
} as const;

export const operations = {
  updateTask: operation({
    method: 'PUT',
    path: '/tasks/{taskId}',
    parameters: taskUpdateParameters,
    ...tasks,
  }),
  getTasks: operation({
    method: 'GET',
    path: '/tasks/{taskIds}',
    parameters: {
      fields: taskFilters.fields,
      withInvitations: taskUpdateParameters.withInvitations,
      plainTextCustomFields: taskUpdateParameters.plainTextCustomFields,
    },
    ...tasks,
    ...assumed('task-read'),
  }),
  listTasks: operation({
    method: 'GET',
    path: '/tasks',
    parameters: taskFilters,
    ...tasks,
    ...assumed('task-lists'),
  }),
  listFolderTasks: operation({
    method: 'GET',
    path: '/folders/{folderId}/tasks',
    parameters: taskFilters,
    ...tasks,
    ...assumed('task-lists'),
  }),
  listSpaceTasks: operation({
    method: 'GET',
    path: '/spaces/{spaceId}/tasks',
    parameters: taskFilters,
    ...tasks,
    ...assumed('task-lists'),
  }),
  createTask: operation({
    method: 'POST',
    path: '/folders/{folderId}/tasks',
    parametersIn: 'form',
    parameters: taskCreateParameters,
    ...tasks,
    ...assumed('create-records'),
  }),
  createFolder: operation({
    method: 'POST',
    path: '/folders/{folderId}/folders',
    parametersIn: 'form',
    parameters: folderCreateParameters,
    ...folders,
    ...assumed('create-records'),
  }),
  createTaskComment: operation({
    method: 'POST',
    path: '/tasks/{taskId}/comments',
    parametersIn: 'form',
    parameters: commentCreateParameters,
    ...comments,
    ...assumed('task-items'),
  }),
  createTaskAttachment: operation({
    method: 'POST',
    path: '/tasks/{taskId}/attachments',
    takesFile: true,
    parameters: { file: { schema: fileToSend, meaning: 'The file', required: true } },
    ...attachments,
    ...assumed('attach-file'),
  }),
  createTaskTimelog: operation({
    method: 'POST',
    path: '/tasks/{taskId}/timelogs',
    parametersIn: 'form',
    parameters: timelogParameters,
    ...timelogs,
    ...assumed('task-items'),
  }),
  listTaskComments: operation({
    method: 'GET',
    path: '/tasks/{taskId}/comments',
    parameters: commentReadParameters,
    ...comments,
    ...assumed('task-items'),
  }),
  listTaskAttachments: operation({
    method: 'GET',
    path: '/tasks/{taskId}/attachments',
    ...attachments,
    ...assumed('task-items'),
  }),
  listTaskTimelogs: operation({
    method: 'GET',
    path: '/tasks/{taskId}/timelogs',
    ...timelogs,
    ...assumed('task-items'),
  }),
  batch: operation({
    method: 'POST',
    path: '/batch',
    parametersIn: 'form',
    parameters: batchParameters,
    ...asyncJob,
    ...named('batch'),
  }),
  getAsyncJob: operation({
    method: 'GET',
    path: '/async_job/{jobId}',
    scopes: writeScopes,
    ...asyncJob,
    ...assumed('batch'),
  }),

  createWebhook: operation({
    method: 'POST',
    path: '/webhooks',
    parametersIn: 'form',
    parameters: webhookCreateInAccountParameters,
    ...webhooks,
  }),
  createFolderWebhook: operation({
    method: 'POST',
    path: '/folders/{folderId}/webhooks',
    parametersIn: 'form',
    parameters: webhookCreateParameters,
    ...webhooks,
  }),
  createSpaceWebhook: operation({
    method: 'POST',
    path: '/spaces/{spaceId}/webhooks',
    parametersIn: 'form',
    parameters: webhookCreateParameters,
    ...webhooks,
  }),
  listWebhooks: operation({ ...webhooks, method: 'GET', path: '/webhooks' }),
  getWebhooks: operation({ ...webhooks, method: 'GET', path: '/webhooks/{webhookIds}' }),
  updateWebhook: operation({
    method: 'PUT',
    path: '/webhooks/{webhookId}',
    parameters: webhookUpdateParameters,
    ...webhooks,
  }),
  deleteWebhook: operation({
    method: 'DELETE',
    path: '/webhooks/{webhookId}',
    ...webhooks,
    assumption: 'webhook-delete-response',
  }),

  getAccount: operation({
    method: 'GET',
    path: '/account',
    kind: 'accounts',
    record: accountRecord,
    ...named('record-shapes'),
  }),
  listContacts: operation({
    method: 'GET',
    path: '/contacts',
    parameters: contactFilters,
    ...contacts,
    ...named('contact-filters'),
  }),
  getContacts: operation({
    method: 'GET',
    path: '/contacts/{contactIds}',
    ...contacts,
    ...assumed('read-by-id'),
  }),
  listSpaces: operation({
    method: 'GET',
    path: '/spaces',
    kind: 'spaces',
    record: spaceRecord,
    ...named('record-shapes'),
  }),
  listFolders: operation({
    method: 'GET',
    path: '/folders',
    parameters: folderFilters,
    ...folders,
    alsoKind: 'folderTree',
    ...named('folder-list-kind'),
  }),
  getFolders: operation({
    method: 'GET',
    path: '/folders/{folderIds}',
    ...folders,
    ...assumed('read-by-id'),
  }),
  listCustomFields: operation({
    method: 'GET',
    path: '/customfields',
    ...customFields,
    ...named('record-shapes'),
  }),
  listSpaceCustomFields: operation({
    method: 'GET',
    path: '/spaces/{spaceId}/customfields',
    ...customFields,
    ...named('record-shapes'),
  }),
  listWorkflows: operation({
    method: 'GET',
    path: '/workflows',
    scopes: workflowReadScopes,
    ...workflows,
    ...named('record-shapes'),
  }),
  listSpaceWorkflows: operation({
    method: 'GET',
    path: '/spaces/{spaceId}/workflows',
    scopes: workflowReadScopes,
    ...workflows,
    ...named('record-shapes'),
  }),
  listAuditLog: operation({
    method: 'GET',
    path: '/audit_log',
    // The contract does not show which, so none is known to be missing.
    scopes,
    kind: 'auditLog',
    record: auditLogRecord,
    ...named('audit-log'),
  }),
} as const;

/** Whether the contract shows which scopes the operation of this name needs. Contract: Authentication 9. */
export const showsScopes = (name: string): boolean =>
  ['updateTask', 'createTask', 'createSpaceTask'].includes(name);

export type OperationName = keyof typeof operations;
