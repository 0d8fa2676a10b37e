// What `wm whoami` and `wm auth status` show about a token without asking the service: its source, expiry and scopes.

import { type Profile, profileScopes } from '#login/profile.ts';
import type { StoredTokens } from '#login/token-store.ts';
import { formatRelativeTime } from '#terminal/relative-time.ts';
import type { Column } from '#terminal/table.ts';
import type { World } from '#world/world.ts';

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

/** On a terminal, relative to now; elsewhere, the time. */
export function formatExpiry(
  { token, expires }: TokenDetails,
  { streams, clock }: Pick<World, 'streams' | 'clock'>,
): string {
  if (expires === null)
    return { environment: unknownText, permanent: 'never', refreshable: unknownText, none: '' }[token];
  if (!streams.output.isTerminal) return expires;
  const when = formatRelativeTime(Date.parse(expires), clock.now());
  return token === 'refreshable' ? `${when} (then refreshed)` : when;
}

/** What the shared columns show. */
export interface TokenDetailsRow {
  readonly details: TokenDetails;
  readonly expiresText: string;
}

export const detailColumns: readonly [Column<TokenDetailsRow>, Column<TokenDetailsRow>] = [
  {
    title: 'scopes',
    cell: ({ details }) => (details.token === 'none' ? '' : (details.scopes?.join(', ') ?? unknownText)),
  },
  { title: 'expires', cell: ({ expiresText }) => expiresText },
];
