// Finds the name of the person who runs a command, for records on this machine: from the account, or else from the system.

import { selectProfile } from '#login/select-account.ts';
import type { Context } from './context.ts';
import { readIdentity } from './identity.ts';

const nameWithinMs = 10_000;

/** Never fails: the name is a courtesy. A profile has the name, so that no request is needed. */
export async function currentUserName(context: Pick<Context, 'account' | 'session' | 'timeoutMs' | 'world'>) {
  const { account, world } = context;
  try {
    const profile = await selectProfile(world, account);
    if (profile?.user !== undefined) return profile.user;
    const timeoutMs = Math.min(nameWithinMs, context.timeoutMs);
    return (await readIdentity(await context.session(), '', timeoutMs)).user;
  } catch {
    const { USER, LOGNAME, USERNAME } = world.environment;
    return USER || LOGNAME || USERNAME || 'unknown';
  }
}
