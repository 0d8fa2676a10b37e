// Resolves users to ids: by `@me`, e-mail address or full name. An id stays as it is.

import { emailsOf, fullName } from '#cli/contact-name.ts';
import { ambiguousName, findByName, nameNotFound } from '#cli/resolve/match-name.ts';
import type { Contact } from '#contract/read-only-records.ts';
import { commandHint, usageError } from '#failure.ts';
import { isEmail, me } from '../input/name-or-id.ts';
import type { Name } from '../input/unresolved-update.ts';
import type { NameLists } from './name-lists.ts';

/** In the same order. Throws a usage failure for a user who is not found. */
export function resolveUsers(
  lists: NameLists,
  flag: string,
  users: readonly (string | Name)[],
): Promise<readonly string[]> {
  return Promise.all(
    users.map((user) => (typeof user === 'string' ? user : resolveUser(lists, flag, user.name))),
  );
}

async function resolveUser(lists: NameLists, flag: string, name: string): Promise<string> {
  if (name === me) {
    const contacts = await lists.me();
    const self = contacts.find((one) => one.me) ?? contacts[0];
    if (!self)
      throw usageError(
        `--${flag}: the service does not say which user ${me} is`,
        commandHint('See: ', 'wm whoami'),
      );
    return self.id;
  }
  const found = isEmail(name)
    ? await findUsersByEmail(lists, name)
    : findUsersByName(await lists.contacts(), name);
  const only = onlyId(flag, name, found);
  if (only !== undefined) return only;
  const all = (await lists.contacts()).filter(isActive);
  const listCommand = lists.listCommand?.('contact list', 'name');
  if (isEmail(name))
    throw nameNotFound(flag, name, 'the e-mail address of a user', all.flatMap(emailsOf), {
      // The service finds no address by a part of it.
      listCommand: listCommand && (() => listCommand()),
    });
  const names = all.map(fullName).filter(Boolean);
  throw nameNotFound(
    flag,
    name,
    'the name or id of a user',
    all.flatMap((one) => [fullName(one), one.id].filter(Boolean)),
    { listed: names, listCommand },
  );
}

/** The active users with this full name. */
export function findUsersByName(contacts: readonly Contact[], name: string): readonly Contact[] {
  return findByName(contacts.filter(isActive), name.replace(/\s+/g, ' '), fullName);
}

/** The id of the only user found; undefined for none. Throws a usage failure for several. */
export function onlyId(flag: string, name: string, found: readonly Contact[]): string | undefined {
  if (found.length > 1) throw ambiguousName(flag, name, 'people', found.map(describeUser));
  return found[0]?.id;
}

async function findUsersByEmail(lists: NameLists, email: string): Promise<readonly Contact[]> {
  const found = (await lists.byEmail(email)).filter((one) => mayHaveEmail(one, email));
  // A service that cannot search by address may still list the user.
  return found.length > 0
    ? found
    : (await lists.contacts()).filter((one) => isActive(one) && hasEmail(one, email));
}

/** Filters by address, in case the service ignores the search. If it shows no addresses, its search is trusted. */
function mayHaveEmail(contact: Contact, email: string): boolean {
  return emailsOf(contact).length === 0 || hasEmail(contact, email);
}

function hasEmail(contact: Contact, email: string): boolean {
  return emailsOf(contact).some((one) => one.toLowerCase() === email.toLowerCase());
}

const isActive = ({ deleted }: Contact) => deleted !== true;

function describeUser(contact: Contact): string {
  return [contact.id, fullName(contact), ...emailsOf(contact)].filter(Boolean).join('  ');
}
