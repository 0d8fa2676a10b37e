// People by `@me`, their e-mail address or their full name: their ids. An id stands for itself.

import type { Contact } from '../../../contract/resource.ts';
import { usageError } from '../../../failure.ts';
import { isEmail, isUserName, me } from '../input/name-or-id.ts';
import { ambiguousName, findByName, nameNotFound } from './match-name.ts';
import { emailsOf, type NameLists } from './name-lists.ts';

/** In the same order. Throws a usage failure for whom the service does not know. */
export function resolveUsers(
  directory: NameLists,
  flag: string,
  said: readonly string[],
): Promise<readonly string[]> {
  return Promise.all(said.map((one) => resolveUser(directory, flag, one)));
}

async function resolveUser(directory: NameLists, flag: string, said: string): Promise<string> {
  if (!isUserName(said)) return said;
  if (said === me) {
    const contacts = await directory.me();
    const self = contacts.find((one) => one.me) ?? contacts[0];
    if (!self) throw usageError(`--${flag}: the service does not say who ${me} is`, 'See: wm whoami');
    return self.id;
  }
  const found = isEmail(said)
    ? await findUsersByEmail(directory, said)
    : findUsersByName(await directory.contacts(), said);
  const only = onlyId(flag, said, found);
  if (only !== undefined) return only;
  const all = (await directory.contacts()).filter(isActive);
  throw isEmail(said)
    ? nameNotFound(flag, said, 'the e-mail address of anybody here', all.flatMap(emailsOf))
    : nameNotFound(
        flag,
        said,
        'the name or the id of anybody here',
        all.flatMap((one) => [fullName(one), one.id].filter(Boolean)),
        all.map(fullName).filter(Boolean),
      );
}

/** Everybody with this full name who is still there. */
export function findUsersByName(contacts: readonly Contact[], name: string): readonly Contact[] {
  return findByName(contacts.filter(isActive), name.replace(/\s+/g, ' '), fullName);
}

/** The id of the only one; nothing where there is nobody. Throws a usage failure where there are several. */
export function onlyId(flag: string, said: string, found: readonly Contact[]): string | undefined {
  if (found.length > 1) throw ambiguousName(flag, said, 'people', found.map(describeUser));
  return found[0]?.id;
}

async function findUsersByEmail(directory: NameLists, email: string): Promise<readonly Contact[]> {
  const found = (await directory.byEmail(email)).filter((one) => mayHaveEmail(one, email));
  // A service that does not find by address may still list the person.
  return found.length > 0
    ? found
    : (await directory.contacts()).filter((one) => isActive(one) && hasEmail(one, email));
}

/** A service that does not filter answers with everybody; one that shows no addresses is believed. */
function mayHaveEmail(contact: Contact, email: string): boolean {
  return emailsOf(contact).length === 0 || hasEmail(contact, email);
}

function hasEmail(contact: Contact, email: string): boolean {
  return emailsOf(contact).some((one) => one.toLowerCase() === email.toLowerCase());
}

const isActive = ({ deleted }: Contact) => deleted !== true;

function fullName({ firstName, lastName }: Contact): string {
  return [firstName, lastName].filter(Boolean).join(' ');
}

function describeUser(contact: Contact): string {
  return [contact.id, fullName(contact), ...emailsOf(contact)].filter(Boolean).join('  ');
}
