// The names and e-mail addresses of users, and the user and account of the token.

import type { Session } from '#client/session.ts';
import { accountOperations } from '#contract/account-operations.ts';
import { isJsonObject } from '#contract/json.ts';
import type { Contact } from '#contract/read-only-records.ts';
import { Failure } from '#failure.ts';
import type { Column } from '#terminal/table.ts';
import { readWholeList } from './read-pages.ts';

export interface Identity {
  readonly user: string;
  readonly userId: string;
  readonly account: string;
  readonly accountId: string;
  readonly host: string;
}

export const identityColumns: readonly Column<Identity>[] = [
  { title: 'user', cell: ({ user }) => user },
  { title: 'user id', cell: ({ userId }) => userId },
  { title: 'account', cell: ({ account }) => account },
  { title: 'account id', cell: ({ accountId }) => accountId },
  { title: 'host', cell: ({ host }) => host },
];

export function identityFields({ user, userId, account, accountId }: Identity) {
  return { user, userId, account, accountId };
}

export async function readIdentity(session: Session, host: string, timeoutMs?: number): Promise<Identity> {
  const [accounts, contacts] = await Promise.all([
    session.send(accountOperations.getAccount, {}, {}, timeoutMs),
    readWholeList(session, accountOperations.listContacts, {}, { me: true }, { timeoutMs }),
  ]);
  const account = accounts.records[0];
  const user = contacts.find((contact) => contact.me) ?? contacts[0];
  if (!account || !user)
    throw new Failure('bad_response', { message: "The service's response does not name the token's user" });
  return {
    user: fullName(user) || user.id,
    userId: user.id,
    account: account.name ?? account.id,
    accountId: account.id,
    host,
  };
}

/** Empty if the service shows no name. */
export function fullName({ firstName, lastName }: Contact): string {
  return [firstName, lastName].filter(Boolean).join(' ');
}

/** The contract does not show the shape of a profile. */
export function emailsOf({ profiles }: Contact): readonly string[] {
  const emails = (profiles ?? []).map((profile) => (isJsonObject(profile) ? profile['email'] : undefined));
  return emails.filter((email) => typeof email === 'string');
}
