// Operations that only other programs need, with the shapes that public integrations show: the emulator serves them, `wm api` sends them.

import { customFields, folders, folderTree, spaces, workflows } from './account-operations.ts';
import { identifier } from './identifier.ts';
import { assumed, named, operation } from './operation.ts';
import { convertedIdRecord, dependencyRecord, urlRecord, versionRecord } from './read-only-records.ts';
import { invitations, referenceOperations, users } from './reference-operations.ts';
import { anyJson, choice, list, number, text } from './schema.ts';
import { tasks, taskUpdateParameters } from './task.ts';
import { folderUpdateParameters, newFolder, newTask } from './task-create.ts';
import * as items from './task-items.ts';
import { words } from './words.ts';

const byId = assumed('read-by-id');
const reference = assumed('reference-endpoints');
const folderList = { ...folderTree, ...assumed('folder-lists') } as const;
const fileDownload = { ...items.attachments, ...assumed('file-contents'), returnsFile: true } as const;
const filePreview = {
  ...fileDownload,
  ...reference,
  parameters: {
    size: {
      schema: choice('size', ['w44', 'w100', 'w200', 'w300', 'w400', 'h400']),
      meaning: 'Width or height in pixels',
      default: 'w100',
    },
  },
} as const;
const dependency = {
  kind: 'dependencies',
  record: dependencyRecord,
  ...assumed('task-dependencies'),
} as const;
const emptyList = { record: anyJson, ...named('timelog-groups') } as const;
const lockPeriods = { ...emptyList, kind: 'timelogLockPeriods' } as const;
const { attachments: _, ...commentUpdate } = items.commentCreateParameters;
const { effortAllocation } = taskUpdateParameters;
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
  deleteTask: operation('DELETE', '/tasks/{taskId}', { ...assumed('delete-task'), ...tasks }),
  updateFolder: operation('PUT', '/folders/{folderId}', {
    ...assumed('change-folder'),
    ...folders,
    parameters: folderUpdateParameters,
  }),
  updateTasks: operation('PUT', '/tasks/{taskIds}', {
    ...assumed('several-records'),
    ...tasks,
    parameters: { customFields: taskUpdateParameters.customFields, effortAllocation },
  }),
  updateFolders: operation('PUT', '/folders/{folderIds}', {
    ...assumed('several-records'),
    ...folders,
    parameters: { customFields: folderUpdateParameters.customFields, fields: folderUpdateParameters.fields },
  }),
  deleteFolder: operation('DELETE', '/folders/{folderId}', { ...assumed('change-folder'), ...folders }),
  createSpaceTask: operation('POST', '/spaces/{spaceId}/tasks', newTask),
  createSpaceFolder: operation('POST', '/spaces/{spaceId}/folders', newFolder),
  listSubfolders: operation('GET', '/folders/{folderId}/folders', folderList),
  listSpaceFolders: operation('GET', '/spaces/{spaceId}/folders', folderList),
  getSpaces: operation('GET', '/spaces/{spaceIds}', { ...spaces, ...byId }),
  getUsers: operation('GET', '/users/{userId}', {
    ...users,
    ...byId,
    scopes: ['amReadOnlyUser', 'amReadWriteUser'],
  }),
  getCustomFields: operation('GET', '/customfields/{customFieldIds}', { ...customFields, ...byId }),
  getWorkflows: operation('GET', '/workflows/{workflowIds}', { ...workflows, ...byId }),
  convertIds: operation('GET', '/ids', {
    ...assumed('permalinks'),
    parameters: {
      type: {
        schema: choice(
          'type of id',
          words('ApiV2Task ApiV2Folder ApiV2Account ApiV2User ApiV2Comment ApiV2Attachment ApiV2Timelog'),
        ),
        meaning: 'The type of the records',
        required: true,
      },
      ids: {
        schema: list(text('number', { pattern: { regex: /^\d{1,20}$/, description: 'digits' } })),
        meaning: 'The numbers in their permalinks',
        required: true,
      },
    },
    kind: 'ids',
    record: convertedIdRecord,
  }),
  getVersion: operation('GET', '/version', {
    ...assumed('version'),
    scopes: [],
    kind: 'version',
    record: versionRecord,
  }),

  listTaskDependencies: operation('GET', '/tasks/{taskId}/dependencies', dependency),
  createTaskDependency: operation('POST', '/tasks/{taskId}/dependencies', {
    ...dependency,
    parameters: dependencyParameters,
  }),
  getDependencies: operation('GET', '/dependencies/{dependencyIds}', dependency),
  updateDependency: operation('PUT', '/dependencies/{dependencyId}', {
    ...dependency,
    ...reference,
    parameters: { relationType: { ...dependencyParameters.relationType, required: true } },
  }),
  deleteDependency: operation('DELETE', '/dependencies/{dependencyId}', dependency),

  listComments: operation('GET', '/comments', items.commentList),
  getComments: operation('GET', '/comments/{commentIds}', {
    ...items.comments,
    parameters: items.commentReadParameters,
  }),
  updateComment: operation('PUT', '/comments/{commentId}', { ...items.comments, parameters: commentUpdate }),
  deleteComment: operation('DELETE', '/comments/{commentId}', items.comments),
  listFolderComments: operation('GET', '/folders/{folderId}/comments', items.commentList),
  createFolderComment: operation('POST', '/folders/{folderId}/comments', items.newComment),

  listAttachments: operation('GET', '/attachments', items.attachmentList),
  getAttachments: operation('GET', '/attachments/{attachmentIds}', {
    ...items.attachments,
    parameters: items.attachmentReadParameters,
  }),
  getAttachmentUrl: operation('GET', '/attachments/{attachmentId}/url', {
    ...assumed('file-contents'),
    kind: 'url',
    record: urlRecord,
  }),
  downloadAttachment: operation('GET', '/attachments/{attachmentId}/download', fileDownload),
  downloadNamedAttachment: operation('GET', '/attachments/{attachmentId}/download/{name}', fileDownload),
  previewAttachment: operation('GET', '/attachments/{attachmentId}/preview', filePreview),
  previewNamedAttachment: operation('GET', '/attachments/{attachmentId}/preview/{name}', filePreview),
  updateAttachment: operation('PUT', '/attachments/{attachmentId}', { ...items.newFile, ...reference }),
  deleteAttachment: operation('DELETE', '/attachments/{attachmentId}', items.attachments),
  listFolderAttachments: operation('GET', '/folders/{folderId}/attachments', items.attachmentList),
  createFolderAttachment: operation('POST', '/folders/{folderId}/attachments', items.newFile),

  listTimelogs: operation('GET', '/timelogs', items.timelogList),
  getTimelogs: operation('GET', '/timelogs/{timelogIds}', {
    ...items.timelogs,
    parameters: items.timelogReadParameters,
  }),
  updateTimelog: operation('PUT', '/timelogs/{timelogId}', items.timelogChange),
  deleteTimelog: operation('DELETE', '/timelogs/{timelogId}', items.timelogs),
  listFolderTimelogs: operation('GET', '/folders/{folderId}/timelogs', items.timelogList),
  listContactTimelogs: operation('GET', '/contacts/{contactId}/timelogs', items.timelogList),
  listTimelogCategories: operation('GET', '/timelog_categories', { ...emptyList, kind: 'timelogCategories' }),
  listTimesheets: operation('GET', '/timesheets', { ...emptyList, kind: 'timesheet' }),
  listTaskLockPeriods: operation('GET', '/tasks/{taskId}/timelog_lock_periods', lockPeriods),
  listFolderLockPeriods: operation('GET', '/folders/{folderId}/timelog_lock_periods', lockPeriods),
  listSpaceLockPeriods: operation('GET', '/spaces/{spaceId}/timelog_lock_periods', lockPeriods),

  listInvitations: operation('GET', '/invitations', {
    ...invitations,
    ...named('invitations'),
    scopes: ['amReadOnlyInvitation', 'amReadWriteInvitation'],
  }),
  ...referenceOperations,
} as const;
