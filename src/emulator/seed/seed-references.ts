// What the members of a seed's records refer to: an id, or what the record is called (a title, a name, an e-mail address).

import { didYouMean } from '#contract/did-you-mean.ts';
import { formatValue } from '#contract/schema.ts';
import { storedSchemas } from '../state/stored-schemas.ts';
import { nameInFile, placeName } from './seed-members.ts';
import type { SeedPath, SeedProblems } from './seed-problems.ts';
import type { Draft, Drafts } from './seed-records.ts';
import { references, type SeedList, seedLists } from './seed-rows.ts';

/** The names of a record, by which others may refer to it. */
function namesOf(list: SeedList, { members }: Draft): readonly string[] {
  const { title, name, email, firstName, lastName } = members;
  const full = list === 'users' ? `${String(firstName)} ${String(lastName)}`.trim() : undefined;
  return [title, name, email, full].filter((one) => typeof one === 'string');
}

class Index {
  readonly #ids = new Set<string>();
  readonly #byName = new Map<string, Set<string>>();

  constructor(drafts: Drafts, lists: readonly SeedList[]) {
    for (const list of lists)
      for (const draft of drafts[list]) {
        const id = String(draft.members['id']);
        this.#ids.add(id);
        for (const name of namesOf(list, draft))
          this.#byName.set(name, (this.#byName.get(name) ?? new Set()).add(id));
      }
  }

  /** The ids that a text may mean. */
  find(text: string): readonly string[] {
    return this.#ids.has(text) ? [text] : [...(this.#byName.get(text) ?? [])];
  }

  get names(): readonly string[] {
    return [...this.#byName.keys()];
  }
}

/** Puts ids in place of names. Records that refer to nothing are problems. */
export function resolveReferences(drafts: Drafts, problems: SeedProblems): void {
  const indexes = new Map<string, Index>();
  const indexOf = (lists: readonly SeedList[]) => {
    const key = lists.join();
    const index = indexes.get(key) ?? new Index(drafts, lists);
    indexes.set(key, index);
    return index;
  };
  const resolve = (path: SeedPath, value: unknown, lists: readonly SeedList[]): unknown => {
    if (typeof value !== 'string') return problems.add(path, `${formatValue(value)} is not an id or a name`);
    const [found, second] = indexOf(lists).find(value);
    if (found !== undefined && second === undefined) return found;
    const [list = 'tasks'] = lists;
    const what = storedSchemas[list].type;
    if (second !== undefined)
      return problems.add(path, `${formatValue(value)} is the name of several: write the id of the ${what}`);
    return problems.add(
      path,
      `${formatValue(value)} is no ${what} of this file. ${didYouMean(value, indexOf(lists).names) ?? `Add it to ${list}, or correct the name`}`,
    );
  };
  for (const list of seedLists)
    for (const draft of drafts[list]) {
      for (const [member, lists] of Object.entries(references[list])) {
        const value = draft.members[member];
        if (value === undefined) continue;
        const path = [...draft.path, nameInFile(list, member) ?? placeName(draft.members)];
        draft.members[member] = isList(list, member)
          ? resolveEach(path, value, lists)
          : resolve(path, value, lists);
      }
      const { customFields } = draft.members;
      if ((list !== 'tasks' && list !== 'folders') || !Array.isArray(customFields)) continue;
      draft.members['customFields'] = customFields.map((entry: unknown, at) => {
        const members: Record<string, unknown> = { ...Object(entry) };
        if (members['id'] === undefined) return entry;
        return {
          ...members,
          id: resolve([...draft.path, 'customFields', at, 'id'], members['id'], ['customFields']),
        };
      });
    }

  function resolveEach(path: SeedPath, value: unknown, lists: readonly SeedList[]): unknown {
    if (!Array.isArray(value)) return problems.add(path, `${formatValue(value)} is not a list`);
    return value.map((one: unknown, at) => resolve([...path, at], one, lists));
  }
}

const isList = (list: SeedList, member: string) => {
  const shape: Readonly<Record<string, { readonly item?: unknown }>> = storedSchemas[list].shape;
  return shape[member]?.item !== undefined;
};

/** Records that are above themselves: a folder in its own subfolder, a task that is its own subtask. */
export function findLoops(drafts: Drafts, problems: SeedProblems): void {
  for (const [list, member] of [
    ['folders', 'parentIds'],
    ['tasks', 'superTaskIds'],
  ] as const) {
    const above = new Map(drafts[list].map(({ members }) => [members['id'], members[member]]));
    for (const { path, members } of drafts[list]) {
      const reached = new Set<unknown>(asList(members[member]));
      for (const id of reached) for (const next of asList(above.get(id))) reached.add(next);
      if (reached.has(members['id']))
        problems.add([...path, member], `leads back to this ${storedSchemas[list].type} itself`);
    }
  }
}

export function asList(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}
