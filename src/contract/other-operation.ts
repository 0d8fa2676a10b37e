// The endpoints that programs other than wm need first, such as reading timelogs or downloading an attachment. The contract
// shows none of them: their shapes are assumptions, taken from what public integrations of the service send and read. The
// emulator serves them; wm sends none of these requests, except by `wm api`.

import type { AssumptionId } from './assumption.ts';
import { folderFilters } from './folder-list.ts';
import { type IdentifierType, identifier } from './identifier.ts';
import { limit } from './limit.ts';
import { folderId, operation, operations, type PathParameter, spaceId, taskId } from './operation.ts';
import {
  convertedIdRecord,
  customFieldRecord,
  dependencyRecord,
  folderRecord,
  invitationRecord,
  spaceRecord,
  urlRecord,
  userRecord,
  versionRecord,
  workflowRecord,
} from './read-only-records.ts';
import { anyJson, choice, list, number, text } from './schema.ts';
import { readScopes, workflowReadScopes } from './scope.ts';
import { folderUpdateParameters } from './task-create.ts';
import {
  attachmentFilters,
  attachmentReadParameters,
  attachmentRecord,
  commentFilters,
  commentReadParameters,
  commentRecord,
  commentUpdateParameters,
  folderTimelogFilters,
  timelogFilters,
  timelogParameters,
  timelogRecord,
} from './task-items.ts';

const none = {} as const;
const assumed = <A extends AssumptionId>(assumption: A) => ({ evidence: 'assumed', assumption }) as const;
const several = <N extends string>(name: N, type: IdentifierType, more: Partial<PathParameter> = {}) =>
  ({ [name]: { schema: identifier(type), maxIds: limit.itemsPerGet, ...more } }) as {
    // The key is the name, which the compiler widens.
    readonly [K in N]: PathParameter;
  };
const commentId = { commentId: { schema: identifier('CommentId') } };
const attachmentId = { attachmentId: { schema: identifier('AttachmentId') } };
const timelogId = { timelogId: { schema: identifier('TimelogId') } };

const comments = { ...assumed('task-items'), kind: 'comments', record: commentRecord } as const;
const attachments = { ...assumed('task-items'), kind: 'attachments', record: attachmentRecord } as const;
const timelogs = { ...assumed('task-items'), kind: 'timelogs', record: timelogRecord } as const;
const folders = { ...assumed('folder-lists'), kind: 'folders', record: folderRecord } as const;
const dependencies = {
  ...assumed('task-dependencies'),
  kind: 'dependencies',
  record: dependencyRecord,
} as const;
const lockPeriods = {
  method: 'GET',
  kind: 'timelogLockPeriods',
  record: anyJson,
  parameters: none,
  evidence: 'named',
  assumption: 'timelog-groups',
} as const;

const dependencyParameters = {
  predecessorId: { schema: identifier('TaskId'), meaning: 'The task that comes first' },
  successorId: { schema: identifier('TaskId'), meaning: 'The task that comes later' },
  relationType: {
    schema: choice('relation', ['StartToStart', 'StartToFinish', 'FinishToStart', 'FinishToFinish']),
    meaning: 'Which ends of the two are tied',
  },
  lagTime: { schema: number('minutes'), meaning: 'Minutes between the two' },
} as const;

