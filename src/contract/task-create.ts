// The parameters that create a task or a folder. The contract only names both operations. Assumed: the parameters of a task
// update, with lists to set where an update has lists to add.

import { folders } from './account-operations.ts';
import { customFieldId } from './custom-field-schemas.ts';
import { limit } from './limit.ts';
import { assumed, operation, withNames } from './operation.ts';
import type { ArgumentsOf } from './parameter.ts';
import { newProject, projectUpdate } from './project.ts';
import { folderField } from './read-only-records.ts';
import { list, nullable, text } from './schema.ts';
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

/** The name that a parameter of an update has in a request that creates a task or a folder. */
export function createName(name: string): string {
  return Object.entries(updateNames).find(([, updateName]) => updateName === name)?.[0] ?? name;
}

const folderParameters = {
  metadata: taskCreateParameters.metadata,
  customFields: taskCreateParameters.customFields,
  customColumns: { schema: list(customFieldId), meaning: 'Show custom fields as columns, by their ids' },
  fields: { schema: list(folderField), meaning: 'Also return these fields', shapesResponse: true },
} as const;

export const folderCreateParameters = {
  title: titleRow,
  description: { ...update.description, meaning: 'Set the description, in HTML' },
  shareds,
  project: { schema: newProject, meaning: 'Make it a project' },
  ...folderParameters,
} as const;

export const folderUpdateParameters = {
  restore: { ...update.restore, meaning: 'Restore the folder from the recycle bin' },
  title: { schema: text('title', { max: limit.titleCharacters }), meaning: 'Title, if it is not empty' },
  description: folderCreateParameters.description,
  addParents: {
    ...update.addParents,
    meaning: 'Put the folder into more folders (not into the recycle bin)',
  },
  removeParents: { ...update.removeParents, meaning: 'Take the folder out of folders' },
  addShareds: shareds,
  removeShareds: { ...update.removeShareds, meaning: 'Stop sharing it with users' },
  project: {
    schema: nullable(projectUpdate),
    meaning: 'Change the project, or make it one; null: a folder again',
  },
  ...folderParameters,
  customFields: update.customFields,
  metadata: update.metadata,
} as const;

const evidence = assumed('create-records');
export const newTask = { ...tasks, ...evidence, parameters: taskCreateParameters } as const;
export const newFolder = { ...folders, ...evidence, parameters: folderCreateParameters } as const;

export const createOperations = withNames({
  createTask: operation('POST', '/folders/{folderId}/tasks', newTask),
  createFolder: operation('POST', '/folders/{folderId}/folders', newFolder),
});
