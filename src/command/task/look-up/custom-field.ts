// A custom field by its title, and its value in the form that the type of the field wants: choices as the JSON that the
// service takes, people as ids. By its id no field is looked up, and its value goes as it was typed.

import { anyDate } from '../../../contract/date.ts';
import { parseJsonIfValid } from '../../../contract/json.ts';
import type { CustomFieldDefinition } from '../../../contract/resource.ts';
import { formatValue, type TypeOf, ValidationError } from '../../../contract/schema.ts';
import { type customFieldEntry, customFieldText } from '../../../contract/task.ts';
import { usage } from '../../../failure.ts';
import { dateOf, saidAnyDate } from '../short/day.ts';
import { person } from '../short/name.ts';
import { choicesOf, type SaidField } from '../update-flags.ts';
import { withName } from './by-name.ts';
import type { Directory } from './directory.ts';
import { ambiguous, notFound } from './not-found.ts';
import { personIds } from './person.ts';

const flag = 'custom-field';

export async function customFieldEntryOf(
  directory: Directory,
  field: SaidField,
  now: number,
): Promise<TypeOf<typeof customFieldEntry>> {
  const { name, value } = field;
  const definition = await fieldByTitle(directory, name);
  if (value === null) return { id: definition.id, value };
  try {
    const text = await valueFor(directory, definition, { ...field, value }, now);
    return { id: definition.id, value: customFieldText.validate(text) };
  } catch (error) {
    if (error instanceof ValidationError) throw usage(`--${flag} ${name}: ${error.message}`);
    throw error;
  }
}

async function fieldByTitle(directory: Directory, title: string): Promise<CustomFieldDefinition> {
  const all = await directory.customFields();
  const field = fieldTitled(all, title);
  if (field) return field;
  const titles = all.flatMap((one) => one.title ?? []);
  throw notFound(
    flag,
    title,
    'the title of a custom field',
    [...titles, ...all.map((one) => one.id)],
    titles,
  );
}

/** The only one with this title; nothing where there is none. Throws a usage failure where there are several. */
export function fieldTitled(
  all: readonly CustomFieldDefinition[],
  title: string,
): CustomFieldDefinition | undefined {
  const found = withName(all, title, (one) => one.title);
  if (found.length > 1) {
    const candidates = found.map((one) => `${one.id}  ${one.title} (${one.type ?? 'unknown type'})`);
    throw ambiguous(flag, title, 'custom fields', candidates);
  }
  return found[0];
}

async function valueFor(
  directory: Directory,
  { title = '', type, settings }: CustomFieldDefinition,
  { value, choices: given }: SaidField & { readonly value: string },
  now: number,
): Promise<string> {
  const allowed = choicesIn(settings);
  switch (type) {
    case 'Multiple': {
      const chosen = given ?? textsInJson(value) ?? (allowed.includes(value) ? [value] : choicesOf(value));
      for (const one of chosen) known(title, one, allowed);
      return JSON.stringify(chosen);
    }
    case 'Contacts': {
      const people = (given ?? value.split(',')).map((one) => person.validate(one.trim()));
      return (await personIds(directory, `${flag} ${title}`, people)).join(',');
    }
    case 'DropDown':
      refuseChoices(title, type, given);
      known(title, value, allowed);
      return value;
    case 'Date':
      refuseChoices(title, type, given);
      return dateOf(saidAnyDate.fromWire(value), now, anyDate);
    default:
      if (singleValued.includes(type ?? '')) refuseChoices(title, type, given);
      return value;
  }
}

/** Not shown; seen. A type that is not among these may well take a list. */
const singleValued: readonly string[] = ['Text', 'Numeric', 'Currency', 'Percentage', 'Duration', 'Checkbox'];

function refuseChoices(title: string, type: string | undefined, given: SaidField['choices']): void {
  if (given === undefined) return;
  throw usage(
    `--${flag} ${title}[]: ${formatValue(title)} takes one value, since its type is ${type}`,
    `Leave out the brackets: --${flag} ${formatValue(`${title}=VALUE`)}`,
  );
}

/** The texts of a list that is JSON already; nothing for any other text. */
function textsInJson(value: string): readonly string[] | undefined {
  if (!value.trimStart().startsWith('[')) return undefined;
  const list = parseJsonIfValid(value);
  return Array.isArray(list) && list.every((one) => typeof one === 'string') ? list : undefined;
}

/** The choices of a field, as far as its settings list them all. The contract does not show their shape. */
function choicesIn(settings: unknown): readonly string[] {
  if (typeof settings !== 'object' || settings === null || !('values' in settings)) return [];
  if ('allowOtherValues' in settings && settings.allowOtherValues === true) return [];
  const { values } = settings;
  return Array.isArray(values) ? values.filter((one) => typeof one === 'string') : [];
}

function known(title: string, value: string, choices: readonly string[]): void {
  if (choices.length === 0 || choices.includes(value)) return;
  throw notFound(`${flag} ${title}`, value, 'one of its choices', choices);
}
