// Authenticates a request by its token and checks its scopes. The response to every invalid token is the same.

import { grantsAccess, type Scope } from '#contract/scope.ts';
import { type Because, ErrorResponse, forbidden } from '../http/error-response.ts';
import type { ReceivedRequest } from '../http/request.ts';
import type { Token } from '../state/store.ts';
import type { Service, Session } from './service.ts';

/** One text for every invalid token, so that a client cannot find out which tokens exist. */
export const invalidToken = (because: 'unauthorized-body' | 'v3-token' = 'unauthorized-body') =>
  new ErrorResponse('not_authorized', 'Access token is unknown or invalid', because);

export function findLiveToken({ store, clock }: Service, text: string, use: Token['use']): Token | undefined {
  const token = store.tokens.get(text);
  if (token === undefined || token.use !== use) return undefined;
  return token.expires === undefined || token.expires > clock.now() ? token : undefined;
}

/** Throws {@link ErrorResponse} if the token is not valid in this data centre. */
export function authenticate(service: Service, request: ReceivedRequest, queryToken?: string): Session {
  const { authorization } = request.headers;
  const bearer = /^bearer +([^\s]+) *$/i.exec(authorization ?? '')?.[1];
  const text = authorization === undefined ? queryToken : bearer;
  if (text === undefined) throw invalidToken();
  const { store } = service;
  if (store.tokens.get(text)?.use === 'version 3') throw invalidToken('v3-token');
  const token = findLiveToken(service, text, 'access');
  if (token === undefined) throw invalidToken();
  const user = store.users.get(token.userId);
  const account = store.accounts.get(user?.accountId ?? '');
  // An edited data file may lack records that its tokens name.
  if (!user || !account || !store.applications.has(token.applicationId)) throw invalidToken();
  if (user.deleted || user.deactivated || account.dataCentre !== request.dataCentre) throw invalidToken();
  return { token, user, account };
}

export function requireScope({ token }: Session, accepted: readonly Scope[], because: Because): void {
  if (!grantsAccess(token.scopes, accepted))
    throw forbidden(`The token has none of the scopes ${accepted.join(', ')}`, because);
}
