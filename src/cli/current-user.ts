// The name of the person who runs a command, for what is stored on this machine: as the account has it, or else as the system.

import { selectProfile } from '#login/select-account.ts';
import type { Context } from './context.ts';
import { readIdentity } from './identity.ts';

/** Nobody should wait longer than this for a name. */
const nameWithinMs = 10_000;

/** A courtesy, so no failure. From the profile where there is one, which needs no request. */
export async function currentUserName(
  context: Pick<Context, 'account' | 'session' | 'timeoutMs' | 'world'>,
): Promise<string> {
  const { account, world } = context;
  try {
    const profile = account.token === undefined ? await selectProfile(world, account) : undefined;
    if (profile?.user !== undefined) return profile.user;
    const timeoutMs = Math.min(nameWithinMs, context.timeoutMs);
    return (await readIdentity(await context.session(), '', timeoutMs)).user;
  } catch {
    const { USER, LOGNAME, USERNAME } = world.environment;
    return USER || LOGNAME || USERNAME || 'unknown';
  }
}
