// What the service knows by name: people, custom fields, workflows, folders. Each list is asked for when it is first needed, and
// once for a command, however many rows need it.

import type { Session } from '../../../client/session.ts';
import { operations } from '../../../contract/operation.ts';
import type { Contact, CustomFieldDefinition, Folder, Workflow } from '../../../contract/resource.ts';

export interface NameLists {
  /** Whoever is signed in. */
  me(): Promise<readonly Contact[]>;
  /** Whom the service finds by this e-mail address. */
  byEmail(email: string): Promise<readonly Contact[]>;
  contacts(): Promise<readonly Contact[]>;
  customFields(): Promise<readonly CustomFieldDefinition[]>;
  workflows(): Promise<readonly Workflow[]>;
  folders(): Promise<readonly Folder[]>;
}

export function createNameLists(session: () => Promise<Session>): NameLists {
  const requests = new Map<string, Promise<unknown>>();
  const once = <T>(key: string, ask: () => Promise<T>): Promise<T> => {
    const before = requests.get(key);
    // What is kept under a key is what the same call below has put there.
    if (before) return before as Promise<T>;
    const asking = ask();
    requests.set(key, asking);
    return asking;
  };
  return {
    me: () =>
      once(
        'me',
        async () => (await (await session()).send(operations.listContacts, {}, { me: true })).records,
      ),
    byEmail: (email) =>
      once(`email ${email.toLowerCase()}`, async () => {
        const { records } = await (await session()).send(operations.listContacts, {}, { email });
        return records;
      }),
    contacts: () =>
      once('contacts', async () => (await (await session()).send(operations.listContacts, {}, {})).records),
    customFields: () =>
      once('fields', async () => (await (await session()).send(operations.listCustomFields, {}, {})).records),
    workflows: () =>
      once('workflows', async () => (await (await session()).send(operations.listWorkflows, {}, {})).records),
    folders: () =>
      once('folders', async () => (await (await session()).send(operations.listFolders, {}, {})).records),
  };
}

/** The e-mail addresses of a contact, as its profiles have them. The contract does not show their shape. */
export function emailsOf({ profiles }: Contact): readonly string[] {
  return (profiles ?? []).flatMap((profile) => {
    if (typeof profile !== 'object' || profile === null || !('email' in profile)) return [];
    return typeof profile.email === 'string' ? [profile.email] : [];
  });
}
