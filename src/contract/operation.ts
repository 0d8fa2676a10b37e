// Every endpoint of the API: method, path, scopes, parameters, and the kind and record of its answer. The client builds
// its requests and the emulator its routes from these rows; neither writes a path by hand.

import { identifier } from './identifier.ts';
import type { Kind } from './kind.ts';
import { limit } from './limit.ts';
import { type Parameters, requiredOf } from './parameter.ts';
import {
  accountRecord,
  contactRecord,
  customFieldRecord,
  folderRecord,
  spaceRecord,
  workflowRecord,
} from './resource.ts';
import type { Scope } from './scope.ts';
import { taskRecord, taskUpdateParameters } from './task.ts';
import { flag, text, type Value } from './value.ts';
import {
  webhookCreateInAccountParameters,
  webhookCreateParameters,
  webhookId,
  webhookRecord,
  webhookUpdateParameters,
} from './webhook.ts';

export type Method = 'GET' | 'POST' | 'PUT' | 'DELETE';

export interface PathParameter {
  readonly value: Value<string>;
  /** Where the path takes several ids with commas between them: how many at most. */
  readonly most?: number;
}

export interface Operation<P extends Parameters = Parameters, R = unknown> {
  readonly method: Method;
  /** Below the API's base address; `{name}` stands for a path parameter. */
  readonly path: string;
  readonly pathParameters: Readonly<Record<string, PathParameter>>;
  readonly parameters: P;
  /** The names of those that must be given. */
  readonly required: readonly string[];
  /** Where the parameters of a request go: the query, or a form body. */
  readonly sends: 'query' | 'form';
  /** One of these is needed. */
  readonly scopes: readonly Scope[];
  readonly kind: Kind;
  readonly record: Value<R>;
  /** `stated`: the contract shows it. `named`: it gives the name alone, the shape is an assumption. `assumed`: neither. */
  readonly known: 'stated' | 'named' | 'assumed';
}

const read: readonly Scope[] = ['Default', 'wsReadOnly', 'wsReadWrite'];
const write: readonly Scope[] = ['Default', 'wsReadWrite'];

type Row<P extends Parameters, R> = Pick<Operation<P, R>, 'method' | 'path' | 'kind' | 'record'> &
  Partial<Operation<P, R>> & { readonly parameters: P };

function operation<P extends Parameters, R>(row: Row<P, R>): Operation<P, R> {
  return {
    pathParameters: {},
    sends: 'query',
    scopes: row.method === 'GET' ? read : write,
    known: 'stated',
    required: requiredOf(row.parameters),
    ...row,
  };
}

const none = {} as const;
const taskId = { taskId: { value: identifier('TaskId') } };
const folderId = { folderId: { value: identifier('FolderId') } };
const spaceId = { spaceId: { value: identifier('FolderId') } };
const oneWebhook = { webhookId: { value: webhookId } };
const contactFilters = {
  me: { value: flag, meaning: 'Only yourself' },
  email: { value: text('e-mail'), meaning: 'By e-mail address' },
  name: { value: text('name'), meaning: 'By name' },
  type: { value: text('type'), meaning: 'Person, Group or Robot' },
  active: { value: flag, meaning: 'Only active ones' },
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
    pathParameters: { taskIds: { value: identifier('TaskId'), most: limit.tasksPerGet } },
    parameters: {
      fields: taskUpdateParameters.fields,
      withInvitations: taskUpdateParameters.withInvitations,
      plainTextCustomFields: taskUpdateParameters.plainTextCustomFields,
    },
    kind: 'tasks',
    record: taskRecord,
    known: 'assumed',
  }),
  listTasks: operation({
    method: 'GET',
    path: '/tasks',
    parameters: none,
    kind: 'tasks',
    record: taskRecord,
    known: 'assumed',
  }),

  createWebhook: operation({
    method: 'POST',
    path: '/webhooks',
    sends: 'form',
    parameters: webhookCreateInAccountParameters,
    kind: 'webhooks',
    record: webhookRecord,
  }),
  createFolderWebhook: operation({
    method: 'POST',
    path: '/folders/{folderId}/webhooks',
    pathParameters: folderId,
    sends: 'form',
    parameters: webhookCreateParameters,
    kind: 'webhooks',
    record: webhookRecord,
  }),
  createSpaceWebhook: operation({
    method: 'POST',
    path: '/spaces/{spaceId}/webhooks',
    pathParameters: spaceId,
    sends: 'form',
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
    pathParameters: { webhookIds: { value: webhookId, most: limit.webhooksPerGet } },
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
  }),

  getAccount: operation({
    method: 'GET',
    path: '/account',
    parameters: none,
    kind: 'accounts',
    record: accountRecord,
    known: 'named',
  }),
  listContacts: operation({
    method: 'GET',
    path: '/contacts',
    parameters: contactFilters,
    kind: 'contacts',
    record: contactRecord,
    known: 'named',
  }),
  listSpaces: operation({
    method: 'GET',
    path: '/spaces',
    parameters: none,
    kind: 'spaces',
    record: spaceRecord,
    known: 'named',
  }),
  listFolders: operation({
    method: 'GET',
    path: '/folders',
    parameters: none,
    kind: 'folders',
    record: folderRecord,
    known: 'named',
  }),
  listCustomFields: operation({
    method: 'GET',
    path: '/customfields',
    parameters: none,
    kind: 'customfields',
    record: customFieldRecord,
    known: 'named',
  }),
  listSpaceCustomFields: operation({
    method: 'GET',
    path: '/spaces/{spaceId}/customfields',
    pathParameters: spaceId,
    parameters: none,
    kind: 'customfields',
    record: customFieldRecord,
    known: 'named',
  }),
  listWorkflows: operation({
    method: 'GET',
    path: '/workflows',
    parameters: none,
    scopes: ['Default', 'amReadOnlyWorkflow', 'amReadWriteWorkflow'],
    kind: 'workflows',
    record: workflowRecord,
    known: 'named',
  }),
  listSpaceWorkflows: operation({
    method: 'GET',
    path: '/spaces/{spaceId}/workflows',
    pathParameters: spaceId,
    parameters: none,
    scopes: ['Default', 'amReadOnlyWorkflow', 'amReadWriteWorkflow'],
    kind: 'workflows',
    record: workflowRecord,
    known: 'named',
  }),
} as const;

export type OperationName = keyof typeof operations;

/** Endpoints that the contract names without a shape, and that `wm` does not call yet. */
export const namedOnly = [
  { method: 'GET', path: '/audit_log', kind: 'auditLog' },
  { method: 'POST', path: '/batch', kind: 'asyncJob' },
] as const satisfies readonly { method: Method; path: string; kind: Kind }[];
