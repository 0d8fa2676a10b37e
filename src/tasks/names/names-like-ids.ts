// Names that look like ids: a custom field titled INVOICINGNUMBERS, a status called OUTFORSIGNATURES. Ids come first: a text is
// a name only if none of the account's lists has it as an id. If a list cannot be read, its ids stay ids.

import { toKebabCase } from '#cli/flags/flag.ts';
import type { LinkedKind } from '#cli/resolve/id-shape.ts';
import { findByName } from '#cli/resolve/match-name.ts';
import type { TaskUpdate } from '#contract/task.ts';
import { omitUndefined } from '#omit-undefined.ts';
import {
  linkedNames,
  linkedParameters,
  type TitledField,
  type UnresolvedUpdate,
  type UserParameter,
  userParameters,
  wordsIn,
} from '../input/unresolved-update.ts';
import { findFieldByTitle } from './custom-field.ts';
import { findStatusByName, listStatuses } from './custom-status.ts';
import { type NameLists, readOrNone } from './name-lists.ts';
import { resolveNames } from './resolve-names.ts';
import { findUsersByName, onlyId } from './user.ts';

/**
 * The update with ids in place of names; undefined if none of its ids is a name. `now` in milliseconds since 1970.
 * Throws a usage failure for a name that is not unique, or a value that does not fit the field.
 */
export async function resolveNamesLikeIds(
  update: TaskUpdate,
  lists: NameLists,
  now: number,
): Promise<TaskUpdate | undefined> {
  const [fields, customStatus, users, places] = await Promise.all([
    findTitles(update, lists),
    findStatus(update, lists),
    findUsers(update, lists),
    findPlaces(update, lists),
  ]);
  if (fields.length === 0 && customStatus === undefined && users.length + places.length === 0)
    return undefined;
  const titles = new Set(fields.map(({ title }) => title));
  const { customFields, ...rest } = update;
  const renamed: UnresolvedUpdate = {
    ...rest,
    ...(customFields && { customFields: [...customFields.filter(({ id }) => !titles.has(id)), ...fields] }),
    ...omitUndefined({ customStatus }),
    ...Object.fromEntries([...users, ...places]),
  };
  return resolveNames(renamed, lists, now);
}

async function findTitles(
  { customFields = [] }: TaskUpdate,
  lists: NameLists,
): Promise<readonly TitledField[]> {
  if (customFields.length === 0) return [];
  const fields = await readOrNone(() => lists.customFields());
  return customFields
    .filter(({ id }) => !hasId(fields, id) && findFieldByTitle(fields, id) !== undefined)
    .map(({ id, value }) => ({ title: id, value }));
}

async function findStatus({ customStatus }: TaskUpdate, lists: NameLists): Promise<string | undefined> {
  if (customStatus === undefined) return undefined;
  const statuses = listStatuses(await readOrNone(() => lists.workflows()));
  return hasId(statuses, customStatus) ? undefined : findStatusByName(statuses, customStatus);
}

function hasId(records: readonly { readonly id: string }[], id: string): boolean {
  return records.some((record) => record.id === id);
}

/** The parameters in which a word is the title of a folder or of a task. */
async function findPlaces(
  update: TaskUpdate,
  lists: NameLists,
): Promise<readonly (readonly [string, unknown])[]> {
  const replaced: [string, unknown][] = [];
  for (const name of linkedNames) {
    const value = update[name];
    const ids = new Map<string, string>();
    for (const word of wordsIn(value)) {
      const id = await idOfWord(lists, linkedParameters[name], word);
      if (id !== undefined) ids.set(word, id);
    }
    const replace = (id: string) => ids.get(id) ?? id;
    if (ids.size > 0) replaced.push([name, typeof value === 'string' ? replace(value) : value?.map(replace)]);
  }
  return replaced;
}

/** The id of the only task or folder with this title; undefined for none, and if the word is an id. */
export async function idOfWord(
  lists: NameLists,
  kind: LinkedKind,
  word: string,
): Promise<string | undefined> {
  const records = await readOrNone(() => lists.byTitle(kind, word));
  if (hasId(records, word)) return undefined;
  const [match, ...others] = findByName(records, word, ({ title }) => title);
  return others.length === 0 ? match?.id : undefined;
}

async function findUsers(
  update: TaskUpdate,
  lists: NameLists,
): Promise<readonly (readonly [UserParameter, readonly string[]])[]> {
  if (!userParameters.some((name) => update[name]?.length)) return [];
  const users = await readOrNone(() => lists.contacts());
  const idOf = (name: UserParameter, id: string) =>
    hasId(users, id) ? id : (onlyId(toKebabCase(name), id, findUsersByName(users, id)) ?? id);
  return userParameters.flatMap((name) => {
    const ids = update[name] ?? [];
    const renamed = ids.map((id) => idOf(name, id));
    return renamed.some((id, index) => id !== ids[index]) ? [[name, renamed] as const] : [];
  });
}
