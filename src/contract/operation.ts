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

type PathParameters = Operation['pathParameters'];

type Row<P extends Parameters, R, Path extends PathParameters> = Pick<
  Operation<P, R>,
  'method' | 'path' | 'kind' | 'record'
> &
  Partial<Operation<P, R>> &
  Evidence & { readonly parameters: P; readonly pathParameters?: Path };

/** Keeps the names of its path parameters: they are part of what a program has to give. */
type OperationWith<P extends Parameters, R, Path extends PathParameters> = Omit<
  Operation<P, R>,
  'pathParameters'
> & { readonly pathParameters: Path };

export function operation<P extends Parameters, R, Path extends PathParameters = Record<never, never>>(
  row: Row<P, R, Path>,
): OperationWith<P, R, Path> {
  const { pathParameters = {} as Path } = row;
  return {
    parametersIn: 'query',
    scopes: row.method === 'GET' ? readScopes : writeScopes,
    evidence: 'stated',
    required: requiredNames(row.parameters),
    ...row,
    pathParameters,
  };
}

const none = {} as const;
export const taskId = { taskId: { schema: identifier('TaskId') } };
export const folderId = { folderId: { schema: identifier('FolderId') } };
export const spaceId = {
  spaceId: { schema: identifier('FolderId'), assumption: 'space-id-pattern' },
} as const;
const oneWebhook = { webhookId: { schema: webhookId } };
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
    pathParameters: taskId,
    parameters: taskUpdateParameters,
    kind: 'tasks',
    record: taskRecord,
  }),
  getTasks: operation({
    method: 'GET',
    path: '/tasks/{taskIds}',
    pathParameters: { taskIds: { schema: identifier('TaskId'), maxIds: limit.tasksPerGet } },
    parameters: {
      fields: taskFilters.fields,
      withInvitations: taskUpdateParameters.withInvitations,
      plainTextCustomFields: taskUpdateParameters.plainTextCustomFields,
    },
    kind: 'tasks',
    record: taskRecord,
    evidence: 'assumed',
    assumption: 'task-read',
  }),
  listTasks: operation({
    method: 'GET',
    path: '/tasks',
    parameters: taskFilters,
    kind: 'tasks',
    record: taskRecord,
    evidence: 'assumed',
    assumption: 'task-lists',
  }),
  listFolderTasks: operation({
    method: 'GET',
    path: '/folders/{folderId}/tasks',
    pathParameters: folderId,
    parameters: taskFilters,
    kind: 'tasks',
    record: taskRecord,
    evidence: 'assumed',
    assumption: 'task-lists',
  }),
  listSpaceTasks: operation({
    method: 'GET',
    path: '/spaces/{spaceId}/tasks',
    pathParameters: spaceId,
    parameters: taskFilters,
    kind: 'tasks',
    record: taskRecord,
    evidence: 'assumed',
    assumption: 'task-lists',
  }),
  createTask: operation({
    method: 'POST',
    path: '/folders/{folderId}/tasks',
    pathParameters: folderId,
    parametersIn: 'form',
    parameters: taskCreateParameters,
    kind: 'tasks',
    record: taskRecord,
    evidence: 'assumed',
    assumption: 'create-records',
  }),
  createFolder: operation({
    method: 'POST',
    path: '/folders/{folderId}/folders',
    pathParameters: folderId,
    parametersIn: 'form',
    parameters: folderCreateParameters,
    kind: 'folders',
    record: folderRecord,
    evidence: 'assumed',
    assumption: 'create-records',
  }),
  createTaskComment: operation({
    method: 'POST',
    path: '/tasks/{taskId}/comments',
    pathParameters: taskId,
    parametersIn: 'form',
    parameters: commentCreateParameters,
    kind: 'comments',
    record: commentRecord,
    evidence: 'assumed',
    assumption: 'task-items',
  }),
  createTaskAttachment: operation({
    method: 'POST',
    path: '/tasks/{taskId}/attachments',
    pathParameters: taskId,
    takesFile: true,
    parameters: { file: { schema: fileToSend, meaning: 'The file', required: true } },
    kind: 'attachments',
    record: attachmentRecord,
    evidence: 'assumed',
    assumption: 'attach-file',
  }),
  createTaskTimelog: operation({
    method: 'POST',
    path: '/tasks/{taskId}/timelogs',
    pathParameters: taskId,
    parametersIn: 'form',
    parameters: timelogParameters,
    kind: 'timelogs',
    record: timelogRecord,
    evidence: 'assumed',
    assumption: 'task-items',
  }),
  listTaskComments: operation({
    method: 'GET',
    path: '/tasks/{taskId}/comments',
    pathParameters: taskId,
    parameters: commentReadParameters,
    kind: 'comments',
    record: commentRecord,
    evidence: 'assumed',
    assumption: 'task-items',
  }),
  listTaskAttachments: operation({
    method: 'GET',
    path: '/tasks/{taskId}/attachments',
    pathParameters: taskId,
    parameters: none,
    kind: 'attachments',
    record: attachmentRecord,
    evidence: 'assumed',
    assumption: 'task-items',
  }),
  listTaskTimelogs: operation({
    method: 'GET',
    path: '/tasks/{taskId}/timelogs',
    pathParameters: taskId,
    parameters: none,
    kind: 'timelogs',
    record: timelogRecord,
    evidence: 'assumed',
    assumption: 'task-items',
  }),
  batch: operation({
    method: 'POST',
    path: '/batch',
    parametersIn: 'form',
    parameters: batchParameters,
    kind: 'asyncJob',
    record: asyncJobRecord,
    evidence: 'named',
    assumption: 'batch',
  }),
  getAsyncJob: operation({
    method: 'GET',
    path: '/async_job/{jobId}',
    pathParameters: { jobId: { schema: identifier('JobId') } },
    parameters: none,
    scopes: writeScopes,
    kind: 'asyncJob',
    record: asyncJobRecord,
    evidence: 'assumed',
    assumption: 'batch',
  }),

  createWebhook: operation({
    method: 'POST',
    path: '/webhooks',
    parametersIn: 'form',
    parameters: webhookCreateInAccountParameters,
    kind: 'webhooks',
    record: webhookRecord,
  }),
  createFolderWebhook: operation({
    method: 'POST',
    path: '/folders/{folderId}/webhooks',
    pathParameters: folderId,
    parametersIn: 'form',
    parameters: webhookCreateParameters,
    kind: 'webhooks',
    record: webhookRecord,
  }),
  createSpaceWebhook: operation({
    method: 'POST',
    path: '/spaces/{spaceId}/webhooks',
    pathParameters: spaceId,
    parametersIn: 'form',
    parameters: webhookCreateParameters,
    kind: 'webhooks',
    record: webhookRecord,
  }),
  listWebhooks: operation({
    method: 'GET',
    path: '/webhooks',
    parameters: none,
    kind: 'webhooks',
    record: webhookRecord,
  }),
  getWebhooks: operation({
    method: 'GET',
    path: '/webhooks/{webhookIds}',
    pathParameters: { webhookIds: { schema: webhookId, maxIds: limit.webhooksPerGet } },
    parameters: none,
    kind: 'webhooks',
    record: webhookRecord,
  }),
  updateWebhook: operation({
    method: 'PUT',
    path: '/webhooks/{webhookId}',
    pathParameters: oneWebhook,
    parameters: webhookUpdateParameters,
    kind: 'webhooks',
    record: webhookRecord,
  }),
  deleteWebhook: operation({
    method: 'DELETE',
    path: '/webhooks/{webhookId}',
    pathParameters: oneWebhook,
    parameters: none,
    kind: 'webhooks',
    record: webhookRecord,
    assumption: 'webhook-delete-response',
  }),

  getAccount: operation({
    method: 'GET',
    path: '/account',
    parameters: none,
    kind: 'accounts',
    record: accountRecord,
    evidence: 'named',
    assumption: 'record-shapes',
  }),
  listContacts: operation({
    method: 'GET',
    path: '/contacts',
    parameters: contactFilters,
    kind: 'contacts',
    record: contactRecord,
    evidence: 'named',
    assumption: 'contact-filters',
  }),
  getContacts: operation({
    method: 'GET',
    path: '/contacts/{contactIds}',
    pathParameters: { contactIds: { schema: identifier('UserId'), maxIds: limit.contactsPerGet } },
    parameters: none,
    kind: 'contacts',
    record: contactRecord,
    evidence: 'assumed',
    assumption: 'read-by-id',
  }),
  listSpaces: operation({
    method: 'GET',
    path: '/spaces',
    parameters: none,
    kind: 'spaces',
    record: spaceRecord,
    evidence: 'named',
    assumption: 'record-shapes',
  }),
  listFolders: operation({
    method: 'GET',
    path: '/folders',
    parameters: folderFilters,
    kind: 'folders',
    alsoKind: 'folderTree',
    record: folderRecord,
    evidence: 'named',
    assumption: 'folder-list-kind',
  }),
  getFolders: operation({
    method: 'GET',
    path: '/folders/{folderIds}',
    pathParameters: { folderIds: { schema: identifier('FolderId'), maxIds: limit.foldersPerGet } },
    parameters: none,
    kind: 'folders',
    record: folderRecord,
    evidence: 'assumed',
    assumption: 'read-by-id',
  }),
  listCustomFields: operation({
    method: 'GET',
    path: '/customfields',
    parameters: none,
    kind: 'customfields',
    record: customFieldRecord,
    evidence: 'named',
    assumption: 'record-shapes',
  }),
  listSpaceCustomFields: operation({
    method: 'GET',
    path: '/spaces/{spaceId}/customfields',
    pathParameters: spaceId,
    parameters: none,
    kind: 'customfields',
    record: customFieldRecord,
    evidence: 'named',
    assumption: 'record-shapes',
  }),
  listWorkflows: operation({
    method: 'GET',
    path: '/workflows',
    parameters: none,
    scopes: workflowReadScopes,
    kind: 'workflows',
    record: workflowRecord,
    evidence: 'named',
    assumption: 'record-shapes',
  }),
  listSpaceWorkflows: operation({
    method: 'GET',
    path: '/spaces/{spaceId}/workflows',
    pathParameters: spaceId,
    parameters: none,
    scopes: workflowReadScopes,
    kind: 'workflows',
    record: workflowRecord,
    evidence: 'named',
    assumption: 'record-shapes',
  }),
  listAuditLog: operation({
    method: 'GET',
    path: '/audit_log',
    parameters: none,
    // The contract does not show which, so none is known to be missing.
    scopes,
    kind: 'auditLog',
    record: auditLogRecord,
    evidence: 'named',
    assumption: 'audit-log',
  }),
} as const;

/** Whether the contract shows which scopes the operation of this name needs. Contract: Authentication 9. */
export const showsScopes = (name: string): boolean =>
  ['updateTask', 'createTask', 'createSpaceTask'].includes(name);

export type OperationName = keyof typeof operations;
