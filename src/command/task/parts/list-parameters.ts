// The parameters that add ids to a list of the task or remove them: which list, what its elements are called, and which
// parameter reverses the change.

import type { TaskUpdateParameter } from '../../../contract/task.ts';

export const listParameters = {
  addParents: { element: 'folder', ids: 'parentIds', adds: true, reverse: 'removeParents' },
  removeParents: { element: 'folder', ids: 'parentIds', adds: false, reverse: 'addParents' },
  addShareds: { element: 'person shared with', ids: 'sharedIds', adds: true, reverse: 'removeShareds' },
  removeShareds: { element: 'person shared with', ids: 'sharedIds', adds: false, reverse: 'addShareds' },
  addResponsibles: { element: 'assignee', ids: 'responsibleIds', adds: true, reverse: 'removeResponsibles' },
  removeResponsibles: { element: 'assignee', ids: 'responsibleIds', adds: false, reverse: 'addResponsibles' },
  addResponsiblePlaceholders: {
    element: 'placeholder',
    ids: 'responsiblePlaceholderIds',
    adds: true,
    reverse: 'removeResponsiblePlaceholders',
  },
  removeResponsiblePlaceholders: {
    element: 'placeholder',
    ids: 'responsiblePlaceholderIds',
    adds: false,
    reverse: 'addResponsiblePlaceholders',
  },
  addSuperTasks: { element: 'parent task', ids: 'superTaskIds', adds: true, reverse: 'removeSuperTasks' },
  removeSuperTasks: { element: 'parent task', ids: 'superTaskIds', adds: false, reverse: 'addSuperTasks' },
  addFollowers: { element: 'follower', ids: 'followerIds', adds: true },
} as const satisfies { readonly [K in TaskUpdateParameter]?: object };

export type ListParameter = keyof typeof listParameters;

export function isListParameter(name: TaskUpdateParameter): name is ListParameter {
  return Object.hasOwn(listParameters, name);
}
