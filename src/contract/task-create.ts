// The parameters that create a task or a folder. The contract only names both operations. Assumed: the parameters of a task
// update, with lists to set where an update has lists to add.

import { folders } from './account-operations.ts';
import { assumed, operation, withNames } from './operation.ts';
import type { ArgumentsOf } from './parameter.ts';
import { type TaskUpdateParameter, tasks, title, taskUpdateParameters as update } from './task.ts';

const titleRow = { schema: title, meaning: 'Title', required: true } as const;
const shareds = { ...update.addShareds, meaning: 'Share it with users' } as const;

export const taskCreateParameters = {
  title: titleRow,
  description: update.description,
  status: update.status,
  importance: update.importance,
  dates: update.dates,
  shareds,
  parents: { ...update.addParents, meaning: 'Put the task into more folders (not into the recycle bin)' },
  responsibles: update.addResponsibles,
  responsiblePlaceholders: update.addResponsiblePlaceholders,
  followers: update.addFollowers,
  follow: { ...update.follow, meaning: 'Follow the task yourself, or not' },
  priorityBefore: { ...update.priorityBefore, meaning: 'Put the task before another one in the list' },
  priorityAfter: { ...update.priorityAfter, meaning: 'Put the task after another one in the list' },
  superTasks: update.addSuperTasks,
  metadata: { ...update.metadata, meaning: 'Set metadata entries' },
  customFields: { ...update.customFields, meaning: 'Set custom fields by their ids' },
  customStatus: update.customStatus,
  effortAllocation: update.effortAllocation,
  billingType: update.billingType,
  workScheduleId: update.workScheduleId,
  withInvitations: update.withInvitations,
  plainTextCustomFields: update.plainTextCustomFields,
  fields: update.fields,
} as const;

export type TaskCreate = ArgumentsOf<typeof taskCreateParameters>;

export const updateNames = {
  shareds: 'addShareds',
  parents: 'addParents',
  responsibles: 'addResponsibles',
  responsiblePlaceholders: 'addResponsiblePlaceholders',
  followers: 'addFollowers',
  superTasks: 'addSuperTasks',
} as const satisfies { readonly [K in keyof TaskCreate]?: TaskUpdateParameter };

export const folderCreateParameters = {
  title: titleRow,
  description: { ...update.description, meaning: 'Set the description, in HTML' },
  shareds,
} as const;

export const folderUpdateParameters = {
  title: { schema: title, meaning: 'Title' },
  description: folderCreateParameters.description,
  addParents: {
    ...update.addParents,
    meaning: 'Put the folder into more folders (not into the recycle bin)',
  },
  removeParents: { ...update.removeParents, meaning: 'Take the folder out of folders' },
  addShareds: shareds,
  removeShareds: { ...update.removeShareds, meaning: 'Stop sharing it with users' },
} as const;

export const createOperations = withNames({
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
});
