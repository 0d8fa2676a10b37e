// Resolves users to ids: by `@me`, e-mail address or full name.

import { emailsOf, fullName } from '#cli/identity.ts';
import { ambiguousName, findByName, nameNotFound } from '#cli/resolve/match-name.ts';
import type { Contact } from '#contract/read-only-records.ts';
import { commandHint, usageError } from '#failure.ts';
import { isEmail, isName, me } from '../input/unresolved-update.ts';
import type { NameLists } from './name-lists.ts';

/** In the same order; an id stays as it is. Throws a usage failure for a user who is not found. */
export function resolveUsers(lists: NameLists, flag: string, users: readonly string[]) {
  return Promise.all(users.map((user) => (isName('user', user) ? resolveUser(lists, flag, user) : user)));
}

export async function resolveUser(lists: NameLists, flag: string, name: string): Promise<string> {
  if (name === me) {
    const self = await lists.me();
    if (!self)
      throw usageError(
        `--${flag}: the service does not say which user ${me} is`,
        commandHint('See: ', 'wm whoami'),
      );
    return self.id;
  }
  const matches = isEmail(name)
    ? await findUsersByEmail(lists, name)
    : findUsersByName(await lists.contacts(), name);
  const id = onlyId(flag, name, matches);
  if (id !== undefined) return id;
  const users = (await lists.contacts()).filter(isActive);
  const listCommand = lists.listCommand?.('contact list', 'name');
  if (isEmail(name))
    throw nameNotFound(flag, name, 'the e-mail address of a user', users.flatMap(emailsOf), {
      // The service finds only whole addresses.
      listCommand: listCommand && (() => listCommand()),
    });
  const listed = users.map(fullName).filter(Boolean);
  const ids = users.map((user) => user.id);
  throw nameNotFound(flag, name, 'the name or id of a user', [...listed, ...ids], { listed, listCommand });
}

export function findUsersByName(contacts: readonly Contact[], name: string): readonly Contact[] {
  return findByName(contacts.filter(isActive), name.replace(/\s+/g, ' '), fullName);
}

/** The id of the only user found; undefined for none. Throws a usage failure for several. */
export function onlyId(flag: string, name: string, matches: readonly Contact[]): string | undefined {
  if (matches.length > 1) throw ambiguousName(flag, name, 'people', matches.map(describeUser));
  return matches[0]?.id;
}

async function findUsersByEmail(lists: NameLists, email: string): Promise<readonly Contact[]> {
  // Compares the address, in case the service ignores the filter. A contact without addresses counts as a match.
  const matches = (await lists.byEmail(email)).filter(
    (user) => emailsOf(user).length === 0 || hasEmail(user, email),
  );
  // A service that cannot search by address may still list the user.
  return matches.length > 0
    ? matches
    : (await lists.contacts()).filter((user) => isActive(user) && hasEmail(user, email));
}

function hasEmail(contact: Contact, email: string): boolean {
  return emailsOf(contact).some((address) => address.toLowerCase() === email.toLowerCase());
}

const isActive = ({ deleted }: Contact) => deleted !== true;

function describeUser(contact: Contact): string {
  return [contact.id, fullName(contact), ...emailsOf(contact)].filter(Boolean).join('  ');
}
