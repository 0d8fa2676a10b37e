// Values that may be a name or an id: users, custom fields, custom statuses. A text that does not have exactly the form of an
// id is a name. Parsing only distinguishes the two; names/ resolves names.

import { isTitle } from '#cli/resolve/id-shape.ts';
import { acceptLink } from '#cli/resolve/permalink.ts';
import { identifier, isIdentifier } from '#contract/identifier.ts';
import { formatValue, type Schema, ValidationError } from '#contract/schema.ts';
import type { CustomField, Name, TitledField } from './unresolved-update.ts';

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

/** A custom status by its id or its name. */
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

/** A custom field by its id or its title. */
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

/** Returns the text unchanged. Throws a {@link ValidationError} for an empty text. */
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

/** The id or the name, as it was typed. */
export function textOf(value: string | Name): string {
  return typeof value === 'string' ? value : value.name;
}
