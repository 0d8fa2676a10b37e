// The operations of the contract, and others that wm uses: method, path, scopes, parameters and response. The client builds requests
// from these rows, and the emulator its routes. other-operation.ts has operations that only other programs use.

import type { AssumptionId } from './assumption.ts';
import { asyncJobRecord, batchParameters } from './batch-operation.ts';
import { fileToSend } from './file-to-send.ts';
import { identifier } from './identifier.ts';
import { limit } from './limit.ts';
import type { Parameters } from './parameter.ts';
import {
  accountRecord,
  auditLogRecord,
  contactRecord,
  customFieldRecord,
  folderRecord,
  spaceRecord,
  workflowRecord,
} from './read-only-records.ts';
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

/** The percent-encoded name of a file that is the body. */
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
  /** Below the API's base URL; `{name}` is a path parameter. */
  readonly path: string;
  readonly pathParameters: Readonly<Record<string, PathParameter>>;
  readonly parameters: P;
  readonly required: readonly string[];
  /** Where the parameters of a request go. By default in the query, and for POST in a form body. */
  readonly parametersIn: 'query' | 'form';
  /** The body is a file; a header has its name. */
  readonly takesFile?: true;
  /** A token needs one of these. */
  readonly scopes: readonly Scope[];
  readonly kind: string;
  /** Another kind to accept, if the contract does not show the kind. */
  readonly alsoKind?: string;
  readonly record: Schema<R>;
  /** The body of the response is the bytes of a file, not JSON. */
  readonly returnsFile?: true;
  /** `stated`: the contract shows it. `named`: only its name; the shape is assumed. `assumed`: the contract does not mention it. */
  readonly evidence: 'stated' | 'named' | 'assumed';
  /** The assumption for everything that the contract does not show. */
  readonly assumption?: AssumptionId;
}

/** An operation that the contract does not show completely names an assumption. */
type Evidence =
  | { readonly evidence?: 'stated' }
  | { readonly evidence: 'named' | 'assumed'; readonly assumption: AssumptionId };

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
  const rows: Operation['pathParameters'] = pathParameters;
  const entries = [...path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => [name, rows[name]]);
  // These are the names in the path, which the compiler cannot follow.
  return Object.fromEntries(entries) as ParametersIn<Path>;
}

const none = {} as const;

type Row<P extends Parameters, R> = Pick<Operation<P, R>, 'kind' | 'record'> &
  Partial<Omit<Operation<P, R>, 'pathParameters'>> &
  Evidence;

/** Keeps the names of its path parameters: a program must pass them. */
type OperationWith<P extends Parameters, R, Path extends string> = Omit<Operation<P, R>, 'pathParameters'> & {
  readonly pathParameters: ParametersIn<Path>;
};

export function operation<R, const Path extends string, P extends Parameters = typeof none>(
  method: Method,
  path: Path,
  row: Row<P, R>,
): OperationWith<P, R, Path> {
  // Without parameters in the row, P is the type of none.
  const { parameters = none as unknown as P, takesFile } = row;
  return {
    parametersIn: method === 'POST' && !takesFile ? 'form' : 'query',
    scopes: method === 'GET' ? readScopes : writeScopes,
    evidence: 'stated',
    required: requiredNames(parameters),
    ...row,
    method,
    path,
    parameters,
    pathParameters: parametersIn(path),
  };
}

export function requiredNames(rows: Parameters): readonly string[] {
  return Object.keys(rows).filter((name) => rows[name]?.required);
}

const tasks = { kind: 'tasks', record: taskRecord } as const;
const asyncJob = { kind: 'asyncJob', record: asyncJobRecord } as const;
const webhooks = { kind: 'webhooks', record: webhookRecord } as const;
const contacts = { kind: 'contacts', record: contactRecord } as const;

export const assumed = <A extends AssumptionId>(assumption: A) =>
  ({ evidence: 'assumed', assumption }) as const;
export const named = <A extends AssumptionId>(assumption: A) => ({ evidence: 'named', assumption }) as const;

const taskList = { ...assumed('task-lists'), ...tasks, parameters: taskFilters } as const;
const webhookCreate = { ...webhooks, parameters: webhookCreateParameters } as const;
export const folders = { kind: 'folders', record: folderRecord } as const;
export const customFields = {
  ...named('record-shapes'),
  kind: 'customfields',
  record: customFieldRecord,
} as const;
export const workflows = {
  ...named('record-shapes'),
  scopes: workflowReadScopes,
  kind: 'workflows',
  record: workflowRecord,
} as const;
export const comments = { ...assumed('task-items'), kind: 'comments', record: commentRecord } as const;
export const attachments = {
  ...assumed('task-items'),
  kind: 'attachments',
  record: attachmentRecord,
} as const;
export const timelogs = { ...assumed('task-items'), kind: 'timelogs', record: timelogRecord } as const;

