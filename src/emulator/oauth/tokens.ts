// Issues and revokes tokens: access tokens for an hour, refresh tokens for one use, and permanent tokens. Parses the scopes that a client
// requests: those outside the list of the contract are not granted, and the response warns of them.

import type { TokenResponse } from '#contract/authorization.ts';
import { scopes as knownScopes, type Scope } from '#contract/scope.ts';
import { omitUndefined } from '#omit-undefined.ts';
import { randomText } from '#random-values.ts';
import type { Service } from '../service/service.ts';
import { requireEntry } from '../state/access.ts';
import type { Store, StoredAccount, Token } from '../state/store.ts';

export function accountOf(store: Store, userId: string): StoredAccount {
  return requireEntry(store.accounts, requireEntry(store.users, userId).accountId);
}

/** Returns a new access token and a new refresh token, in the form of the token endpoint. */
export function issueTokens(
  service: Service,
  { applicationId, userId, scopes, codeId }: Pick<Token, 'applicationId' | 'userId' | 'scopes' | 'codeId'>,
  accessScopes: readonly Scope[] = scopes,
): TokenResponse {
  const { store, clock, settings, hosts } = service;
  const grant = { applicationId, userId, scopes, ...omitUndefined({ codeId }) };
  const expires = clock.now() + settings.tokenSeconds * 1000;
  const access: Token = {
    ...grant,
    scopes: accessScopes,
    id: randomText(service, 80),
    use: 'access',
    expires,
  };
  const refresh: Token = { ...grant, id: randomText(service, 80), use: 'refresh' };
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
    host: hosts[accountOf(store, userId).dataCentre],
  };
}

/** Expired tokens are deleted only when there are more than this: a client cannot tell them from unknown ones. */
const cleanupThreshold = 1_000;

export function revokeTokens({ store }: Service, matches: (token: Token) => boolean): number {
  const revoked = [...store.tokens.values()].filter(matches);
  for (const { id } of revoked) store.tokens.delete(id);
  return revoked.length;
}

const isScope = (name: string): name is Scope => knownScopes.some((scope) => scope === name);

export function parseScopes(text: string) {
  const names = text.split(',').map((part) => part.trim());
  return { scopes: names.filter(isScope), unknown: names.filter((name) => !isScope(name)) };
}

/** For a header: short, and only ASCII. */
export const scopeWarning = (unknown: readonly string[]): string =>
  `Scopes outside the list of the contract were left out: ${unknown
    .join(',')
    .replace(/[^\x20-\x7e]/g, '?')
    .slice(0, 500)}`;
