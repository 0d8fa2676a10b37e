// Names that have the form of an id: a custom field with the title INVOICINGNUMBERS, a status OUTFORSIGNATURES. The id comes
// first: only what no list of the account has as an id is taken for a name. What cannot be listed stays an id.

import type { TaskUpdate } from '../../../contract/task.ts';
import { Failure, interruptions } from '../../../failure.ts';
import { kebab } from '../../flag.ts';
import { type PeopleParameter, peopleParameters } from '../to-update.ts';
import type { SaidField } from '../update-flags.ts';
import { fieldTitled } from './custom-field.ts';
import { statusesOf, statusNamed } from './custom-status.ts';
import type { Directory } from './directory.ts';
import { oneOf, peopleNamed } from './person.ts';
import { resolve } from './resolve.ts';

/**
 * The update with the ids that those names stand for; nothing where none of its ids is a name. `now` in milliseconds since
 * 1970. Throws a usage failure where several have the name, or a value does not fit the field.
 */
export async function namesForIds(
  update: TaskUpdate,
  directory: Directory,
  now: number,
): Promise<TaskUpdate | undefined> {
  const [fields, customStatus, people] = await Promise.all([
    titlesIn(update, directory),
    statusIn(update, directory),
    peopleIn(update, directory),
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
  return resolve(
    { update: renamed, titles: fields, statusByName: false, peopleByName: [], dates: [] },
    directory,
    now,
  );
}

async function titlesIn(
  { customFields = [] }: TaskUpdate,
  directory: Directory,
): Promise<readonly SaidField[]> {
  if (customFields.length === 0) return [];
  const all = await listed(() => directory.customFields());
  return customFields
    .filter(({ id }) => !all.some((one) => one.id === id) && fieldTitled(all, id) !== undefined)
    .map(({ id, value }) => ({ name: id, isTitle: true, value }));
}

async function statusIn({ customStatus }: TaskUpdate, directory: Directory): Promise<string | undefined> {
  if (customStatus === undefined) return undefined;
  const all = statusesOf(await listed(() => directory.workflows()));
  return all.some(({ id }) => id === customStatus) ? undefined : statusNamed(all, customStatus);
}

async function peopleIn(
  update: TaskUpdate,
  directory: Directory,
): Promise<readonly (readonly [PeopleParameter, readonly string[]])[]> {
  const used = peopleParameters.filter((name) => (update[name]?.length ?? 0) > 0);
  if (used.length === 0) return [];
  const all = await listed(() => directory.contacts());
  const idOf = (name: PeopleParameter, id: string) =>
    all.some((one) => one.id === id) ? id : (oneOf(kebab(name), id, peopleNamed(all, id)) ?? id);
  return used
    .map((name) => [name, (update[name] ?? []).map((id) => idOf(name, id))] as const)
    .filter(([name, ids]) => ids.some((id, at) => id !== update[name]?.[at]));
}

/** Nothing where the list cannot be read: the service has the last word on an id. */
async function listed<T>(list: () => Promise<readonly T[]>): Promise<readonly T[]> {
  try {
    return await list();
  } catch (error) {
    if (error instanceof Failure && !interruptions.some((code) => code === error.code)) return [];
    throw error;
  }
}
