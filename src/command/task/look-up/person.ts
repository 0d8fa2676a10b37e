// People by `@me` or their e-mail address: their ids. An id stands for itself.

import type { Contact } from '../../../contract/resource.ts';
import { usage } from '../../../failure.ts';
import { isPersonName, me } from '../short/name.ts';
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
  const found = (await directory.byEmail(said)).filter((one) => fits(one, said));
  if (found.length > 1) throw ambiguous(flag, said, 'people', found.map(nameOf));
  const [person] = found;
  if (person) return person.id;
  const all = await directory.contacts();
  throw notFound(flag, said, 'the e-mail address of anybody here', all.flatMap(emailsOf));
}

/** A service that does not filter answers with everybody; one that shows no addresses is believed. */
function fits(contact: Contact, email: string): boolean {
  const emails = emailsOf(contact);
  return emails.length === 0 || emails.some((one) => one.toLowerCase() === email.toLowerCase());
}

function nameOf(contact: Contact): string {
  const name = [contact.firstName, contact.lastName].filter(Boolean).join(' ');
  return [contact.id, name, ...emailsOf(contact)].filter(Boolean).join('  ');
}
