// Issues and revokes tokens: access tokens for an hour, refresh tokens for one use, and permanent tokens.

import type { TokenResponse } from '#contract/authorization.ts';
import type { Scope } from '#contract/scope.ts';
import type { Service } from '../service/service.ts';
import { randomText } from '../state/random-text.ts';
import { requireEntry } from '../state/require-entry.ts';
import type { Store, StoredAccount, Token } from '../state/store.ts';

type Grant = Pick<Token, 'applicationId' | 'userId' | 'scopes' | 'codeId'>;

export function accountOf(store: Store, userId: string): StoredAccount {
  return requireEntry(store.accounts, requireEntry(store.users, userId).accountId);
}

/** Returns a new access token and a new refresh token, in the form of the token endpoint. */
export function issueTokens(
  service: Service,
  grant: Grant,
  accessScopes: readonly Scope[] = grant.scopes,
): TokenResponse {
  const { store, clock, settings, hosts } = service;
  const access: Token = {
    ...grant,
    scopes: accessScopes,
    id: randomText(80),
    use: 'access',
    expires: clock.now() + settings.tokenSeconds * 1000,
  };
  const refresh: Token = { ...grant, id: randomText(80), use: 'refresh' };
  if (store.tokens.size > cleanupThreshold)
    for (const { id, expires } of store.tokens.values())
      if (expires !== undefined && expires <= clock.now()) store.tokens.delete(id);
  store.tokens.set(access.id, access);
  store.tokens.set(refresh.id, refresh);
  return {
    access_token: access.id,
    refresh_token: refresh.id,
    token_type: 'bearer',
    expires_in: settings.tokenSeconds,
    host: hosts[accountOf(store, grant.userId).dataCentre],
  };
}

/** Expired tokens are deleted only when there are more than this: a client cannot tell them from unknown ones. */
const cleanupThreshold = 1_000;

export function revokeTokens({ store }: Service, matches: (token: Token) => boolean): number {
  const revoked = [...store.tokens.values()].filter(matches);
  for (const { id } of revoked) store.tokens.delete(id);
  return revoked.length;
}
