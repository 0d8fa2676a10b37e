// What may be given by name in place of an id: people, custom fields, custom statuses. Whatever does not have exactly the
// form of an id is a name. Parsing only tells the two apart; look-up/ resolves names.

import { identifier, isIdentifier } from '../../../contract/identifier.ts';
import { formatValue, type Schema, ValidationError } from '../../../contract/schema.ts';

const user = identifier('UserId');
const status = identifier('CustomStatusId');

/** Whoever is signed in. */
export const me = '@me';

export const isPersonName = (text: string) => !isIdentifier('UserId', text);
export const isFieldTitle = (text: string) => !isIdentifier('CustomFieldId', text);
export const isStatusName = (text: string) => !isIdentifier('CustomStatusId', text);

/** True for what only an e-mail address can be. */
export function isEmail(text: string): boolean {
  return /^[^\s@,]+@[^\s@,]+$/.test(text);
}

/** A user's id, `@me`, an e-mail address or a full name. */
export const person: Schema<string> = {
  ...user,
  type: 'USER',
  validate(input) {
    if (typeof input !== 'string') return user.validate(input);
    if (input.includes('@') && input !== me && !isEmail(input))
      throw new ValidationError(
        formatValue(input),
        `is not ${me}, an e-mail address, a full name or a UserId`,
      );
    return notBlank(input, 'a person');
  },
  fromWire: (text) => person.validate(text),
};

/** A custom status by its id or its name. */
export const customStatus: Schema<string> = {
  ...status,
  type: 'STATUS',
  validate: (input) =>
    typeof input === 'string' ? notBlank(input, 'a custom status') : status.validate(input),
  fromWire: (text) => customStatus.validate(text),
};

/** The text as it is. Throws {@link ValidationError} where there is none. */
export function notBlank(text: string, what: string): string {
  if (text.trim() === '')
    throw new ValidationError(formatValue(text), `is blank: give the name or the id of ${what}`);
  return text;
}
