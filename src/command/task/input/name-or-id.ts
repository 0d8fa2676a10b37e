// What may be given by name in place of an id: people, custom fields, custom statuses. Whatever does not have exactly the
// form of an id is a name. Parsing only tells the two apart; resolve/ resolves names.

import { identifier, isIdentifier } from '../../../contract/identifier.ts';
import { formatValue, type Schema, ValidationError } from '../../../contract/schema.ts';

const userId = identifier('UserId');
const customStatusId = identifier('CustomStatusId');

/** Whoever is signed in. */
export const me = '@me';

export const isUserName = (text: string) => !isIdentifier('UserId', text);
export const isFieldTitle = (text: string) => !isIdentifier('CustomFieldId', text);
export const isStatusName = (text: string) => !isIdentifier('CustomStatusId', text);

/** True for what only an e-mail address can be. */
export function isEmail(text: string): boolean {
  return /^[^\s@,]+@[^\s@,]+$/.test(text);
}

/** A user's id, `@me`, an e-mail address or a full name. */
export const userInput: Schema<string> = {
  ...userId,
  type: 'USER',
  validate(input) {
    if (typeof input !== 'string') return userId.validate(input);
    if (input.includes('@') && input !== me && !isEmail(input))
      throw new ValidationError(
        formatValue(input),
        `is not ${me}, an e-mail address, a full name or a UserId`,
      );
    return notBlank(input, 'a person');
  },
  fromWire: (text) => userInput.validate(text),
};

/** A custom status by its id or its name. */
export const customStatusInput: Schema<string> = {
  ...customStatusId,
  type: 'STATUS',
  validate: (input) =>
    typeof input === 'string' ? notBlank(input, 'a custom status') : customStatusId.validate(input),
  fromWire: (text) => customStatusInput.validate(text),
};

/** The text as it is. Throws {@link ValidationError} where there is none. */
export function notBlank(text: string, what: string): string {
  if (text.trim() === '')
    throw new ValidationError(formatValue(text), `is blank: give the name or the id of ${what}`);
  return text;
}
