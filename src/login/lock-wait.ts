// Waiting for another wm process: for how long, and the messages meanwhile and afterwards. A stopped process keeps its lock,
// and may hold the only copy of a token, so the message names it, and it is never killed.

import { Failure } from '#failure.ts';
import { withinLimit } from '#within-limit.ts';
import type { Child, HeldLock, LockHolder, World } from '#world/world.ts';

/** In milliseconds. A prompt to unlock the keychain may last two minutes, and the work after it takes some time. */
export const lockLimits = { timeoutMs: 60_000, promptTimeoutMs: 150_000 } as const;
const noticeMs = 3000;
const pollMs = 500;

/** `activity`: such as `using the sign-in default`. `ownPid`: this command's helper process, which the message does not mention. */
export function lockWaitMessage(holder: LockHolder | undefined, activity: string, ownPid?: number): string {
  const { timeoutMs, promptTimeoutMs } = lockLimits;
  const isPrompting = holder?.isPrompting === true;
  const limit = `(up to ${(isPrompting ? promptTimeoutMs : timeoutMs) / 1000} s).`;
  if (holder !== undefined && holder.pid === ownPid)
    return `Still ${activity}${isPrompting ? '. The keychain shows a prompt: unlock it' : ''} ${limit}`;
  const prompt = isPrompting ? ' and is showing a prompt to unlock the keychain' : '';
  return `Waiting for ${holder ? `process ${holder.pid}` : 'another wm'}, which is ${activity}${prompt} ${limit}`;
}

/** Throws `other` after {@link lockLimits}, and what `fails` throws for an error of the system. `unchanged`: what did not change. */
export async function acquireLock(
  { lock }: Pick<World, 'lock'>,
  path: string,
  { activity, unchanged, fails, limits = lockLimits }: LockRequest,
): Promise<HeldLock> {
  const held = await lock.acquire(path, { ...limits, activity }).catch(fails);
  if (held) return held;
  throw lockTimeoutFailure(await lock.holder(path), activity, unchanged);
}

export async function withLock<T>(
  world: Pick<World, 'lock'>,
  path: string,
  request: LockRequest,
  work: (held: HeldLock) => Promise<T>,
): Promise<T> {
  const held = await acquireLock(world, path, request);
  try {
    return await work(held);
  } finally {
    await held.release();
  }
}

interface LockRequest {
  readonly activity: string;
  readonly unchanged: string;
  readonly fails?: (error: unknown) => never;
  readonly limits?: { readonly timeoutMs: number; readonly promptTimeoutMs?: number };
}

export function lockTimeoutFailure(holder: LockHolder | undefined, activity: string, unchanged: string) {
  const holderName = holder ? `Another wm (process ${holder.pid})` : 'Another wm';
  const hint = holder?.isPrompting
    ? 'Answer the prompt, then run the command again.'
    : holder?.continueCommand
      ? `If it was stopped, continue it: ${holder.continueCommand}\nThen run the command again.`
      : 'Wait until it ends, then run the command again.';
  return new Failure('other', {
    message: `${holderName} is still ${activity}`,
    why: holder?.isPrompting ? 'it is showing a prompt to unlock the keychain' : 'it did not end in time',
    hint: `${unchanged} ${hint}`,
  });
}

/** False if the child that holds the lock has not ended in the time that others would wait for it. `onWait`: once, after three seconds. */
export async function waitForHelper(
  { clock, lock }: Pick<World, 'clock'> & { readonly lock: Pick<World['lock'], 'holder'> },
  child: Pick<Child, 'ended'>,
  lockPath: string,
  onWait: (holder: LockHolder | undefined) => unknown,
): Promise<boolean> {
  const ended = child.ended.then(() => true);
  const promptLimit = clock.limit(lockLimits.promptTimeoutMs);
  const cancelNotice = clock.after(noticeMs, async () => onWait(await lock.holder(lockPath)));
  try {
    if (await withinLimit(clock, lockLimits.timeoutMs, ended, () => false)) return true;
    while (promptLimit.remainingMs() > 0 && (await lock.holder(lockPath))?.isPrompting)
      if (await Promise.race([ended, clock.sleep(pollMs)])) return true;
    return false;
  } finally {
    promptLimit.cancel();
    cancelNotice();
  }
}
