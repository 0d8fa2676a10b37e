// The parameters that create a task or a folder. The contract names both operations without their shape: the parameters are
// those of a task's update, with lists that are set in place of lists that are added to.

import type { ArgumentsOf } from './parameter.ts';
import { type TaskUpdateParameter, taskUpdateParameters, title } from './task.ts';

const {
  description,
  status,
  importance,
  dates,
  addShareds,
  addParents,
  addResponsibles,
  addResponsiblePlaceholders,
  addFollowers,
  follow,
  priorityBefore,
  priorityAfter,
  addSuperTasks,
  metadata,
  customFields,
  customStatus,
  effortAllocation,
  billingType,
  workScheduleId,
  withInvitations,
  plainTextCustomFields,
  fields,
} = taskUpdateParameters;

const titleRow = { schema: title, meaning: 'Title', required: true } as const;
const shareds = { ...addShareds, meaning: 'Share it with users' } as const;

export const taskCreateParameters = {
  title: titleRow,
  description,
  status,
  importance,
  dates,
  shareds,
  parents: { ...addParents, meaning: 'Put the task into more folders (not into the recycle bin)' },
  responsibles: addResponsibles,
  responsiblePlaceholders: addResponsiblePlaceholders,
  followers: addFollowers,
  follow: { ...follow, meaning: 'Follow the task yourself, or not' },
  priorityBefore: { ...priorityBefore, meaning: 'Put the task before another one in the list' },
  priorityAfter: { ...priorityAfter, meaning: 'Put the task after another one in the list' },
  superTasks: addSuperTasks,
  metadata: { ...metadata, meaning: 'Set metadata entries' },
  customFields: { ...customFields, meaning: 'Set custom fields by their ids' },
  customStatus,
  effortAllocation,
  billingType,
  workScheduleId,
  withInvitations,
  plainTextCustomFields,
  fields,
} as const;

export type TaskCreate = ArgumentsOf<typeof taskCreateParameters>;
export type TaskCreateParameter = keyof typeof taskCreateParameters;

/** The parameters that an update calls by another name. */
export const updateNames = {
  shareds: 'addShareds',
  parents: 'addParents',
  responsibles: 'addResponsibles',
  responsiblePlaceholders: 'addResponsiblePlaceholders',
  followers: 'addFollowers',
  superTasks: 'addSuperTasks',
} as const satisfies { readonly [K in TaskCreateParameter]?: TaskUpdateParameter };

export const folderCreateParameters = {
  title: titleRow,
  description: { ...description, meaning: 'Set the description, in HTML' },
  shareds,
} as const;

export const folderUpdateParameters = {
  title: { schema: title, meaning: 'Title' },
  description: folderCreateParameters.description,
  addParents: { ...addParents, meaning: 'Put the folder into more folders (not into the recycle bin)' },
  removeParents: { ...taskUpdateParameters.removeParents, meaning: 'Take the folder out of folders' },
  addShareds: shareds,
  removeShareds: { ...taskUpdateParameters.removeShareds, meaning: 'Share it no longer with users' },
} as const;
