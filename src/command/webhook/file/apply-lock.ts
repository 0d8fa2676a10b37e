// A lock between the runs of `wm webhook apply` on this machine: each plans from what the one before it has left, so that no webhook
// is created twice. Runs on two machines cannot know of each other.

import { join } from 'node:path';
import { Failure, toFailure } from '../../../failure.ts';
import { lockLimits, lockTimeoutFailure } from '../../../login/lock-wait.ts';
import type { HeldLock } from '../../../world/world.ts';
import { accountHost, safeFileName } from '../../account-host.ts';
import type { Context } from '../../context.ts';

const doing = 'applying a file of webhooks';

/**
 * Nothing, after a warning, where no lock can be taken (a full disk): the run goes on.
 * @throws {Failure} `other` if another run does not end in time.
 */
export async function lockApply(context: Context): Promise<HeldLock | undefined> {
  const { world, report } = context;
  const name = `apply-${safeFileName(await accountHost(context))}.lock`;
  const path = join(world.files.stateFolder, 'webhooks', name);
  const held = await world.lock.acquire(path, { ...lockLimits, activity: doing }).catch(toFailure);
  if (held instanceof Failure) {
    await report.warn(`Cannot keep another run of wm webhook apply out: ${held.sentence}`);
    return undefined;
  }
  if (!held) throw lockTimeoutFailure(await world.lock.holder(path), doing, 'Nothing was changed.');
  return held;
}
