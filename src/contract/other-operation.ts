// The endpoints that programs other than wm need first, such as reading timelogs or downloading an attachment. The contract
// shows none of them: their shapes are assumptions, taken from what public integrations of the service send and read. The
// emulator serves them; wm sends none of these requests, except by `wm api`.

import { folderFilters } from './folder-list.ts';
import { identifier } from './identifier.ts';
import { assumed, named, operation, operations } from './operation.ts';
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
  ...named('timelog-groups'),
} as const;

const dependencyParameters = {
  predecessorId: { schema: identifier('TaskId'), meaning: 'The task that comes first' },
  successorId: { schema: identifier('TaskId'), meaning: 'The task that comes later' },
  relationType: {
    schema: choice('relation', ['StartToStart', 'StartToFinish', 'FinishToStart', 'FinishToFinish']),
    meaning: 'Which ends of the two tasks are linked',
  },
  lagTime: { schema: number('minutes'), meaning: 'Minutes between those ends' },
} as const;

export const otherOperations = {
  deleteTask: operation({
    ...assumed('delete-task'),
    method: 'DELETE',
    path: '/tasks/{taskId}',
    kind: 'tasks',
    record: operations.updateTask.record,
  }),
  updateFolder: operation({
    ...assumed('change-folder'),
    method: 'PUT',
    path: '/folders/{folderId}',
    parameters: folderUpdateParameters,
    kind: 'folders',
    record: folderRecord,
  }),
  deleteFolder: operation({
    ...assumed('change-folder'),
    method: 'DELETE',
    path: '/folders/{folderId}',
    kind: 'folders',
    record: folderRecord,
  }),
  createSpaceTask: operation({
    ...operations.createTask,
    ...assumed('create-records'),
    path: '/spaces/{spaceId}/tasks',
  }),
  createSpaceFolder: operation({
    ...operations.createFolder,
    ...assumed('create-records'),
    path: '/spaces/{spaceId}/folders',
  }),
  listSubfolders: operation({
    ...folders,
    method: 'GET',
    path: '/folders/{folderId}/folders',
    parameters: folderFilters,
    alsoKind: 'folderTree',
  }),
  listSpaceFolders: operation({
    ...folders,
    method: 'GET',
    path: '/spaces/{spaceId}/folders',
    parameters: folderFilters,
    alsoKind: 'folderTree',
  }),
  getSpaces: operation({
    ...assumed('read-by-id'),
    method: 'GET',
    path: '/spaces/{spaceIds}',
    kind: 'spaces',
    record: spaceRecord,
  }),
  getUsers: operation({
    ...assumed('read-by-id'),
    method: 'GET',
    path: '/users/{userIds}',
    scopes: [...readScopes, 'amReadOnlyUser', 'amReadWriteUser'],
    kind: 'users',
    record: userRecord,
  }),
  getCustomFields: operation({
    ...assumed('read-by-id'),
    method: 'GET',
    path: '/customfields/{customFieldIds}',
    kind: 'customfields',
    record: customFieldRecord,
  }),
  getWorkflows: operation({
    ...assumed('read-by-id'),
    method: 'GET',
    path: '/workflows/{workflowIds}',
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
    kind: 'version',
    record: versionRecord,
  }),

  listTaskDependencies: operation({ ...dependencies, method: 'GET', path: '/tasks/{taskId}/dependencies' }),
  createTaskDependency: operation({
    ...dependencies,
    method: 'POST',
    path: '/tasks/{taskId}/dependencies',
    parametersIn: 'form',
    parameters: dependencyParameters,
  }),
  getDependencies: operation({ ...dependencies, method: 'GET', path: '/dependencies/{dependencyIds}' }),
  deleteDependency: operation({ ...dependencies, method: 'DELETE', path: '/dependencies/{dependencyId}' }),

  listComments: operation({ ...comments, method: 'GET', path: '/comments', parameters: commentFilters }),
  getComments: operation({
    ...comments,
    method: 'GET',
    path: '/comments/{commentIds}',
    parameters: commentReadParameters,
  }),
  updateComment: operation({
    ...comments,
    method: 'PUT',
    path: '/comments/{commentId}',
    parameters: commentUpdateParameters,
  }),
  deleteComment: operation({ ...comments, method: 'DELETE', path: '/comments/{commentId}' }),
  listFolderComments: operation({
    ...comments,
    method: 'GET',
    path: '/folders/{folderId}/comments',
    parameters: commentFilters,
  }),
  createFolderComment: operation({
    ...operations.createTaskComment,
    ...assumed('task-items'),
    path: '/folders/{folderId}/comments',
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
    parameters: attachmentReadParameters,
  }),
  getAttachmentUrl: operation({
    ...assumed('file-contents'),
    method: 'GET',
    path: '/attachments/{attachmentId}/url',
    kind: 'url',
    record: urlRecord,
  }),
  downloadAttachment: operation({
    ...attachments,
    ...assumed('file-contents'),
    method: 'GET',
    path: '/attachments/{attachmentId}/download',
    returnsFile: true,
  }),
  downloadNamedAttachment: operation({
    ...attachments,
    ...assumed('file-contents'),
    method: 'GET',
    path: '/attachments/{attachmentId}/download/{name}',
    returnsFile: true,
  }),
  deleteAttachment: operation({ ...attachments, method: 'DELETE', path: '/attachments/{attachmentId}' }),
  listFolderAttachments: operation({
    ...attachments,
    method: 'GET',
    path: '/folders/{folderId}/attachments',
    parameters: attachmentFilters,
  }),
  createFolderAttachment: operation({
    ...operations.createTaskAttachment,
    ...assumed('attach-file'),
    path: '/folders/{folderId}/attachments',
  }),

  listTimelogs: operation({ ...timelogs, method: 'GET', path: '/timelogs', parameters: timelogFilters }),
  getTimelogs: operation({
    ...timelogs,
    method: 'GET',
    path: '/timelogs/{timelogIds}',
    parameters: { plainText: timelogFilters.plainText },
  }),
  updateTimelog: operation({
    ...timelogs,
    method: 'PUT',
    path: '/timelogs/{timelogId}',
    parameters: timelogParameters,
  }),
  deleteTimelog: operation({ ...timelogs, method: 'DELETE', path: '/timelogs/{timelogId}' }),
  listFolderTimelogs: operation({
    ...timelogs,
    method: 'GET',
    path: '/folders/{folderId}/timelogs',
    parameters: folderTimelogFilters,
  }),
  listContactTimelogs: operation({
    ...timelogs,
    method: 'GET',
    path: '/contacts/{contactId}/timelogs',
    parameters: timelogFilters,
  }),
  listTimelogCategories: operation({
    method: 'GET',
    path: '/timelog_categories',
    kind: 'timelogCategories',
    record: anyJson,
    ...named('timelog-groups'),
  }),
  listTimesheets: operation({
    method: 'GET',
    path: '/timesheets',
    kind: 'timesheet',
    record: anyJson,
    ...named('timelog-groups'),
  }),
  listTaskLockPeriods: operation({ ...lockPeriods, path: '/tasks/{taskId}/timelog_lock_periods' }),
  listFolderLockPeriods: operation({ ...lockPeriods, path: '/folders/{folderId}/timelog_lock_periods' }),
  listSpaceLockPeriods: operation({ ...lockPeriods, path: '/spaces/{spaceId}/timelog_lock_periods' }),

  listGroups: operation({
    method: 'GET',
    path: '/groups',
    kind: 'groups',
    record: anyJson,
    scopes: [...readScopes, 'amReadOnlyGroup', 'amReadWriteGroup'],
    ...named('timelog-groups'),
  }),
  listInvitations: operation({
    method: 'GET',
    path: '/invitations',
    kind: 'invitations',
    record: invitationRecord,
    scopes: ['amReadOnlyInvitation', 'amReadWriteInvitation'],
    ...named('invitations'),
  }),
} as const;

export type OtherOperationName = keyof typeof otherOperations;
