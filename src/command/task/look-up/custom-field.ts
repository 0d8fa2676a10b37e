// A custom field by its title, and its value in the form that the type of the field wants: choices as the JSON that the
// service takes, people as ids. By its id no field is looked up, and its value goes as it was typed.

import { anyDate } from '../../../contract/date.ts';
import type { CustomFieldDefinition } from '../../../contract/resource.ts';
import { type customFieldEntry, customFieldText } from '../../../contract/task.ts';
import { Refused, type TypeOf } from '../../../contract/value.ts';
import { usage } from '../../../failure.ts';
import { dateOf, saidAnyDate } from '../short/day.ts';
import { person } from '../short/name.ts';
import { choicesOf, type SaidField } from '../update-flags.ts';
import type { Directory } from './directory.ts';
import { ambiguous, notFound } from './not-found.ts';
import { personIds } from './person.ts';

const flag = 'custom-field';

export async function customFieldEntryOf(
  directory: Directory,
  { name, value }: SaidField,
  now: number,
): Promise<TypeOf<typeof customFieldEntry>> {
  const definition = await fieldByTitle(directory, name);
  if (value === null) return { id: definition.id, value };
  try {
    return {
      id: definition.id,
      value: customFieldText.check(await valueFor(directory, definition, value, now)),
    };
  } catch (error) {
    if (error instanceof Refused) throw usage(`--${flag} ${name}: ${error.message}`);
    throw error;
  }
}

async function fieldByTitle(directory: Directory, title: string): Promise<CustomFieldDefinition> {
  const all = await directory.customFields();
  const exact = all.filter((one) => one.title === title);
  const found =
    exact.length > 0 ? exact : all.filter((one) => one.title?.toLowerCase() === title.trim().toLowerCase());
  if (found.length > 1) {
    const candidates = found.map((one) => `${one.id}  ${one.title} (${one.type ?? 'unknown type'})`);
    throw ambiguous(flag, title, 'custom fields', candidates);
  }
  const [field] = found;
  if (field) return field;
  throw notFound(
    flag,
    title,
    'the title of a custom field',
    all.flatMap((one) => one.title ?? []),
  );
}

async function valueFor(
  directory: Directory,
  { title = '', type, settings }: CustomFieldDefinition,
  value: string,
  now: number,
): Promise<string> {
  const choices = choicesIn(settings);
  switch (type) {
    case 'Multiple': {
      // What is JSON already has been thought about.
      if (value.trimStart().startsWith('[')) return value;
      const chosen = choices.includes(value) ? [value] : choicesOf(value);
      for (const one of chosen) known(title, one, choices);
      return JSON.stringify(chosen);
    }
    case 'DropDown':
      known(title, value, choices);
      return value;
    case 'Contacts': {
      const people = value.split(',').map((one) => person.check(one.trim()));
      return (await personIds(directory, `${flag} ${title}`, people)).join(',');
    }
    case 'Date':
      return dateOf(saidAnyDate.fromWire(value), now, anyDate);
    default:
      return value;
  }
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
