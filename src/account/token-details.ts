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

export function tokenDetailsOf(profile: Profile, item: StoredTokens): TokenDetails {
  return {
    token: item.refreshToken === undefined ? 'permanent' : 'refreshable',
    expires: item.expiresAt === undefined ? null : new Date(item.expiresAt).toISOString(),
    scopes: profileScopes(profile) ?? null,
  };
}

const notKnown = 'unknown';

/** On a terminal how long it is from now, elsewhere the time. */
export function formatExpiry(
  { token, expires }: TokenDetails,
  { streams, clock }: Pick<World, 'streams' | 'clock'>,
): string {
  if (expires === null)
    return { environment: notKnown, permanent: 'never', refreshable: notKnown, none: '' }[token];
  if (!streams.output.isTerminal) return expires;
  const when = formatRelativeTime(Date.parse(expires), clock.now());
  return token === 'refreshable' ? `${when} (then refreshed)` : when;
}

/** What it shows beside a record's own columns. */
export interface TokenDetailsRow {
  readonly details: TokenDetails;
  readonly expiresText: string;
}

export const detailColumns: readonly [Column<TokenDetailsRow>, Column<TokenDetailsRow>] = [
  {
    title: 'scopes',
    cell: ({ details }) => (details.token === 'none' ? '' : (details.scopes?.join(', ') ?? notKnown)),
  },
  { title: 'expires', cell: (one) => one.expiresText },
];
