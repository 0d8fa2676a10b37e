// A task update whose users, custom statuses and custom fields may be names: a text without exactly the form of an id is a name.
// The service takes only ids, so this is a type of its own, which cannot be sent by mistake; names/ resolves the names.

import { acceptLink, isIdShaped, isPermalink, isTitle } from '#cli/resolve/id-shape.ts';
import { identifier, isIdentifier } from '#contract/identifier.ts';
import { formatValue, type Schema, ValidationError } from '#contract/schema.ts';
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

/** The parameters in which a permalink or a title has to be looked up. Checks only what the update has: a row has few parameters. */
export function linksIn(update: UnresolvedUpdate): readonly LinkedParameter[] {
  const names: LinkedParameter[] = [];
  for (const name in update) if (isLinked(name) && hasLink(update, name)) names.push(name);
  return names;
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

export function isResolved(update: UnresolvedUpdate): update is TaskUpdate {
  return (
    typeof update.customStatus !== 'object' &&
    !update.customFields?.some((field) => 'title' in field) &&
    linksIn(update).length === 0 &&
    !userParameters.some((parameter) => update[parameter]?.some((user) => typeof user === 'object'))
  );
}

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
export function isEmail(text: string): boolean {
  return /^[^\s@,]+@[^\s@,]+$/.test(text);
}

/** A user's id, `@me`, an e-mail address or a full name. */
export const userInput = nameOrIdInput('UserId', 'USER', 'a user', (name) => {
  if (name.includes('@') && name !== me && !isEmail(name))
    throw new ValidationError(formatValue(name), `is not ${me}, an e-mail address, a full name or a UserId`);
});

export const customStatusInput = nameOrIdInput('CustomStatusId', 'STATUS', 'a custom status');

/** `kind`: for errors. `assertName` throws for a text that is not a name. */
function nameOrIdInput(
  idType: 'UserId' | 'CustomStatusId',
  type: string,
  kind: string,
  assertName: (text: string) => void = () => {},
): Schema<string | Name> {
  const id = identifier(idType);
  const validate = (input: unknown) => {
    if (typeof input !== 'string') return id.validate(input);
    assertName(input);
    return isIdentifier(idType, input) ? input : { name: notBlank(input, kind) };
  };
  return { ...id, type, validate, fromWire: validate, toWire: textOf };
}

export const fieldInput: Schema<string> = {
  type: 'FIELD',
  wireFormat: 'text',
  validate(input) {
    if (typeof input === 'string') return notBlank(input, 'a custom field');
    throw new ValidationError(formatValue(input), 'is not the id or the title of a custom field');
  },
  fromWire: (text) => fieldInput.validate(text),
  toWire: (text) => text,
};

function notBlank(text: string, kind: string): string {
  if (text.trim() === '')
    throw new ValidationError(formatValue(text), `is blank: give the name or the id of ${kind}`);
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

/** A custom field by its id or its title. Throws {@link ValidationError} for a blank one. */
export function customFieldNamed(
  idOrTitle: string,
  value: string | null,
  choices?: readonly string[],
): CustomField | TitledField {
  if (isIdentifier('CustomFieldId', idOrTitle) && !isCheckboxWord(value)) return { id: idOrTitle, value };
  const title = notBlank(idOrTitle, 'a custom field');
  return choices ? { title, value, choices } : { title, value };
}

export function textOf(value: string | Name): string {
  return typeof value === 'string' ? value : value.name;
}
