// Finds the host of the selected account. Ids are unique on a host, so this machine's records are separated by it.

import { type AccountOptions, findBaseUrl } from '#login/select-account.ts';
import type { World } from '#world/world.ts';

export interface AccountContext {
  readonly world: Pick<World, 'files'>;
  readonly account: AccountOptions;
}

/** `api.example.com`; `unknown` where no account is selected. */
export async function accountHost({ world, account }: AccountContext): Promise<string> {
  const base = await findBaseUrl(world, account);
  return base === undefined ? 'unknown' : new URL(base).host;
}
