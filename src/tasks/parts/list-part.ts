// Parts that are elements of lists: one id, one metadata entry, one custom field. Two people may change the same list, so
// each element is compared and restored separately.

import type { Task, TaskUpdateParameter } from '#contract/task.ts';
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
      copy: (from, onto) => put(onto, id, read(from)),
      inverse(before, now) {
        const wasIn = read(before);
        if (wasIn === undefined)
          return { notRestorable: `the ${element} ${id}: the service did not show the list before` };
        const reverse = parameter.replace(/^(?:add|remove)/, wasIn ? 'add' : 'remove');
        if (reverse !== 'addResponsibles') return { update: { [reverse]: [id] } };
        // The service makes users who are assigned followers, and shares the task with them.
        const isNew = (list: 'followerIds' | 'sharedIds') =>
          [before, now].every((task) => task[list]?.includes(id) === false);
        return {
          update: { [reverse]: [id], ...(isNew('sharedIds') && { removeShareds: [id] }) },
          ...(isNew('followerIds') && { notRestorable: staysFollower(id) }),
        };
      },
    };
  });
}

const staysFollower = (id: string, exception = '') =>
  `the follower ${id}${exception}: the service has no request that removes one`;

/** An entry of a list, by its key. Removing an entry that was not there is not a change. */
function entryPart<E extends { readonly value: string | null }>(
  name: string,
  list: 'metadata' | 'customFields',
  sent: E,
  entriesOf: (task: Task) => readonly E[] | undefined,
  hasKey: (entry: E) => boolean,
): Part {
  const read = (task: Task) => entriesOf(task)?.find(hasKey)?.value ?? null;
  const put = (task: Task, value: string | null): Task => {
    const rest = (entriesOf(task) ?? []).filter((entry) => !hasKey(entry));
    return withMembers(task, { [list]: value === null ? rest : [...rest, { ...sent, value }] });
  };
  return {
    name,
    members: [list],
    read,
    format: (task) => read(task) ?? noValueText,
    apply: (task) => put(task, sent.value),
    matches: (now) => read(now) === sent.value,
    copy: (from, onto) => put(onto, read(from)),
    inverse: (before) =>
      entriesOf(before) === undefined
        ? { notRestorable: `the ${name}: the service did not show it before` }
        : { update: { [list]: [{ ...sent, value: read(before) }] } },
  };
}

export function metadataPart(sent: { readonly key: string; readonly value: string | null }): Part {
  const hasKey = ({ key }: { readonly key: string }) => key === sent.key;
  return entryPart(`metadata ${sent.key}`, 'metadata', sent, ({ metadata }) => metadata, hasKey);
}

export function customFieldPart(sent: { readonly id: string; readonly value: string | null }): Part {
  const hasId = ({ id }: { readonly id: string }) => id === sent.id;
  return entryPart(`custom field ${sent.id}`, 'customFields', sent, (task) => task.customFields, hasId);
}

/** For each follower that was added, and for whether the user is among them. Users can only stop following; no request removes others. */
function followerParts(sent: readonly string[]): readonly Part[] {
  // Without a response it is unknown whether the user was among them.
  const following = { ...member('following', 'followedByMe', undefined, 'follow'), matches: () => false };
  return [following, ...sent.map(followerPart)];
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
      return { notRestorable: staysFollower(id, exception) };
    },
  };
}
