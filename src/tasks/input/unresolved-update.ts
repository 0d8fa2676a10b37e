// A task update whose users, custom statuses, custom fields, folders and tasks may be names. The service takes only ids, so this is a
// type of its own, which cannot be sent by mistake; names/ resolves the names.

import { acceptLink, isIdShaped, isPermalink, isTitle } from '#cli/resolve/id-shape.ts';
import { identifier, isIdentifier } from '#contract/identifier.ts';
import { invalidValue, type Schema } from '#contract/schema.ts';
import type { TaskUpdate, TaskUpdateParameter } from '#contract/task.ts';

/** A custom field by its title. `choices`: of `TITLE[]=a,b`, with their JSON in `value`. */
export interface TitledField {
  readonly title: string;
  readonly value: string | null;
  readonly choices?: readonly string[];
}

export type CustomField = NonNullable<TaskUpdate['customFields']>[number];

/** A {@link TaskUpdate} is also an unresolved update, but not the other way round. */
export type UnresolvedUpdate = Omit<TaskUpdate, 'customFields'> & {
  readonly customFields?: readonly (CustomField | TitledField)[];
};

/** The parameters whose texts may be names, and of what. */
export const namedParameters = {
  addParents: 'folder',
  removeParents: 'folder',
  addShareds: 'user',
  removeShareds: 'user',
  addResponsibles: 'user',
  removeResponsibles: 'user',
  addFollowers: 'user',
  addSuperTasks: 'task',
  removeSuperTasks: 'task',
  priorityBefore: 'task',
  priorityAfter: 'task',
  customStatus: 'customStatus',
} as const satisfies { readonly [K in TaskUpdateParameter]?: string };

type NamedParameter = keyof typeof namedParameters;
export type NamedKind = (typeof namedParameters)[NamedParameter];

export function isNamed(name: string): name is NamedParameter {
  return Object.hasOwn(namedParameters, name);
}

/** True if its values cannot be names, nor contradict another parameter: an update with only such parameters is sent as it is. */
export function isPlainParameter(name: TaskUpdateParameter): boolean {
  return !isNamed(name) && !/^(?:add|remove|customFields$|metadata$)/.test(name);
}

/** False for an id: a text without exactly its form is a name, an e-mail address or `@me`; of a folder or task, a title or a permalink. */
export function isName(kind: NamedKind, text: string): boolean {
  if (kind === 'user') return !isIdentifier('UserId', text);
  if (kind === 'customStatus') return !isIdentifier('CustomStatusId', text);
  return isPermalink(text) || isTitle(text);
}

/** True for an id that may be a name that looks like one. Ids of folders and tasks only if they lack the usual form. */
export function mayBeName(kind: NamedKind, id: string): boolean {
  return kind === 'user' || kind === 'customStatus' || !isIdShaped(id);
}

/** A name, or an id, in a parameter of an update. */
export interface FoundText {
  readonly name: NamedParameter;
  readonly kind: NamedKind;
  readonly text: string;
}

/** The texts of the parameters for which `isWanted` is true. Checks only what the update has: a row has few parameters. */
export function textsIn(update: UnresolvedUpdate, isWanted: (kind: NamedKind, text: string) => boolean) {
  const found: FoundText[] = [];
  for (const name in update) {
    if (!isNamed(name)) continue;
    const kind = namedParameters[name];
    for (const text of [update[name] ?? []].flat())
      if (isWanted(kind, text)) found.push({ name, kind, text });
  }
  return found;
}

/** The members of the update that have these texts, with the ids in place of the names. */
export function withIds(update: UnresolvedUpdate, ids: readonly (FoundText & { readonly id: string })[]) {
  const replaced = ids.map(({ name }) => {
    const idOf = (text: string) =>
      ids.find((found) => found.name === name && found.text === text)?.id ?? text;
    const value = update[name];
    return [name, typeof value === 'string' ? idOf(value) : value?.map(idOf)];
  });
  return Object.fromEntries(replaced);
}

