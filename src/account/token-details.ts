// What `wm whoami` and `wm auth status` show about a token without asking the service: its source, expiry and scopes.

import { type Profile, profileScopes } from '#login/profile.ts';
import type { StoredTokens } from '#login/token-store.ts';
import { formatTime } from '#terminal/relative-time.ts';
import type { Column } from '#terminal/table.ts';

export interface TokenDetails {
  /** From WM_TOKEN; permanent; refreshed automatically; none if not signed in. */
  readonly token: 'environment' | 'permanent' | 'refreshable' | 'none';
  /** ISO time; null if unknown, or if the token never expires. */
  readonly expires: string | null;
  /** The scopes requested at sign-in; null if unknown. */
  readonly scopes: readonly string[] | null;
}

export const environmentToken: TokenDetails = { token: 'environment', expires: null, scopes: null };
export const noToken: TokenDetails = { token: 'none', expires: null, scopes: null };

export function readTokenDetails(profile: Profile, tokens: StoredTokens): TokenDetails {
  return {
    token: tokens.refreshToken === undefined ? 'permanent' : 'refreshable',
    expires: tokens.expiresAt === undefined ? null : new Date(tokens.expiresAt).toISOString(),
    scopes: profileScopes(profile) ?? null,
  };
}

const unknownText = 'unknown';

export const detailColumns: readonly [Column<TokenDetails>, Column<TokenDetails>] = [
  {
    title: 'scopes',
    cell: ({ token, scopes }) => (token === 'none' ? '' : (scopes?.join(', ') ?? unknownText)),
  },
  {
    title: 'expires',
    cell({ token, expires }, now) {
      if (expires === null)
        return { environment: unknownText, permanent: 'never', refreshable: unknownText, none: '' }[token];
      const isRelative = now !== undefined && token === 'refreshable';
      return formatTime(expires, now) + (isRelative ? ' (then refreshed)' : '');
    },
  },
];
