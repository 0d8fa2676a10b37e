// The parameters that put ids into a list of the task, or take them out: which list it is, and what undoes that.

import type { ParameterName } from '../short/kinds.ts';

export const lists = {
  addParents: { ids: 'parentIds', adds: true, back: 'removeParents' },
  removeParents: { ids: 'parentIds', adds: false, back: 'addParents' },
  addShareds: { ids: 'sharedIds', adds: true, back: 'removeShareds' },
  removeShareds: { ids: 'sharedIds', adds: false, back: 'addShareds' },
  addResponsibles: { ids: 'responsibleIds', adds: true, back: 'removeResponsibles' },
  removeResponsibles: { ids: 'responsibleIds', adds: false, back: 'addResponsibles' },
  addResponsiblePlaceholders: {
    ids: 'responsiblePlaceholderIds',
    adds: true,
    back: 'removeResponsiblePlaceholders',
  },
  removeResponsiblePlaceholders: {
    ids: 'responsiblePlaceholderIds',
    adds: false,
    back: 'addResponsiblePlaceholders',
  },
  addSuperTasks: { ids: 'superTaskIds', adds: true, back: 'removeSuperTasks' },
  removeSuperTasks: { ids: 'superTaskIds', adds: false, back: 'addSuperTasks' },
  addFollowers: { ids: 'followerIds', adds: true, back: undefined },
} as const satisfies { readonly [K in ParameterName]?: object };

export type ListParameter = keyof typeof lists;

export function isList(name: ParameterName): name is ListParameter {
  return Object.hasOwn(lists, name);
}
