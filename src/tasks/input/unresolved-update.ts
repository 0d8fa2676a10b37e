// A task update whose users, custom statuses and custom fields may be names. The service takes only ids, so this is a type of
// its own, which cannot be sent by mistake.

import { isIdShaped, isTitle } from '#cli/resolve/id-shape.ts';
import { isPermalink } from '#cli/resolve/permalink.ts';
import type { TaskUpdate } from '#contract/task.ts';

/** In place of an id: a name, an e-mail address or `@me`, to be resolved before the update is sent. */
export interface Name {
  readonly name: string;
}

/** A custom field by its title. `choices`: of `TITLE[]=a,b`, with their JSON in `value`. */
export interface TitledField {
  readonly title: string;
  readonly value: string | null;
  readonly choices?: readonly string[];
}

export const userParameters = [
  'addShareds',
  'removeShareds',
  'addResponsibles',
  'removeResponsibles',
  'addFollowers',
] as const;
export type UserParameter = (typeof userParameters)[number];

/** The parameters that accept a permalink or a title, of a folder or a task. */
export const linkedParameters = {
  addParents: 'folder',
  removeParents: 'folder',
  addSuperTasks: 'task',
  removeSuperTasks: 'task',
  priorityBefore: 'task',
  priorityAfter: 'task',
} as const;

type LinkedParameter = keyof typeof linkedParameters;

/** The parameters in which a permalink or a title has to be looked up. */
export function linksIn(update: UnresolvedUpdate): readonly LinkedParameter[] {
  return linkedNames.filter((name) => hasLink(update, name));
}

function hasLink(update: UnresolvedUpdate, name: LinkedParameter): boolean {
  const value = update[name];
  if (value === undefined) return false;
  return typeof value === 'string' ? isReference(value) : value.some(isReference);
}

/** The ids that may be titles of one word. */
export function wordsIn(value: string | readonly string[] | undefined): readonly string[] {
  return (typeof value === 'string' ? [value] : (value ?? [])).filter((id) => !isIdShaped(id));
}

const isReference = (text: string) => isPermalink(text) || isTitle(text);

/** Checks only the parameters that the update has: a row of a bulk run has few. */
function hasLinks(update: UnresolvedUpdate): boolean {
  for (const name in update) if (isLinked(name) && hasLink(update, name)) return true;
  return false;
}

function isLinked(name: string): name is LinkedParameter {
  return Object.hasOwn(linkedParameters, name);
}

// The object's keys are the names and nothing else.
export const linkedNames = Object.keys(linkedParameters) as LinkedParameter[];

export type CustomField = NonNullable<TaskUpdate['customFields']>[number];

/** A {@link TaskUpdate} is also an unresolved update, but not the other way round. */
export type UnresolvedUpdate = Omit<TaskUpdate, UserParameter | 'customStatus' | 'customFields'> & {
  readonly [K in UserParameter]?: readonly (string | Name)[];
} & {
  readonly customStatus?: string | Name;
  readonly customFields?: readonly (CustomField | TitledField)[];
};

/** True if nothing has to be looked up. */
export function isResolved(update: UnresolvedUpdate): update is TaskUpdate {
  return (
    typeof update.customStatus !== 'object' &&
    !update.customFields?.some((field) => 'title' in field) &&
    !hasLinks(update) &&
    !userParameters.some((parameter) => update[parameter]?.some((user) => typeof user === 'object'))
  );
}

/** Separates custom fields given by id from custom fields given by title. */
export function splitFields(fields: UnresolvedUpdate['customFields'] = []): {
  readonly withId: readonly CustomField[];
  readonly withTitle: readonly TitledField[];
} {
  return {
    withId: fields.filter((field) => 'id' in field),
    withTitle: fields.filter((field) => 'title' in field),
  };
}

/** The ids that may be names that look like ids, each after its kind. Ids of folders and tasks only if they lack the usual form. */
export function idsThatMayBeNames(update: TaskUpdate): readonly string[] {
  const { customFields, customStatus } = update;
  const ids: string[] = customStatus === undefined ? [] : [`status ${customStatus}`];
  if (customFields) for (const { id } of customFields) ids.push(`field ${id}`);
  for (const parameter of userParameters) for (const id of update[parameter] ?? []) ids.push(`user ${id}`);
  for (const name in update)
    if (isLinked(name)) for (const id of wordsIn(update[name])) ids.push(`${linkedParameters[name]} ${id}`);
  return ids;
}

export type NameAndValue = readonly [name: string, value: string | null];

/** The entries without repetitions. */
export function uniqueBy<T>(entries: readonly T[], read: (entry: T) => NameAndValue): readonly T[] {
  const keys = new Set<string>();
  return entries.filter((entry) => {
    const key = JSON.stringify(read(entry));
    return !keys.has(key) && keys.add(key);
  });
}
