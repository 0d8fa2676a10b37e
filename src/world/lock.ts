// Locks between processes, and within one, with the kernel's lock on an open file. No other process can take it, and the kernel
// releases it when the holder dies. The holder writes its pid into the file for the waiting processes.

import { constants } from 'node:fs';
import { createClock } from './clock.ts';
import { hasCode } from './file-error.ts';
import type { FileHandle, FileStats, FileSystem } from './file-system.ts';
import { makeFolder } from './make-folder.ts';
import { pathRules } from './standard-folders.ts';
import { retryBusyFiles } from './windows-file-retry.ts';
import type { Clock, HeldLock, Lock, Random } from './world.ts';

// Polled, because a wait in the kernel cannot be cancelled. Random, so that many waiters do not poll in step.
const pollMs = { min: 5, max: 25 };
/** How often the last attempt is repeated: another process may hold the lock for a moment, to see whether it is free. */
const extraAttempts = 10;
/** A user who waits this long wants to know the reason. */
const noticeMs = 3000;
/** Windows does not let other processes read a locked range, so lock one byte far behind the text; elsewhere, the whole file. */
const windowsLockRange: LockRange = [2 ** 30, 1];
const wholeFile: LockRange = [0, 0];

type LockRange = readonly [offset: number, length: number];

/** How the kernel locks an open file: the package fs-native-extensions, or a test's own. */
export interface KernelLock {
  /** Returns false if another open file holds the lock. A `length` of 0 is the rest of the file. */
  tryLock(
    descriptor: number,
    offset: number,
    length: number,
    options?: { readonly shared: boolean },
  ): boolean;
  unlock(descriptor: number, offset: number, length: number): void;
}

export interface RealLock extends Lock {
  /** Tells processes that wait for a lock of this process whether it is showing a prompt. */
  setPrompting(isShown: boolean): void;
}

export function createLock(
  platform: NodeJS.Platform = process.platform,
  clock: Pick<Clock, 'limit' | 'after' | 'sleep'> = createClock(),
  calls: FileSystem = process.getBuiltinModule('node:fs'),
  random: Random = () => Math.random(),
  pid: number = process.pid,
  loadKernelLock: () => Promise<KernelLock> = () => import('fs-native-extensions'),
): RealLock {
  const system = platform === 'win32' ? retryBusyFiles(calls) : calls;
  const range: LockRange = platform === 'win32' ? windowsLockRange : wholeFile;
  const paths = pathRules(platform);
  const held = new Set<number>();
  let isPrompting = false;
  const holder = (path: string) => readHolder(calls, path, platform);
  const isLocked = async (path: string) => isLockedAt(calls, path, range, await loadKernelLock());

  const hold = (
    path: string,
    descriptor: number,
    id: string,
    close: () => Promise<void>,
    release = close,
  ): HeldLock => {
    writeHolder(system, descriptor, pid, isPrompting);
    held.add(descriptor);
    let ended: Promise<void> | undefined;
    const end = (nextHolder: number | undefined, letGo: () => Promise<void>) => {
      if (ended) return ended;
      held.delete(descriptor);
      writeHolder(system, descriptor, nextHolder);
      ended = letGo();
      return ended;
    };
    return {
      id,
      isInPlace: () => isFileAt(system, path, id),
      descriptor: platform === 'win32' ? undefined : descriptor,
      release: () => end(undefined, release),
      handOverTo: (heir) => end(heir, close),
    };
  };

  const tryAcquire = async (path: string): Promise<HeldLock | undefined> => {
    const { tryLock, unlock } = await loadKernelLock();
    const file = await openLock(system, path, platform);
    if (!file) return undefined;
    try {
      const id = idOf(system.fstatSync(file.fd, { bigint: true }));
      if (tryLock(file.fd, ...range) && (await isFileAt(system, path, id))) {
        // Ignore an error of close: the descriptor is gone, and nothing was written.
        const close = () => file.close().catch(() => {});
        return hold(path, file.fd, id, close, async () => {
          unlock(file.fd, ...range);
          await close();
        });
      }
    } catch (error) {
      await file.close();
      throw error;
    }
    await file.close();
    return undefined;
  };

  return {
    async acquire(path, { timeoutMs, promptTimeoutMs = timeoutMs, onWait }) {
      await makeFolder(system, paths.dirname(path), paths);
      // Usually the lock is free.
      const lock = await tryAcquire(path);
      if (lock) return lock;
      const limit = clock.limit(timeoutMs);
      const promptLimit = clock.limit(promptTimeoutMs);
      const cancelNotice = onWait && clock.after(noticeMs, async () => onWait(await holder(path)));
      try {
        for (let lateAttempts = 0; ; ) {
          if (limit.remainingMs() === 0 && (lateAttempts++ === extraAttempts || (await isLocked(path)))) {
            const waitsForPrompt = promptLimit.remainingMs() > 0 && (await holder(path))?.isPrompting;
            if (!waitsForPrompt) return undefined;
          }
          await clock.sleep(pollMs.min + random() * (pollMs.max - pollMs.min));
          const freed = await tryAcquire(path);
          if (freed) return freed;
        }
      } finally {
        limit.cancel();
        promptLimit.cancel();
        cancelNotice?.();
      }
    },
    async adopt(descriptor, path) {
      const id = idOf(system.fstatSync(descriptor, { bigint: true }));
      const close = () => new Promise<void>((resolve) => system.close(descriptor, () => resolve()));
      return hold(path, descriptor, id, close, async () => {
        // The kernel releases the lock with its last descriptor, and the process that passed it on may be stopped with its own.
        await loadKernelLock().then(
          ({ unlock }) => unlock(descriptor, ...range),
          () => {},
        );
        await close();
      });
    },
    holder,
    isHeld: isLocked,
    setPrompting(isShown) {
      isPrompting = isShown;
      for (const descriptor of held) writeHolder(system, descriptor, pid, isShown);
    },
  };
}

