// Waits for another wm: for how long, and which message a person sees when it does not end. A process that was stopped
// keeps its lock, and may hold the only copy of a token, so it is named and never killed.

import { Failure } from '../failure.ts';
import type { Child, LockHolder, World } from '../world/world.ts';

/** In milliseconds. A prompt to unlock the keychain may stand for two minutes, and the work after it takes a while. */
export const lockLimits = { timeoutMs: 60_000, promptTimeoutMs: 150_000 } as const;

const noticeMs = 3000;
const pollMs = 500;

/** `using the sign-in default` becomes a sentence about a wait that lasts. */
export function lockWaitMessage(holder: LockHolder | undefined, doing: string): string {
  const who = holder ? `process ${holder.pid}` : 'another wm';
  const { timeoutMs, promptTimeoutMs } = lockLimits;
  return holder?.isPrompting
    ? `Waiting for ${who}, which is ${doing} and shows a prompt to unlock the keychain (up to ${promptTimeoutMs / 1000} s).`
    : `Waiting for ${who}, which is ${doing} (up to ${timeoutMs / 1000} s).`;
}

/** After such a wait. `kept`: what the person need not fear for. */
export function lockTimeoutFailure(holder: LockHolder | undefined, doing: string, kept: string): Failure {
  const who = holder ? `Another wm (process ${holder.pid})` : 'Another wm';
  const hint = holder?.isPrompting
    ? 'Answer the prompt, then run the command again.'
    : holder?.continueCommand
      ? `If it was stopped, continue it: ${holder.continueCommand}\nThen run the command again.`
      : 'Wait until it ends, then run the command again.';
  return new Failure('other', {
    message: `${who} is still ${doing}`,
    why: holder?.isPrompting ? 'it shows a prompt to unlock the keychain' : 'it did not end in time',
    hint: `${kept} ${hint}`,
  });
}

/**
 * False where a process that was given the lock at `lockPath` does not end in the time that others would wait for it.
 * `onWait` hears of it where that takes long.
 */
export async function waitForHelper(
  { clock, lock }: Pick<World, 'clock' | 'lock'>,
  child: Pick<Child, 'ended'>,
  lockPath: string,
  onWait: (holder: LockHolder | undefined) => unknown,
): Promise<boolean> {
  const ended = child.ended.then(() => true);
  let isLate = () => {};
  const late = new Promise<false>((resolve) => {
    isLate = () => resolve(false);
  });
  const limit = clock.limit(lockLimits.timeoutMs, isLate);
  const promptLimit = clock.limit(lockLimits.promptTimeoutMs);
  const cancelNotice = clock.after(noticeMs, async () => onWait(await lock.holder(lockPath)));
  try {
    if (await Promise.race([ended, late])) return true;
    while (promptLimit.leftMs() > 0 && (await lock.holder(lockPath))?.isPrompting) {
      if (await Promise.race([ended, clock.sleep(pollMs)])) return true;
    }
    return false;
  } finally {
    limit.cancel();
    promptLimit.cancel();
    cancelNotice();
  }
}
