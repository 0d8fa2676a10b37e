// Locks between processes, and within one, by the kernel's lock on an open file: it cannot be stolen, and is let go
// when its holder dies, however it dies. The holder writes its pid into the file, for whoever waits. Leaves to the caller
// what the lock protects.

import { close, promises as disk, constants as flags, ftruncateSync, writeSync } from 'node:fs';
import { dirname } from 'node:path';
import { createClock } from './clock.ts';
import { makeFolder } from './make-folder.ts';
import type { Clock, HeldLock, Lock, LockHolder } from './world.ts';

// Polled, since a wait in the kernel could not be given up. Short and uneven, so that many waiters do not march in step.
const pollMs = { least: 5, most: 25 };
/** After so long a waiter wants to know what it waits for. */
const noticeMs = 3000;

/** Windows lets nobody read what is locked, so there it is a byte far behind the text. Elsewhere it is the whole file. */
const windowsRange = [2 ** 30, 1] as const;

export interface NotedLock extends Lock {
  /** Whoever waits for a lock of this process learns that it shows a prompt, or no longer does. */
  notePrompt(isShown: boolean): void;
}

export function createLock(
  platform: NodeJS.Platform = process.platform,
  clock: Pick<Clock, 'limit' | 'after' | 'sleep'> = createClock(),
): NotedLock {
  const range = platform === 'win32' ? windowsRange : [];
  const held = new Set<number>();
  let isPrompting = false;

  const tryOnce = async (path: string): Promise<HeldLock | undefined> => {
    const { tryLock, unlock } = await import('fs-native-extensions');
    const file = await disk.open(path, 'a+', 0o600);
    try {
      if (tryLock(file.fd, ...range) && (await isStill(path, (await file.stat()).ino))) {
        note(file.fd, process.pid, isPrompting);
        held.add(file.fd);
        let ended: Promise<void> | undefined;
        return {
          descriptor: platform === 'win32' ? undefined : file.fd,
          release() {
            ended ??= (async () => {
              held.delete(file.fd);
              note(file.fd, undefined, false);
              unlock(file.fd, ...range);
              await file.close();
            })();
            return ended;
          },
          handOver(to) {
            if (!ended) {
              held.delete(file.fd);
              note(file.fd, to, false);
            }
            ended ??= file.close();
            return ended;
          },
        };
      }
    } catch (error) {
      await file.close();
      throw error;
    }
    await file.close();
    return undefined;
  };

  return {
    async take(path, { timeoutMs, promptTimeoutMs = timeoutMs, onWait }) {
      await makeFolder(dirname(path));
      const limit = clock.limit(timeoutMs);
      const promptLimit = clock.limit(promptTimeoutMs);
      const cancelNotice = onWait && clock.after(noticeMs, async () => onWait(await holder(path)));
      try {
        for (;;) {
          const lock = await tryOnce(path);
          if (lock) return lock;
          if (limit.leftMs() === 0) {
            const waitsForPrompt = promptLimit.leftMs() > 0 && (await holder(path))?.isPrompting;
            if (!waitsForPrompt) return undefined;
          }
          await clock.sleep(pollMs.least + Math.random() * (pollMs.most - pollMs.least));
        }
      } finally {
        limit.cancel();
        promptLimit.cancel();
        cancelNotice?.();
      }
    },
    adopt(descriptor) {
      note(descriptor, process.pid, isPrompting);
      held.add(descriptor);
      let ended: Promise<void> | undefined;
      const end = (to: number | undefined) => {
        if (!ended) {
          held.delete(descriptor);
          note(descriptor, to, false);
        }
        // The kernel lets go of the lock with the last descriptor of the file.
        ended ??= new Promise((resolve) => close(descriptor, () => resolve()));
        return ended;
      };
      return { descriptor, release: () => end(undefined), handOver: end };
    },
    holder,
    notePrompt(isShown) {
      isPrompting = isShown;
      for (const descriptor of held) note(descriptor, process.pid, isShown);
    },
  };
}

/** By this thread: it is two calls of a microsecond. That it fails (a full disk) is no reason not to hold the lock. */
function note(descriptor: number, pid: number | undefined, isPrompting: boolean): void {
  try {
    ftruncateSync(descriptor);
    if (pid !== undefined) writeSync(descriptor, `${pid}${isPrompting ? ' prompting' : ''}\n`);
  } catch {
    // Whoever waits is not told who holds it.
  }
}

/** Anybody may have written anything there, so nothing but a number is taken from it. */
const noted = /^([1-9]\d{0,9})( prompting)?\n$/;
const mostBytes = 32;

async function holder(path: string): Promise<LockHolder | undefined> {
  try {
    // Not blocking: what was put in its place may be a pipe that nobody writes to.
    const file = await disk.open(path, flags.O_RDONLY | (flags.O_NONBLOCK ?? 0));
    try {
      const { buffer, bytesRead } = await file.read(Buffer.alloc(mostBytes), 0, mostBytes, 0);
      const [, pid, prompting] = noted.exec(buffer.toString('latin1', 0, bytesRead)) ?? [];
      return pid === undefined ? undefined : { pid: Number(pid), isPrompting: prompting !== undefined };
    } finally {
      await file.close();
    }
  } catch {
    return undefined;
  }
}

/** Somebody may have deleted the file by hand; a lock on what no other process can open protects nothing. */
async function isStill(path: string, ino: number): Promise<boolean> {
  try {
    return (await disk.stat(path)).ino === ino;
  } catch {
    return false;
  }
}
