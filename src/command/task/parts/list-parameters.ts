// The parameters that add ids to a list of the task or remove them: which list, what its elements are called, and which
// parameter reverses the change.

import type { TaskUpdateParameter } from '../../../contract/task.ts';

export const listParameters = {
  addParents: { element: 'folder', ids: 'parentIds', adds: true, back: 'removeParents' },
  removeParents: { element: 'folder', ids: 'parentIds', adds: false, back: 'addParents' },
  addShareds: { element: 'person shared with', ids: 'sharedIds', adds: true, back: 'removeShareds' },
  removeShareds: { element: 'person shared with', ids: 'sharedIds', adds: false, back: 'addShareds' },
  addResponsibles: { element: 'assignee', ids: 'responsibleIds', adds: true, back: 'removeResponsibles' },
  removeResponsibles: { element: 'assignee', ids: 'responsibleIds', adds: false, back: 'addResponsibles' },
  addResponsiblePlaceholders: {
    element: 'placeholder',
    ids: 'responsiblePlaceholderIds',
    adds: true,
    back: 'removeResponsiblePlaceholders',
  },
  removeResponsiblePlaceholders: {
    element: 'placeholder',
    ids: 'responsiblePlaceholderIds',
    adds: false,
    back: 'addResponsiblePlaceholders',
  },
  addSuperTasks: { element: 'parent task', ids: 'superTaskIds', adds: true, back: 'removeSuperTasks' },
  removeSuperTasks: { element: 'parent task', ids: 'superTaskIds', adds: false, back: 'addSuperTasks' },
  addFollowers: { element: 'follower', ids: 'followerIds', adds: true },
} as const satisfies { readonly [K in TaskUpdateParameter]?: object };

export type ListParameter = keyof typeof listParameters;

export function isListParameter(name: TaskUpdateParameter): name is ListParameter {
  return Object.hasOwn(listParameters, name);
}