/** Opens or creates the file. Returns `undefined` if another process has just deleted it. */
async function openLock({ promises: disk }: FileSystem, path: string, platform: NodeJS.Platform) {
  const file = await disk.open(path, 'a+', 0o600);
  if (platform !== 'win32') return file;
  // Reopen: Windows cannot truncate a file that is open for appending, and the pid has to be replaced.
  await file.close();
  return disk.open(path, 'r+').catch(undefinedIfMissing);
}

function undefinedIfMissing(error: unknown): undefined {
  if (!hasCode(error, 'ENOENT')) throw error;
}

/** Synchronous: two calls of a microsecond. If they fail (a full disk), the lock is still held. */
function writeHolder(system: FileSystem, descriptor: number, pid: number | undefined, isPrompting?: boolean) {
  try {
    system.ftruncateSync(descriptor, 0);
    if (pid === undefined) return;
    const bytes = Buffer.from(`${pid}${isPrompting ? ' prompting' : ''}\n`);
    system.writeSync(descriptor, bytes, 0, bytes.length, 0);
  } catch {
    // Waiting processes will not learn who holds the lock.
  }
}

/** The file may contain anything, so read only a number from it. */
const holderPattern = /^([1-9]\d{0,9})( prompting)?\n$/;
const maxHolderBytes = 32;

async function readHolder(calls: FileSystem, path: string, platform: NodeJS.Platform) {
  try {
    const file = await openToRead(calls, path);
    if (!file) return undefined;
    try {
      const buffer = Buffer.alloc(maxHolderBytes);
      const { bytesRead } = await file.read(buffer, 0, maxHolderBytes, 0);
      const [, pid, prompting] = holderPattern.exec(buffer.toString('latin1', 0, bytesRead)) ?? [];
      if (pid === undefined) return undefined;
      const continueCommand = platform === 'win32' ? undefined : `kill -CONT ${pid}`;
      return { pid: Number(pid), isPrompting: prompting !== undefined, continueCommand };
    } finally {
      await file.close();
    }
  } catch {
    return undefined;
  }
}

async function isLockedAt(calls: FileSystem, path: string, range: LockRange, kernel: KernelLock) {
  const file = await openToRead(calls, path);
  if (!file) return false;
  try {
    // Shared, because the file is open only for reading.
    if (!kernel.tryLock(file.fd, ...range, { shared: true })) return true;
    kernel.unlock(file.fd, ...range);
    return false;
  } finally {
    await file.close();
  }
}

/** Non-blocking: the path may be a FIFO without a writer. */
function openToRead({ promises: disk }: FileSystem, path: string): Promise<FileHandle | undefined> {
  return disk.open(path, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0)).catch(undefinedIfMissing);
}

/** While a process has the file open, no other file has this id. */
function idOf({ dev, ino }: FileStats): string {
  return `${dev}:${ino}`;
}

// False for a deleted file: a lock that no other process finds protects nothing. Throws if the system cannot tell. Synchronous: the
// receiver asks a thousand times a second.
async function isFileAt(system: FileSystem, path: string, id: string): Promise<boolean> {
  const stats = system.statSync(path, { bigint: true, throwIfNoEntry: false });
  return stats !== undefined && idOf(stats) === id;
}
