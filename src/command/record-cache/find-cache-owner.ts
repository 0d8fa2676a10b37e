// Whose record cache a command reads: that of the selected account, which need not be signed in to.

import { apiBaseUrl } from '../../login/host.ts';
import { type AccountOptions, findBaseUrl, selectProfile } from '../../login/select-account.ts';
import type { World } from '../../world/world.ts';
import type { CacheOwner } from './record-cache.ts';

/** `undefined` if no account is selected. */
export async function findCacheOwner(
  world: Pick<World, 'files'>,
  account: AccountOptions,
): Promise<CacheOwner | undefined> {
  if (account.token !== undefined) {
    const baseUrl = await findBaseUrl(world, account);
    return baseUrl === undefined ? undefined : { baseUrl };
  }
  const selected = await selectProfile(world, account);
  return selected && { baseUrl: apiBaseUrl(selected.host), profile: selected.name };
}