export function isResolved(update: UnresolvedUpdate): update is TaskUpdate {
  return !update.customFields?.some((field) => 'title' in field) && textsIn(update, isName).length === 0;
}

export function splitFields(fields: UnresolvedUpdate['customFields'] = []) {
  return {
    withId: fields.filter((field) => 'id' in field),
    withTitle: fields.filter((field) => 'title' in field),
  };
}

/** The ids that may be names that look like ids, and those of custom fields, each after its kind. */
export function idsThatMayBeNames(update: TaskUpdate): readonly string[] {
  const ids = textsIn(update, mayBeName).map(({ kind, text }) => `${kind} ${text}`);
  for (const { id } of update.customFields ?? []) ids.push(`customField ${id}`);
  return ids;
}

export type NameAndValue = readonly [name: string, value: string | null];

export function uniqueBy<T>(entries: readonly T[], read: (entry: T) => NameAndValue): readonly T[] {
  const keys = new Set<string>();
  return entries.filter((entry) => {
    const key = JSON.stringify(read(entry));
    return !keys.has(key) && keys.add(key);
  });
}

/** The user who is signed in. */
export const me = '@me';

/** True for a text that can only be an e-mail address. */
export const isEmail = (text: string): boolean => /^[^\s@,]+@[^\s@,]+$/.test(text);

/** A user's id, `@me`, an e-mail address or a full name. */
export const userInput = nameOrIdInput('UserId', 'USER', (text) => {
  if (text.includes('@') && text !== me && !isEmail(text))
    throw invalidValue(text, `is not ${me}, an e-mail address, a full name or a UserId`);
  return notBlank(text, 'a user');
});

export const customStatusInput = nameOrIdInput('CustomStatusId', 'STATUS', (text) =>
  notBlank(text, 'a custom status'),
);

/** `assertText` throws for a text that is neither a name nor an id. */
function nameOrIdInput(
  idType: 'UserId' | 'CustomStatusId',
  type: string,
  assertText: (text: string) => string,
): Schema<string> {
  const id = identifier(idType);
  const validate = (input: unknown) => (typeof input === 'string' ? assertText(input) : id.validate(input));
  return { ...id, type, validate, fromWire: validate };
}

export const fieldInput: Schema<string> = {
  type: 'FIELD',
  wireFormat: 'text',
  validate(input) {
    if (typeof input === 'string') return notBlank(input, 'a custom field');
    throw invalidValue(input, 'is not the id or the title of a custom field');
  },
  fromWire: (text) => fieldInput.validate(text),
  toWire: (text) => text,
};

function notBlank(text: string, kind: string): string {
  if (text.trim() === '') throw invalidValue(text, `is blank: give the name or the id of ${kind}`);
  return text;
}

/** A task or a folder by its id, permalink or title. Permalinks and titles are looked up. */
export function placedInput(id: Schema<string>): Schema<string> {
  const link = acceptLink(id);
  const check = (input: unknown) =>
    typeof input === 'string' && isTitle(input) ? input : link.validate(input);
  return { ...link, validate: check, fromWire: check };
}

/** True for TRUE and FALSE, which a spreadsheet writes for a checkbox: the service accepts only lower case. Other types keep it. */
export function isCheckboxWord(value: string | null): boolean {
  return value !== null && /^\s*(?:true|false)\s*$/i.test(value) && value !== value.trim().toLowerCase();
}

/** A custom field by its id or its title. Throws a ValidationError for a blank one. */
export function customFieldNamed(idOrTitle: string, value: string | null, choices?: readonly string[]) {
  if (isIdentifier('CustomFieldId', idOrTitle) && !isCheckboxWord(value)) return { id: idOrTitle, value };
  const title = notBlank(idOrTitle, 'a custom field');
  return choices ? { title, value, choices } : { title, value };
}
