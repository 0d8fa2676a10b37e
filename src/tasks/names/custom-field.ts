// Resolves a custom field by its title, and puts its value into the form that the type of the field needs: choices as the
// JSON that the service takes, users as ids. The value of a field given by id is sent as typed, except for TRUE and FALSE.

import { anyDateInput, resolveDate } from '#cli/relative-date.ts';
import { readChoices } from '#cli/resolve/field-choices.ts';
import { ambiguousName, findByName, nameNotFound } from '#cli/resolve/match-name.ts';
import { anyDate } from '#contract/date.ts';
import { isIdentifier } from '#contract/identifier.ts';
import { parseJsonIfValid } from '#contract/json.ts';
import type { CustomFieldDefinition } from '#contract/read-only-records.ts';
import { formatValue, ValidationError } from '#contract/schema.ts';
import { customFieldText } from '#contract/task.ts';
import { usageError } from '#failure.ts';
import { isCheckboxWord, userInput } from '../input/name-or-id.ts';
import type { CustomField, TitledField } from '../input/unresolved-update.ts';
import { parseChoices } from '../input/update-flags.ts';
import { type NameLists, readOrNone } from './name-lists.ts';
import { resolveUsers } from './user.ts';

const flag = 'custom-field';

export async function resolveCustomField(
  lists: NameLists,
  field: TitledField,
  now: number,
): Promise<CustomField> {
  const { title, value } = field;
  const definition = await requireFieldByTitle(lists, title);
  if (value === null) return { id: definition.id, value };
  try {
    const text = await fieldValue(lists, definition, { ...field, value }, now);
    return { id: definition.id, value: customFieldText.validate(text) };
  } catch (error) {
    if (error instanceof ValidationError) throw usageError(`--${flag} ${title}: ${error.message}`);
    throw error;
  }
}

async function requireFieldByTitle(lists: NameLists, title: string): Promise<CustomFieldDefinition> {
  const isId = isIdentifier('CustomFieldId', title);
  const all = await (isId ? readOrNone(() => lists.customFields()) : lists.customFields());
  const field = all.find(({ id }) => id === title) ?? findFieldByTitle(all, title);
  if (field) return field;
  // The service decides whether an id exists.
  if (isId) return { id: title };
  const titles = all.flatMap((one) => one.title ?? []);
  throw nameNotFound(flag, title, 'the title of a custom field', [...titles, ...all.map((one) => one.id)], {
    listed: titles,
    listCommand: lists.listCommand?.('customfield list', 'title'),
  });
}

/** The only field with this title; undefined for none. Throws a usage failure for several. */
export function findFieldByTitle(
  all: readonly CustomFieldDefinition[],
  title: string,
): CustomFieldDefinition | undefined {
  const found = findByName(all, title, (one) => one.title);
  if (found.length > 1) {
    const candidates = found.map((one) => `${one.id}  ${one.title} (${one.type ?? 'unknown type'})`);
    throw ambiguousName(flag, title, 'custom fields', candidates);
  }
  return found[0];
}

async function fieldValue(
  lists: NameLists,
  { title = '', type, settings }: CustomFieldDefinition,
  { value, choices: given }: TitledField & { readonly value: string },
  now: number,
): Promise<string> {
  const { values, allowsOthers } = readChoices(settings);
  const allowed = allowsOthers ? [] : values;
  if (given !== undefined && singleValued.includes(type ?? ''))
    throw usageError(
      `--${flag} ${title}[]: ${formatValue(title)} takes one value, since its type is ${type}`,
      `Leave out the brackets: --${flag} ${formatValue(`${title}=VALUE`)}`,
    );
  switch (type) {
    case 'Multiple': {
      const chosen =
        given ??
        parseJsonTexts(value) ??
        (findByName(allowed, value, String).length > 0 ? [value] : parseChoices(value));
      return JSON.stringify(chosen.map((one) => findChoice(title, one, allowed)));
    }
    case 'Contacts': {
      const people = (given ?? value.split(',')).map((one) => userInput.validate(one.trim()));
      return (await resolveUsers(lists, `${flag} ${title}`, people)).join(',');
    }
    case 'DropDown':
      return findChoice(title, value, allowed);
    case 'Checkbox':
      return isCheckboxWord(value) ? value.trim().toLowerCase() : value;
    case 'Date':
      return resolveDate(anyDateInput.fromWire(value), now, anyDate);
    default:
      return value;
  }
}

/** Not documented; observed. A type that is not listed here may well take a list. */
const singleValued = [
  'DropDown',
  'Checkbox',
  'Date',
  'Text',
  'Numeric',
  'Currency',
  'Percentage',
  'Duration',
];

/** The texts of a JSON list; undefined for any other text. */
function parseJsonTexts(value: string): readonly string[] | undefined {
  if (!value.trimStart().startsWith('[')) return undefined;
  const list = parseJsonIfValid(value);
  return Array.isArray(list) && list.every((one) => typeof one === 'string') ? list : undefined;
}

/** The choice itself, or the only one that differs from the value by letter case. */
function findChoice(title: string, value: string, choices: readonly string[]): string {
  if (choices.length === 0) return value;
  const [found, ...others] = findByName(choices, value, String);
  if (found !== undefined && others.length === 0) return found;
  throw nameNotFound(`${flag} ${title}`, value, 'one of its choices', choices);
}