/** For lists of folders: assumed, since the contract does not show them. */
export const folderFilters = {
  descendants: { schema: boolean, meaning: 'Include nested folders' },
  project: { schema: boolean, meaning: 'Only projects, or only other folders' },
  permalink: { schema: text('permalink', { notEmpty: true }), meaning: 'By its link in the web workspace' },
} as const;
const contactFilters = {
  me: { schema: boolean, meaning: 'Only yourself' },
  email: { schema: text('e-mail'), meaning: 'By e-mail address' },
  name: { schema: text('name'), meaning: 'By name' },
  type: { schema: text('type'), meaning: 'Person, Group or Robot' },
  active: { schema: boolean, meaning: 'Only active ones' },
} as const;

export const operations = {
  updateTask: operation('PUT', '/tasks/{taskId}', { parameters: taskUpdateParameters, ...tasks }),
  getTasks: operation('GET', '/tasks/{taskIds}', {
    parameters: {
      fields: taskFilters.fields,
      withInvitations: taskUpdateParameters.withInvitations,
      plainTextCustomFields: taskUpdateParameters.plainTextCustomFields,
    },
    ...tasks,
    ...assumed('task-read'),
  }),
  listTasks: operation('GET', '/tasks', taskList),
  listFolderTasks: operation('GET', '/folders/{folderId}/tasks', taskList),
  listSpaceTasks: operation('GET', '/spaces/{spaceId}/tasks', taskList),
  createTask: operation('POST', '/folders/{folderId}/tasks', {
    parameters: taskCreateParameters,
    ...tasks,
    ...assumed('create-records'),
  }),
  createFolder: operation('POST', '/folders/{folderId}/folders', {
    parameters: folderCreateParameters,
    ...folders,
    ...assumed('create-records'),
  }),
  createTaskComment: operation('POST', '/tasks/{taskId}/comments', {
    parameters: commentCreateParameters,
    ...comments,
  }),
  createTaskAttachment: operation('POST', '/tasks/{taskId}/attachments', {
    takesFile: true,
    parameters: { file: { schema: fileToSend, meaning: 'The file', required: true } },
    ...attachments,
    ...assumed('attach-file'),
  }),
  createTaskTimelog: operation('POST', '/tasks/{taskId}/timelogs', {
    parameters: timelogParameters,
    ...timelogs,
  }),
  listTaskComments: operation('GET', '/tasks/{taskId}/comments', {
    parameters: commentReadParameters,
    ...comments,
  }),
  listTaskAttachments: operation('GET', '/tasks/{taskId}/attachments', attachments),
  listTaskTimelogs: operation('GET', '/tasks/{taskId}/timelogs', timelogs),
  batch: operation('POST', '/batch', { parameters: batchParameters, ...asyncJob, ...named('batch') }),
  getAsyncJob: operation('GET', '/async_job/{jobId}', {
    scopes: writeScopes,
    ...asyncJob,
    ...assumed('batch'),
  }),

  createWebhook: operation('POST', '/webhooks', {
    parameters: webhookCreateInAccountParameters,
    ...webhooks,
  }),
  createFolderWebhook: operation('POST', '/folders/{folderId}/webhooks', webhookCreate),
  createSpaceWebhook: operation('POST', '/spaces/{spaceId}/webhooks', webhookCreate),
  listWebhooks: operation('GET', '/webhooks', webhooks),
  getWebhooks: operation('GET', '/webhooks/{webhookIds}', webhooks),
  updateWebhook: operation('PUT', '/webhooks/{webhookId}', {
    parameters: webhookUpdateParameters,
    ...webhooks,
  }),
  deleteWebhook: operation('DELETE', '/webhooks/{webhookId}', {
    ...webhooks,
    assumption: 'webhook-delete-response',
  }),

  getAccount: operation('GET', '/account', {
    kind: 'accounts',
    record: accountRecord,
    ...named('record-shapes'),
  }),
  listContacts: operation('GET', '/contacts', {
    parameters: contactFilters,
    ...contacts,
    ...named('contact-filters'),
  }),
  getContacts: operation('GET', '/contacts/{contactIds}', { ...contacts, ...assumed('read-by-id') }),
  listSpaces: operation('GET', '/spaces', { kind: 'spaces', record: spaceRecord, ...named('record-shapes') }),
  listFolders: operation('GET', '/folders', {
    parameters: folderFilters,
    ...folders,
    alsoKind: 'folderTree',
    ...named('folder-list-kind'),
  }),
  getFolders: operation('GET', '/folders/{folderIds}', { ...folders, ...assumed('read-by-id') }),
  listCustomFields: operation('GET', '/customfields', customFields),
  listSpaceCustomFields: operation('GET', '/spaces/{spaceId}/customfields', customFields),
  listWorkflows: operation('GET', '/workflows', workflows),
  listSpaceWorkflows: operation('GET', '/spaces/{spaceId}/workflows', workflows),
  listAuditLog: operation('GET', '/audit_log', {
    // The contract does not show which it needs, so any will do.
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
