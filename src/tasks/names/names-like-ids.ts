// Names that look like ids: a custom field titled INVOICINGNUMBERS, a status called OUTFORSIGNATURES. Ids come first: a text is
// a name only if none of the account's lists has it as an id. If a list cannot be read, its ids stay ids.

import { toKebabCase } from '#cli/flags/flag.ts';
import type { LinkedKind } from '#cli/resolve/id-shape.ts';
import { findByName } from '#cli/resolve/match-name.ts';
import type { TaskUpdate } from '#contract/task.ts';
import {
  type FoundText,
  idsLikeNames,
  type TitledField,
  type UnresolvedUpdate,
  withIds,
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
  const [fields, found] = await Promise.all([
    findTitles(update, lists),
    Promise.all(
      idsLikeNames(update).map(async (text) => ({ ...text, id: await idOfNameLikeId(lists, text) })),
    ),
  ]);
  const ids = found.flatMap(({ id, ...text }) => (id === undefined ? [] : [{ ...text, id }]));
  if (fields.length === 0 && ids.length === 0) return undefined;
  const titles = new Set(fields.map(({ title }) => title));
  const { customFields, ...rest } = update;
  const renamed: UnresolvedUpdate = {
    ...rest,
    ...(customFields && { customFields: [...customFields.filter(({ id }) => !titles.has(id)), ...fields] }),
    ...withIds(update, ids),
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

/** Undefined if the text is an id, or no name. */
async function idOfNameLikeId(
  lists: NameLists,
  { name, kind, text }: FoundText,
): Promise<string | undefined> {
  if (kind === 'user') {
    const users = await readOrNone(() => lists.contacts());
    return hasId(users, text) ? undefined : onlyId(toKebabCase(name), text, findUsersByName(users, text));
  }
  if (kind !== 'customStatus') return idOfWord(lists, kind, text);
  const statuses = listStatuses(await readOrNone(() => lists.workflows()));
  return hasId(statuses, text) ? undefined : findStatusByName(statuses, text);
}

function hasId(records: readonly { readonly id: string }[], id: string): boolean {
  return records.some((record) => record.id === id);
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
