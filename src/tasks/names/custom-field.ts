// Resolves a custom field by its title, and converts its value to the form that the type of the field needs: choices to the
// service's JSON, users to ids. The value of a field given by id is sent as typed, except for TRUE and FALSE.

import { readIfAllowed } from '#cli/read-pages.ts';
import { ambiguousName, findByName, nameNotFound } from '#cli/resolve/match-name.ts';
import { customFieldText, readChoices } from '#contract/custom-field-schemas.ts';
import { anyDate } from '#contract/date.ts';
import { isIdentifier } from '#contract/identifier.ts';
import { parseJsonIfValid } from '#contract/json.ts';
import type { CustomFieldDefinition } from '#contract/read-only-records.ts';
import { formatValue, ValidationError } from '#contract/schema.ts';
import { anyDateInput, resolveDate } from '#dates/relative-date.ts';
import { usageError } from '#failure.ts';
import { isCheckboxWord, type TitledField, userInput } from '../input/unresolved-update.ts';
import { parseChoices } from '../input/update-flags.ts';
import type { NameLists } from './name-lists.ts';
import { resolveUsers } from './user.ts';

const flag = 'custom-field';

/** `typedFlag`: the flag that errors name. */
export async function resolveCustomField(
  lists: NameLists,
  field: TitledField,
  now: number,
  typedFlag = flag,
) {
  const { title, value } = field;
  const definition = await requireFieldByTitle(lists, title, typedFlag);
  if (value === null) return { id: definition.id, value };
  try {
    const text = await fieldValue(lists, definition, { ...field, value }, now);
    return { id: definition.id, value: customFieldText.validate(text) };
  } catch (error) {
    if (error instanceof ValidationError) throw usageError(`--${flag} ${title}: ${error.message}`);
    throw error;
  }
}

async function requireFieldByTitle(lists: NameLists, title: string, typedFlag: string) {
  const isId = isIdentifier('CustomFieldId', title);
  const fields = await (isId ? readIfAllowed(() => lists.customFields()) : lists.customFields());
  const match = fields.find(({ id }) => id === title) ?? findFieldByTitle(fields, title, typedFlag);
  if (match) return match;
  // The service decides whether an id exists.
  if (isId) return { id: title };
  const titles = fields.flatMap((field) => field.title ?? []);
  const ids = fields.map(({ id }) => id);
  throw nameNotFound(typedFlag, title, 'the title of a custom field', [...titles, ...ids], {
    listed: titles,
    listCommand: lists.listCommand?.('customfield list', 'title'),
  });
}

/** The only field with this title; undefined for none. Throws a usage failure for several. */
export function findFieldByTitle(fields: readonly CustomFieldDefinition[], title: string, typedFlag = flag) {
  const matches = findByName(fields, title, (field) => field.title);
  const describe = ({ id, title, type = 'unknown type' }: CustomFieldDefinition) =>
    `${id}  ${title} (${type})`;
  if (matches.length > 1) throw ambiguousName(typedFlag, title, 'custom fields', matches.map(describe));
  return matches[0];
}

async function fieldValue(
  lists: NameLists,
  { title = '', type, settings }: CustomFieldDefinition,
  { value, choices }: TitledField & { readonly value: string },
  now: number,
): Promise<string> {
  const { values, allowsOthers } = readChoices(settings);
  const allowed = allowsOthers ? [] : values;
  if (choices !== undefined && scalarTypes.includes(type ?? ''))
    throw usageError(
      `--${flag} ${title}[]: ${formatValue(title)} takes one value, since its type is ${type}`,
      `Leave out the brackets: --${flag} ${formatValue(`${title}=VALUE`)}`,
    );
  switch (type) {
    case 'Multiple': {
      const chosen =
        choices ??
        parseJsonTexts(value) ??
        (findByName(allowed, value, String).length > 0 ? [value] : parseChoices(value));
      return JSON.stringify(chosen.map((choice) => findChoice(title, choice, allowed)));
    }
    case 'Contacts': {
      const users = (choices ?? value.split(',')).map((user) => userInput.validate(user.trim()));
      return (await resolveUsers(lists, `${flag} ${title}`, users)).join(',');
    }
    case 'DropDown':
      return findChoice(title, value, allowed);
    case 'Checkbox':
      return isCheckboxWord(value) ? value.trim().toLowerCase() : value;
    case 'Date':
      return resolveDate(anyDateInput.fromWire(await lists.readDates(value)), now, anyDate);
    default:
      return value;
  }
}

/** The types that take one value: observed, not documented. Other types may take a list. */
const scalarTypes = ['DropDown', 'Checkbox', 'Date', 'Text', 'Numeric', 'Currency', 'Percentage', 'Duration'];

/** The texts of a JSON list; undefined for any other text. */
function parseJsonTexts(value: string): readonly string[] | undefined {
  if (!value.trimStart().startsWith('[')) return undefined;
  const list = parseJsonIfValid(value);
  return Array.isArray(list) && list.every((entry) => typeof entry === 'string') ? list : undefined;
}

/** The choice itself, or the only choice that differs from the value just in letter case. */
function findChoice(title: string, value: string, choices: readonly string[]): string {
  if (choices.length === 0) return value;
  const [match, ...others] = findByName(choices, value, String);
  if (match !== undefined && others.length === 0) return match;
  throw nameNotFound(`${flag} ${title}`, value, 'one of its choices', choices);
}