export const otherOperations = {
  deleteTask: operation({
    ...assumed('delete-task'),
    method: 'DELETE',
    path: '/tasks/{taskId}',
    pathParameters: taskId,
    parameters: none,
    kind: 'tasks',
    record: operations.updateTask.record,
  }),
  updateFolder: operation({
    ...assumed('change-folder'),
    method: 'PUT',
    path: '/folders/{folderId}',
    pathParameters: folderId,
    parameters: folderUpdateParameters,
    kind: 'folders',
    record: folderRecord,
  }),
  deleteFolder: operation({
    ...assumed('change-folder'),
    method: 'DELETE',
    path: '/folders/{folderId}',
    pathParameters: folderId,
    parameters: none,
    kind: 'folders',
    record: folderRecord,
  }),
  createSpaceTask: operation({
    ...operations.createTask,
    ...assumed('create-records'),
    path: '/spaces/{spaceId}/tasks',
    pathParameters: spaceId,
  }),
  createSpaceFolder: operation({
    ...operations.createFolder,
    ...assumed('create-records'),
    path: '/spaces/{spaceId}/folders',
    pathParameters: spaceId,
  }),
  listSubfolders: operation({
    ...folders,
    method: 'GET',
    path: '/folders/{folderId}/folders',
    pathParameters: folderId,
    parameters: folderFilters,
    alsoKind: 'folderTree',
  }),
  listSpaceFolders: operation({
    ...folders,
    method: 'GET',
    path: '/spaces/{spaceId}/folders',
    pathParameters: spaceId,
    parameters: folderFilters,
    alsoKind: 'folderTree',
  }),
  getSpaces: operation({
    ...assumed('read-by-id'),
    method: 'GET',
    path: '/spaces/{spaceIds}',
    pathParameters: several('spaceIds', 'FolderId', { assumption: 'space-id-pattern' }),
    parameters: none,
    kind: 'spaces',
    record: spaceRecord,
  }),
  getUsers: operation({
    ...assumed('read-by-id'),
    method: 'GET',
    path: '/users/{userIds}',
    pathParameters: several('userIds', 'UserId'),
    parameters: none,
    scopes: [...readScopes, 'amReadOnlyUser', 'amReadWriteUser'],
    kind: 'users',
    record: userRecord,
  }),
  getCustomFields: operation({
    ...assumed('read-by-id'),
    method: 'GET',
    path: '/customfields/{customFieldIds}',
    pathParameters: several('customFieldIds', 'CustomFieldId'),
    parameters: none,
    kind: 'customfields',
    record: customFieldRecord,
  }),
  getWorkflows: operation({
    ...assumed('read-by-id'),
    method: 'GET',
    path: '/workflows/{workflowIds}',
    pathParameters: several('workflowIds', 'WorkflowId'),
    parameters: none,
    scopes: workflowReadScopes,
    kind: 'workflows',
    record: workflowRecord,
  }),
  convertIds: operation({
    ...assumed('permalinks'),
    method: 'GET',
    path: '/ids',
    parameters: {
      type: {
        schema: choice('type of id', ['ApiV2Task', 'ApiV2Folder']),
        meaning: 'What the numbers are of',
        required: true,
      },
      ids: {
        schema: list(text('number', { pattern: { test: /^\d{1,20}$/, says: 'digits' } })),
        meaning: 'The numbers of permalinks',
        required: true,
      },
    },
    kind: 'ids',
    record: convertedIdRecord,
  }),
  getVersion: operation({
    ...assumed('version'),
    method: 'GET',
    path: '/version',
    parameters: none,
    kind: 'version',
    record: versionRecord,
  }),

  listTaskDependencies: operation({
    ...dependencies,
    method: 'GET',
    path: '/tasks/{taskId}/dependencies',
    pathParameters: taskId,
    parameters: none,
  }),
  createTaskDependency: operation({
    ...dependencies,
    method: 'POST',
    path: '/tasks/{taskId}/dependencies',
    pathParameters: taskId,
    parametersIn: 'form',
    parameters: dependencyParameters,
  }),
  getDependencies: operation({
    ...dependencies,
    method: 'GET',
    path: '/dependencies/{dependencyIds}',
    pathParameters: several('dependencyIds', 'DependencyId'),
    parameters: none,
  }),
  deleteDependency: operation({
    ...dependencies,
    method: 'DELETE',
    path: '/dependencies/{dependencyId}',
    pathParameters: { dependencyId: { schema: identifier('DependencyId') } },
    parameters: none,
  }),

  listComments: operation({ ...comments, method: 'GET', path: '/comments', parameters: commentFilters }),
  getComments: operation({
    ...comments,
    method: 'GET',
    path: '/comments/{commentIds}',
    pathParameters: several('commentIds', 'CommentId'),
    parameters: commentReadParameters,
  }),
  updateComment: operation({
    ...comments,
    method: 'PUT',
    path: '/comments/{commentId}',
    pathParameters: commentId,
    parameters: commentUpdateParameters,
  }),
  deleteComment: operation({
    ...comments,
    method: 'DELETE',
    path: '/comments/{commentId}',
    pathParameters: commentId,
    parameters: none,
  }),
  listFolderComments: operation({
    ...comments,
    method: 'GET',
    path: '/folders/{folderId}/comments',
    pathParameters: folderId,
    parameters: commentFilters,
  }),
  createFolderComment: operation({
    ...operations.createTaskComment,
    ...assumed('task-items'),
    path: '/folders/{folderId}/comments',
    pathParameters: folderId,
  }),

  listAttachments: operation({
    ...attachments,
    method: 'GET',
    path: '/attachments',
    parameters: attachmentFilters,
  }),
  getAttachments: operation({
    ...attachments,
    method: 'GET',
    path: '/attachments/{attachmentIds}',
    pathParameters: several('attachmentIds', 'AttachmentId'),
    parameters: attachmentReadParameters,
  }),
  getAttachmentUrl: operation({
    ...assumed('file-contents'),
    method: 'GET',
    path: '/attachments/{attachmentId}/url',
    pathParameters: attachmentId,
    parameters: none,
    kind: 'url',
    record: urlRecord,
  }),
  downloadAttachment: operation({
    ...attachments,
    ...assumed('file-contents'),
    method: 'GET',
    path: '/attachments/{attachmentId}/download',
    pathParameters: attachmentId,
    parameters: none,
    returnsFile: true,
  }),
  downloadNamedAttachment: operation({
    ...attachments,
    ...assumed('file-contents'),
    method: 'GET',
    path: '/attachments/{attachmentId}/download/{name}',
    pathParameters: { ...attachmentId, name: { schema: text('name') } },
    parameters: none,
    returnsFile: true,
  }),
  deleteAttachment: operation({
    ...attachments,
    method: 'DELETE',
    path: '/attachments/{attachmentId}',
    pathParameters: attachmentId,
    parameters: none,
  }),
  listFolderAttachments: operation({
    ...attachments,
    method: 'GET',
    path: '/folders/{folderId}/attachments',
    pathParameters: folderId,
    parameters: attachmentFilters,
  }),
  createFolderAttachment: operation({
    ...operations.createTaskAttachment,
    ...assumed('attach-file'),
    path: '/folders/{folderId}/attachments',
    pathParameters: folderId,
  }),

  listTimelogs: operation({ ...timelogs, method: 'GET', path: '/timelogs', parameters: timelogFilters }),
  getTimelogs: operation({
    ...timelogs,
    method: 'GET',
    path: '/timelogs/{timelogIds}',
    pathParameters: several('timelogIds', 'TimelogId'),
    parameters: { plainText: timelogFilters.plainText },
  }),
  updateTimelog: operation({
    ...timelogs,
    method: 'PUT',
    path: '/timelogs/{timelogId}',
    pathParameters: timelogId,
    parameters: timelogParameters,
  }),
  deleteTimelog: operation({
    ...timelogs,
    method: 'DELETE',
    path: '/timelogs/{timelogId}',
    pathParameters: timelogId,
    parameters: none,
  }),
  listFolderTimelogs: operation({
    ...timelogs,
    method: 'GET',
    path: '/folders/{folderId}/timelogs',
    pathParameters: folderId,
    parameters: folderTimelogFilters,
  }),
  listContactTimelogs: operation({
    ...timelogs,
    method: 'GET',
    path: '/contacts/{contactId}/timelogs',
    pathParameters: { contactId: { schema: identifier('UserId') } },
    parameters: timelogFilters,
  }),
  listTimelogCategories: operation({
    method: 'GET',
    path: '/timelog_categories',
    kind: 'timelogCategories',
    record: anyJson,
    parameters: none,
    evidence: 'named',
    assumption: 'timelog-groups',
  }),
  listTimesheets: operation({
    method: 'GET',
    path: '/timesheets',
    kind: 'timesheet',
    record: anyJson,
    parameters: none,
    evidence: 'named',
    assumption: 'timelog-groups',
  }),
  listTaskLockPeriods: operation({
    ...lockPeriods,
    path: '/tasks/{taskId}/timelog_lock_periods',
    pathParameters: taskId,
  }),
  listFolderLockPeriods: operation({
    ...lockPeriods,
    path: '/folders/{folderId}/timelog_lock_periods',
    pathParameters: folderId,
  }),
  listSpaceLockPeriods: operation({
    ...lockPeriods,
    path: '/spaces/{spaceId}/timelog_lock_periods',
    pathParameters: spaceId,
  }),

  listGroups: operation({
    method: 'GET',
    path: '/groups',
    kind: 'groups',
    record: anyJson,
    parameters: none,
    scopes: [...readScopes, 'amReadOnlyGroup', 'amReadWriteGroup'],
    evidence: 'named',
    assumption: 'timelog-groups',
  }),
  listInvitations: operation({
    method: 'GET',
    path: '/invitations',
    kind: 'invitations',
    record: invitationRecord,
    parameters: none,
    scopes: ['amReadOnlyInvitation', 'amReadWriteInvitation'],
    evidence: 'named',
    assumption: 'invitations',
  }),
} as const;

export type OtherOperationName = keyof typeof otherOperations;
