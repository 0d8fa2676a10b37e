// People by `@me`, their e-mail address or their full name: their ids. An id stands for itself.

import type { Contact } from '../../../contract/resource.ts';
import { usage } from '../../../failure.ts';
import { isEmail, isPersonName, me } from '../short/name.ts';
import { withName } from './by-name.ts';
import { type Directory, emailsOf } from './directory.ts';
import { ambiguous, notFound } from './not-found.ts';

/** In the same order. Throws a usage failure for whom the service does not know. */
export function personIds(
  directory: Directory,
  flag: string,
  said: readonly string[],
): Promise<readonly string[]> {
  return Promise.all(said.map((one) => personId(directory, flag, one)));
}

async function personId(directory: Directory, flag: string, said: string): Promise<string> {
  if (!isPersonName(said)) return said;
  if (said === me) {
    const contacts = await directory.me();
    const self = contacts.find((one) => one.me) ?? contacts[0];
    if (!self) throw usage(`--${flag}: the service does not say who ${me} is`, 'See: wm whoami');
    return self.id;
  }
  const found = isEmail(said)
    ? await withEmail(directory, said)
    : peopleNamed(await directory.contacts(), said);
  const only = oneOf(flag, said, found);
  if (only !== undefined) return only;
  const all = (await directory.contacts()).filter(isThere);
  throw isEmail(said)
    ? notFound(flag, said, 'the e-mail address of anybody here', all.flatMap(emailsOf))
    : notFound(
        flag,
        said,
        'the name or the id of anybody here',
        all.flatMap((one) => [fullName(one), one.id].filter(Boolean)),
        all.map(fullName).filter(Boolean),
      );
}

/** Everybody with this full name who is still there. */
export function peopleNamed(contacts: readonly Contact[], name: string): readonly Contact[] {
  return withName(contacts.filter(isThere), name.replace(/\s+/g, ' '), fullName);
}

/** The id of the only one; nothing where there is nobody. Throws a usage failure where there are several. */
export function oneOf(flag: string, said: string, found: readonly Contact[]): string | undefined {
  if (found.length > 1) throw ambiguous(flag, said, 'people', found.map(described));
  return found[0]?.id;
}

async function withEmail(directory: Directory, email: string): Promise<readonly Contact[]> {
  const found = (await directory.byEmail(email)).filter((one) => fits(one, email));
  // A service that does not find by address may still list the person.
  return found.length > 0
    ? found
    : (await directory.contacts()).filter((one) => isThere(one) && hasEmail(one, email));
}

/** A service that does not filter answers with everybody; one that shows no addresses is believed. */
function fits(contact: Contact, email: string): boolean {
  return emailsOf(contact).length === 0 || hasEmail(contact, email);
}

function hasEmail(contact: Contact, email: string): boolean {
  return emailsOf(contact).some((one) => one.toLowerCase() === email.toLowerCase());
}

const isThere = ({ deleted }: Contact) => deleted !== true;

function fullName({ firstName, lastName }: Contact): string {
  return [firstName, lastName].filter(Boolean).join(' ');
}

function described(contact: Contact): string {
  return [contact.id, fullName(contact), ...emailsOf(contact)].filter(Boolean).join('  ');
}
