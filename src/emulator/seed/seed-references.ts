// Resolves the references in a seed. A reference is an id, or a title, a name or an e-mail address.

import { didYouMean } from '#contract/did-you-mean.ts';
import { isJsonObject } from '#contract/json.ts';
import { formatValue } from '#contract/schema.ts';
import { reachable } from '../state/access.ts';
import { storedSchemas } from '../state/stored-schemas.ts';
import type { Draft, Drafts, SeedPath, SeedProblems } from './seed-records.ts';
import { nameInFile, references, type SeedList, seedLists, storedMembers } from './seed-rows.ts';

/** The names by which other records may refer to a record. */
function namesOf(list: SeedList, { members }: Draft): readonly string[] {
  const { title, name, email, firstName, lastName } = members;
  const fullName = list === 'users' ? `${String(firstName)} ${String(lastName)}`.trim() : undefined;
  return [title, name, email, fullName].filter((value) => typeof value === 'string');
}

function createIndex(drafts: Drafts, lists: readonly SeedList[]) {
  const ids = new Set<string>();
  const byName = new Map<string, Set<string>>();
  for (const list of lists)
    for (const draft of drafts[list]) {
      const id = String(draft.members['id']);
      ids.add(id);
      for (const name of namesOf(list, draft)) byName.set(name, (byName.get(name) ?? new Set()).add(id));
    }
  return {
    /** The ids of the records that a text names. */
    find: (text: string) => (ids.has(text) ? [text] : [...(byName.get(text) ?? [])]),
    names: () => [...byName.keys()],
  };
}

const people = ['users', 'invitations'] as const;

/** Replaces names by ids. A reference to an unknown record is a problem. */
export function resolveReferences(drafts: Drafts, problems: SeedProblems): void {
  const indexes = new Map<string, ReturnType<typeof createIndex>>();
  const indexOf = (lists: readonly SeedList[]) => {
    const key = lists.join();
    const index = indexes.get(key) ?? createIndex(drafts, lists);
    indexes.set(key, index);
    return index;
  };
  const resolve = (path: SeedPath, value: unknown, lists: readonly SeedList[]): unknown => {
    if (typeof value !== 'string') return problems.add(path, `${formatValue(value)} is not an id or a name`);
    const [id, second] = indexOf(lists).find(value);
    if (id !== undefined && second === undefined) return id;
    const [list = 'tasks'] = lists;
    const { type } = storedSchemas[list];
    if (second !== undefined)
      return problems.add(path, `${formatValue(value)} is the name of several: write the id of the ${type}`);
    const hint = didYouMean(value, indexOf(lists).names()) ?? `Add it to ${list}, or correct the name`;
    return problems.add(path, `no ${type} in this file is called ${formatValue(value)}. ${hint}`);
  };
  for (const list of seedLists)
    for (const draft of drafts[list]) {
      for (const [member, { item }] of storedMembers(list)) {
        const lists = references.get(list)?.[member];
        const value = draft.members[member];
        if (lists === undefined || value === undefined) continue;
        const path = [...draft.path, nameInFile(list, member)];
        draft.members[member] = (item === undefined ? resolve : resolveEach)(path, value, lists);
      }
      const { customFields, project } = draft.members;
      if (list === 'folders' && isJsonObject(project)) {
        const { authorId, ownerIds } = project;
        const path = [...draft.path, 'project'];
        draft.members['project'] = {
          ...project,
          ...(authorId !== undefined && { authorId: resolve([...path, 'authorId'], authorId, ['users']) }),
          ...(ownerIds !== undefined && { ownerIds: resolveEach([...path, 'ownerIds'], ownerIds, people) }),
        };
      }
      if ((list !== 'tasks' && list !== 'folders') || !Array.isArray(customFields)) continue;
      draft.members['customFields'] = customFields.map((entry: unknown, index) => {
        const members: Record<string, unknown> = { ...Object(entry) };
        if (members['id'] === undefined) return entry;
        const path = [...draft.path, 'customFields', index, 'id'];
        return { ...members, id: resolve(path, members['id'], ['customFields']) };
      });
    }

  function resolveEach(path: SeedPath, value: unknown, lists: readonly SeedList[]): unknown {
    if (!Array.isArray(value)) return problems.add(path, `${formatValue(value)} is not a list`);
    return value.map((entry: unknown, index) => resolve([...path, index], entry, lists));
  }
}

/** Finds folders that are in themselves, and tasks that are their own subtasks, directly or indirectly. */
export function findLoops(drafts: Drafts, problems: SeedProblems): void {
  for (const [list, member] of [
    ['folders', 'parentIds'],
    ['tasks', 'superTaskIds'],
  ] as const) {
    const parents = new Map(drafts[list].map(({ members }) => [members['id'], members[member]]));
    for (const { path, members } of drafts[list]) {
      const ancestors = reachable(asList(members[member]), (id) => asList(parents.get(id)));
      if (ancestors.has(members['id']))
        problems.add([...path, member], `leads back to this ${storedSchemas[list].type} itself`);
    }
  }
}

export const asList = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);
