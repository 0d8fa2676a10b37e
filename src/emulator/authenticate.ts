// Who calls: the bearer token of the header or the `access_token` of the query, on the right data centre, alive, with a
// scope that the call lists. What is wrong with a token is never told apart.

import type { DataCentre } from '../contract/delivery.ts';
import { covers, type Scope } from '../contract/scope.ts';
import type { Received } from './received.ts';
import { Refusal } from './refusal.ts';
import type { Service, Session } from './service.ts';
import type { Token } from './store.ts';

export const unknownToken = () => new Refusal('not_authorized', 'Access token is unknown or invalid');

/** The live token of that text. */
export function liveToken({ store, clock }: Service, text: string, use: Token['use']): Token | undefined {
  const token = store.tokens.get(text);
  if (token === undefined || token.use !== use) return undefined;
  return token.expires === undefined || token.expires > clock.now() ? token : undefined;
}

function tokenText({ headers }: Received, inQuery: string | undefined): string {
  const bearer = /^bearer +([^\s]+) *$/i.exec(headers.authorization ?? '')?.[1];
  const text = headers.authorization === undefined ? inQuery : bearer;
  if (text === undefined) throw unknownToken();
  return text;
}

/** Whose token it is. Throws {@link Refusal} where the token does not serve here. */
export function sessionOf(service: Service, received: Received, inQuery: string | undefined): Session {
  const token = liveToken(service, tokenText(received, inQuery), 'access');
  if (token === undefined) throw unknownToken();
  return sessionFor(service, token, received.dataCentre);
}

export function sessionFor({ store }: Service, token: Token, dataCentre: DataCentre): Session {
  const user = store.users.get(token.userId);
  const account = store.accounts.get(user?.accountId ?? '');
  const application = store.applications.get(token.applicationId);
  if (user === undefined || user.deleted || account === undefined || application === undefined)
    throw unknownToken();
  if (account.dataCentre !== dataCentre) throw unknownToken();
  return { token, user, account, application, scopes: token.scopes };
}

export function mustCover({ scopes }: Session, listed: readonly Scope[]): void {
  if (!covers(scopes, listed)) {
    throw new Refusal('access_forbidden', `The token has none of the scopes ${listed.join(', ')}`);
  }
}
