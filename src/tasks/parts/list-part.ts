// Parts that are elements of lists: one id, one metadata entry, one custom field. Two people may change the same list, so
// each element is compared and restored separately.

import type { Task, TaskUpdate, TaskUpdateParameter } from '#contract/task.ts';
import { member, neverRestored, noValueText, type Part, withMembers } from './part.ts';

/** The parameters that add ids to a list or remove them, and the word for an element. */
export const listParameters = {
  addParents: { element: 'folder', ids: 'parentIds', adds: true },
  removeParents: { element: 'folder', ids: 'parentIds', adds: false },
  addShareds: { element: 'person shared with', ids: 'sharedIds', adds: true },
  removeShareds: { element: 'person shared with', ids: 'sharedIds', adds: false },
  addResponsibles: { element: 'assignee', ids: 'responsibleIds', adds: true },
  removeResponsibles: { element: 'assignee', ids: 'responsibleIds', adds: false },
  addResponsiblePlaceholders: { element: 'placeholder', ids: 'responsiblePlaceholderIds', adds: true },
  removeResponsiblePlaceholders: { element: 'placeholder', ids: 'responsiblePlaceholderIds', adds: false },
  addSuperTasks: { element: 'parent task', ids: 'superTaskIds', adds: true },
  removeSuperTasks: { element: 'parent task', ids: 'superTaskIds', adds: false },
  addFollowers: { element: 'follower', ids: 'followerIds', adds: true },
} as const satisfies { readonly [K in TaskUpdateParameter]?: object };

export type ListParameter = keyof typeof listParameters;

export function isListParameter(name: TaskUpdateParameter): name is ListParameter {
  return Object.hasOwn(listParameters, name);
}

/** One part for each id. An id is in the list or it is not, so two people cannot set it to different values. */
export function listParts(parameter: ListParameter, sent: readonly string[]): readonly Part[] {
  if (parameter === 'addFollowers') return followerParts(sent);
  const { element, ids: key, adds } = listParameters[parameter];
  const reverse = adds ? parameter.replace('add', 'remove') : parameter.replace('remove', 'add');
  const put = (task: Task, id: string, isIn: boolean | undefined): Task => {
    const rest = (task[key] ?? []).filter((listed) => listed !== id);
    return withMembers(task, { [key]: isIn ? [...rest, id] : rest });
  };
  return sent.map((id): Part => {
    const read = (task: Task) => task[key]?.includes(id);
    return {
      name: `${element} ${id}`,
      members: [],
      read,
      format: (task) => (read(task) ? id : noValueText),
      apply: (task) => put(task, id, adds),
      matches: () => true,
      copy: (from, onto) => put(onto, id, read(from)),
      inverse: (before) =>
        read(before) === undefined
          ? { notRestorable: `the ${element} ${id}: the service did not show the list before` }
          : { update: { [reverse]: [id] } },
    };
  });
}

/** An entry of a list, by its key. Removing an entry that was not there is not a change. */
function entryPart(
  name: string,
  key: 'metadata' | 'customFields',
  value: string | null,
  valueIn: (task: Task) => string | undefined,
  put: (task: Task, value: string | undefined) => Task,
  update: (value: string | null) => TaskUpdate,
): Part {
  const read = (task: Task) => valueIn(task) ?? null;
  return {
    name,
    members: [key],
    read,
    format: (task) => valueIn(task) ?? noValueText,
    apply: (task) => put(task, value ?? undefined),
    matches: (now) => read(now) === value,
    copy: (from, onto) => put(onto, valueIn(from)),
    inverse: (before) =>
      before[key] === undefined
        ? { notRestorable: `the ${name}: the service did not show it before` }
        : { update: update(read(before)) },
  };
}

export function metadataPart({ key, value }: { readonly key: string; readonly value: string | null }): Part {
  return entryPart(
    `metadata ${key}`,
    'metadata',
    value,
    ({ metadata }) => metadata?.find((entry) => entry.key === key)?.value,
    (task, next) => {
      const rest = (task.metadata ?? []).filter((entry) => entry.key !== key);
      return withMembers(task, { metadata: next === undefined ? rest : [...rest, { key, value: next }] });
    },
    (before) => ({ metadata: [{ key, value: before }] }),
  );
}

export function customFieldPart({ id, value }: { readonly id: string; readonly value: string | null }): Part {
  return entryPart(
    `custom field ${id}`,
    'customFields',
    value,
    ({ customFields }) => customFields?.find((field) => field.id === id)?.value,
    (task, next) => {
      const rest = (task.customFields ?? []).filter((field) => field.id !== id);
      return withMembers(task, { customFields: next === undefined ? rest : [...rest, { id, value: next }] });
    },
    (before) => ({ customFields: [{ id, value: before }] }),
  );
}

/**
 * One part for each follower that was added, and one for whether the user follows the task. The service has no parameter
 * that removes a follower; users can only stop following, by `follow`. No member says which of the ids is the user's, but
 * `followedByMe` shows whether the user is among them.
 */
function followerParts(sent: readonly string[]): readonly Part[] {
  return [
    {
      ...member('following', 'followedByMe', undefined, (follow) => ({ follow })),
      // Without a response it is unknown whether the user was among them.
      matches: () => false,
    },
    ...sent.map(followerPart),
  ];
}

function followerPart(id: string): Part {
  const read = ({ followerIds }: Task) => followerIds?.includes(id);
  return {
    name: `follower ${id}`,
    members: ['followerIds'],
    read,
    ...neverRestored,
    apply: (task) => withMembers(task, { followerIds: [...new Set([...(task.followerIds ?? []), id])] }),
    inverse({ followerIds: before = [], followedByMe }, now, left) {
      const { followerIds: after = [] } = left;
      const leaves = followedByMe === false && left.followedByMe === true && now.followedByMe === true;
      const added = after.filter((follower) => !before.includes(follower));
      if (leaves && added.length === 1) return {};
      const exception = leaves ? ', unless that is you' : '';
      return { notRestorable: `the follower ${id}${exception}: the service has no request that removes one` };
    },
  };
}
