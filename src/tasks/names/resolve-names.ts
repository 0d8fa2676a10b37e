// Turns an unresolved update into an update that can be sent: ids in place of names. Only names are looked up, and each list is
// read once.

import { toKebabCase } from '#cli/flags/flag.ts';
import { withValueName } from '#cli/parse-values.ts';
import { readIfAllowed } from '#cli/read-pages.ts';
import { isTitle, type LinkedKind, mayBeId } from '#cli/resolve/id-shape.ts';
import { ambiguousName, findByName, nameNotFound } from '#cli/resolve/match-name.ts';
import type { Workflow } from '#contract/read-only-records.ts';
import { type TaskUpdate, taskUpdateParameters } from '#contract/task.ts';
import {
  type CustomField,
  type FoundText,
  isName,
  mayBeName,
  splitFields,
  textsIn,
  type UnresolvedUpdate,
  uniqueBy,
  withIds,
} from '../input/unresolved-update.ts';
import { assertNoContradictions } from '../input/validate-update.ts';
import { findFieldByTitle, resolveCustomField } from './custom-field.ts';
import { findStatusByName, listStatuses, type NamedStatus, resolveCustomStatus } from './custom-status.ts';
import type { NameLists } from './name-lists.ts';
import { findUsersByName, onlyId, resolveUser } from './user.ts';

/** `now` in milliseconds since 1970. Throws a usage failure for a name that is not found or not unique. */
export async function resolveNames(update: UnresolvedUpdate, lists: NameLists, now: number) {
  const { customFields, ...rest } = update;
  const { withId, withTitle } = splitFields(customFields);
  const [ids, fields] = await Promise.all([
    Promise.all(
      textsIn(update, isName).map(async (found) => ({ ...found, id: await idOfName(lists, found) })),
    ),
    Promise.all(
      withTitle.map((field) =>
        resolveCustomField(lists, field, now, field.value === null ? 'remove-custom-field' : undefined),
      ),
    ),
  ]);
  const merged = withTitle.length === 0 ? withId : mergeFields([...withId, ...fields]);
  const resolved: TaskUpdate = {
    ...rest,
    ...withIds(update, ids),
    ...(customFields && { customFields: merged }),
  };
  // A title and an id may stand for one field, an e-mail address and an id for one user.
  assertNoContradictions(resolved);
  return resolved;
}

async function idOfName(lists: NameLists, { name, kind, text }: FoundText): Promise<string> {
  const flag = toKebabCase(name);
  if (kind === 'customStatus') return resolveCustomStatus(lists, text);
  if (kind === 'user') return resolveUser(lists, flag, text);
  return isTitle(text) ? idOfTitle(lists, flag, kind, text) : lists.byPermalink(kind, text);
}

/** Throws a usage failure if no record, or more than one, has the title. `flag`: undefined for the task of a row. */
export async function idOfTitle(lists: NameLists, flag: string | undefined, kind: LinkedKind, text: string) {
  const records = await lists.byTitle(kind, text);
  const matches = findByName(records, text, ({ title }) => title);
  const ids = matches.map(({ id }) => id);
  if (ids.length > 1) throw ambiguousName(flag, text, `${kind}s`, ids);
  const [id] = ids;
  if (id !== undefined) return id;
  const titles = records.flatMap(({ title }) => title ?? []);
  throw nameNotFound(flag, text, `the title of a ${kind}`, titles, {
    listCommand: lists.listCommand?.(`${kind} list`, 'title'),
  });
}

function mergeFields(fields: readonly CustomField[]): readonly CustomField[] {
  return withValueName('--custom-field', () =>
    taskUpdateParameters.customFields.schema.validate(uniqueBy(fields, ({ id, value }) => [id, value])),
  );
}

/** The same for names that look like ids, such as a status OUTFORSIGNATURES, if no list has them as ids. Undefined if there are none. */
export async function resolveNamesLikeIds(update: TaskUpdate, lists: NameLists, now: number) {
  const [fields, found] = await Promise.all([
    findTitles(update, lists),
    Promise.all(
      textsIn(update, mayBeName).map(async (text) => ({ ...text, id: await idOfNameLikeId(lists, text) })),
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

async function findTitles({ customFields = [] }: TaskUpdate, lists: NameLists) {
  if (customFields.length === 0) return [];
  const fields = await readIfAllowed(() => lists.customFields());
  return customFields
    .filter(({ id }) => !hasId(fields, id) && findFieldByTitle(fields, id) !== undefined)
    .map(({ id, value }) => ({ title: id, value }));
}

/** Undefined if the text is an id, or no name. */
async function idOfNameLikeId(lists: NameLists, { name, kind, text }: FoundText) {
  if (kind === 'user') {
    const users = await readIfAllowed(() => lists.contacts());
    return hasId(users, text) ? undefined : onlyId(toKebabCase(name), text, findUsersByName(users, text));
  }
  if (kind !== 'customStatus') {
    const records = await readIfAllowed(() => lists.byTitle(kind, text));
    // The service's error would not say that it takes no titles, nor name the flag.
    if (records.length > 0 && !hasId(records, text) && !mayBeId('TaskId', text))
      return idOfTitle(lists, toKebabCase(name), kind, text);
    return idOfWord(lists, kind, text);
  }
  const isFound = (statuses: readonly NamedStatus[]) =>
    hasId(statuses, text) || findStatusByName(statuses, text) !== undefined;
  const areEnough = (workflows: readonly Workflow[]) => isFound(listStatuses(workflows));
  const statuses = listStatuses(await readIfAllowed(() => lists.workflows(areEnough)));
  return hasId(statuses, text) ? undefined : findStatusByName(statuses, text);
}

function hasId(records: readonly { readonly id: string }[], id: string): boolean {
  return records.some((record) => record.id === id);
}

/** The id of the only task or folder with this title; undefined for none, and if the word is an id. */
export async function idOfWord(lists: NameLists, kind: LinkedKind, word: string) {
  const records = await readIfAllowed(() => lists.byTitle(kind, word));
  if (hasId(records, word)) return undefined;
  const [match, ...others] = findByName(records, word, ({ title }) => title);
  return others.length === 0 ? match?.id : undefined;
}
