// Tells the user that a command is waiting for a lock, and which process holds it.

import { lockWaitMessage } from '#login/lock-wait.ts';
import type { Lock } from '#world/world.ts';

/** Calls `showLine` for each wait that lasts. */
export function withLockWaitNotice(lock: Lock, showLine: (line: string) => void): Lock {
  return {
    ...lock,
    acquire(path, options) {
      const { activity } = options;
      if (activity === undefined) return lock.acquire(path, options);
      return lock.acquire(path, {
        onWait: (holder) => showLine(lockWaitMessage(holder, activity)),
        ...options,
      });
    },
  };
}
