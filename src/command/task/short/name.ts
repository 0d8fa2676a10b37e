// What may be said by a name in the place of an id: people, custom fields, custom statuses. Parsing only tells names from
// ids; what a name stands for is looked up later, by look-up/.

import { identifier } from '../../../contract/identifier.ts';
import { customFieldId } from '../../../contract/task.ts';
import { Refused, shown, type Value } from '../../../contract/value.ts';

const user = identifier('UserId');
const status = identifier('CustomStatusId');

/** Whoever is signed in. */
export const me = '@me';

export function isPersonName(text: string): boolean {
  return text.includes('@');
}

/** A user's id, `@me` or an e-mail address. */
export const person: Value<string> = {
  ...user,
  type: 'USER',
  check(input) {
    if (typeof input !== 'string' || !isPersonName(input)) return idOfPerson(input);
    if (input !== me && !/^[^\s@,]+@[^\s@,]+$/.test(input))
      throw new Refused(shown(input), 'is not a UserId, @me or an e-mail address');
    return input;
  },
  fromWire: (text) => person.check(text),
};

/** A plain name is what one tries first, and it does not say who. */
function idOfPerson(input: unknown): string {
  try {
    return user.check(input);
  } catch (error) {
    if (!(error instanceof Refused)) throw error;
    throw new Refused(
      error.value,
      `${error.rule}; a person can also be given by e-mail address, or as ${me}`,
    );
  }
}

/** Of the length and letters of an id, or nearly: a slip in an id must not become a search for a title. */
function looksLikeId(text: string): boolean {
  return /^(?:[A-Z0-9]{14,18}|[a-z0-9]{14,18})$/.test(text);
}

/** True where it is a name; false for an id. Throws {@link Refused} for what is nearly an id. */
function isName(text: string, id: Value<string>): boolean {
  if (/^[A-Z0-9]{16}$/.test(text) || looksLikeId(text)) {
    id.check(text);
    return false;
  }
  if (text.trim() === '') throw new Refused(shown(text), 'names nothing');
  return true;
}

export const isFieldTitle = (text: string) => isName(text, customFieldId);
export const isStatusName = (text: string) => isName(text, status);

/** A custom status by its id or its name. */
export const customStatus: Value<string> = {
  ...status,
  type: 'ID|NAME',
  check(input) {
    if (typeof input === 'string' && isStatusName(input)) return input;
    return status.check(input);
  },
  fromWire: (text) => customStatus.check(text),
};
