// Names that have the form of an id: a custom field with the title INVOICINGNUMBERS, a status OUTFORSIGNATURES. The id comes
// first: only what no list of the account has as an id is taken for a name. What cannot be listed stays an id.

import type { TaskUpdate } from '../../../contract/task.ts';
import { Failure, interruptionCodes } from '../../../failure.ts';
import { toKebabCase } from '../../flag.ts';
import { type UserParameter, userParameters } from '../input/build-update.ts';
import type { FieldAssignment } from '../input/update-flags.ts';
import { findFieldByTitle } from './custom-field.ts';
import { findStatusByName, listStatuses } from './custom-status.ts';
import type { NameLists } from './name-lists.ts';
import { resolveNames } from './resolve.ts';
import { findUsersByName, onlyId } from './user.ts';

/**
 * The update with the ids that those names stand for; nothing where none of its ids is a name. `now` in milliseconds since
 * 1970. Throws a usage failure where several have the name, or a value does not fit the field.
 */
export async function resolveNamesLikeIds(
  update: TaskUpdate,
  directory: NameLists,
  now: number,
): Promise<TaskUpdate | undefined> {
  const [fields, customStatus, people] = await Promise.all([
    findTitles(update, directory),
    findStatus(update, directory),
    findUsers(update, directory),
  ]);
  if (fields.length === 0 && customStatus === undefined && people.length === 0) return undefined;
  const titles = new Set(fields.map(({ name }) => name));
  const others = update.customFields?.filter(({ id }) => !titles.has(id));
  const { customFields: _, ...rest } = update;
  const renamed: TaskUpdate = {
    ...rest,
    ...(others === undefined || others.length === 0 ? {} : { customFields: others }),
    ...(customStatus === undefined ? {} : { customStatus }),
    ...Object.fromEntries(people),
  };
  return resolveNames(
    { update: renamed, titles: fields, statusByName: false, usersByName: [], relativeDates: [] },
    directory,
    now,
  );
}

async function findTitles(
  { customFields = [] }: TaskUpdate,
  directory: NameLists,
): Promise<readonly FieldAssignment[]> {
  if (customFields.length === 0) return [];
  const all = await readOrNone(() => directory.customFields());
  return customFields
    .filter(({ id }) => !all.some((one) => one.id === id) && findFieldByTitle(all, id) !== undefined)
    .map(({ id, value }) => ({ name: id, isTitle: true, value }));
}

async function findStatus({ customStatus }: TaskUpdate, directory: NameLists): Promise<string | undefined> {
  if (customStatus === undefined) return undefined;
  const all = listStatuses(await readOrNone(() => directory.workflows()));
  return all.some(({ id }) => id === customStatus) ? undefined : findStatusByName(all, customStatus);
}

async function findUsers(
  update: TaskUpdate,
  directory: NameLists,
): Promise<readonly (readonly [UserParameter, readonly string[]])[]> {
  const used = userParameters.filter((name) => (update[name]?.length ?? 0) > 0);
  if (used.length === 0) return [];
  const all = await readOrNone(() => directory.contacts());
  const idOf = (name: UserParameter, id: string) =>
    all.some((one) => one.id === id) ? id : (onlyId(toKebabCase(name), id, findUsersByName(all, id)) ?? id);
  return used
    .map((name) => [name, (update[name] ?? []).map((id) => idOf(name, id))] as const)
    .filter(([name, ids]) => ids.some((id, at) => id !== update[name]?.[at]));
}

/** Nothing where the list cannot be read: the service has the last word on an id. */
async function readOrNone<T>(list: () => Promise<readonly T[]>): Promise<readonly T[]> {
  try {
    return await list();
  } catch (error) {
    if (error instanceof Failure && !interruptionCodes.some((code) => code === error.code)) return [];
    throw error;
  }
}
