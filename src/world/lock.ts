// Locks between processes, and within one, by the kernel's lock on an open file: it cannot be stolen, and is let go
// when its holder dies, however it dies. Leaves to the caller what the lock protects.

import { close, promises as disk } from 'node:fs';
import { dirname } from 'node:path';
import { makeFolder } from './make-folder.ts';
import type { HeldLock, Lock } from './world.ts';

// Polled, since a wait in the kernel could not be given up. Short and uneven, so that many waiters do not march in step.
const pollMs = { least: 5, most: 25 };

export function createLock(platform: NodeJS.Platform = process.platform): Lock {
  return {
    adopt,
    async take(path, { timeoutMs }) {
      await makeFolder(dirname(path));
      const deadline = performance.now() + timeoutMs;
      for (;;) {
        const held = await tryOnce(path, platform);
        if (held) return held;
        const left = deadline - performance.now();
        if (left <= 0) return undefined;
        const pause = pollMs.least + Math.random() * (pollMs.most - pollMs.least);
        await new Promise((resolve) => setTimeout(resolve, Math.min(pause, left)));
      }
    },
  };
}

async function tryOnce(path: string, platform: NodeJS.Platform): Promise<HeldLock | undefined> {
  const { tryLock, unlock } = await import('fs-native-extensions');
  const file = await disk.open(path, 'a+', 0o600);
  try {
    if (tryLock(file.fd) && (await isStill(path, (await file.stat()).ino))) {
      let ended: Promise<void> | undefined;
      return {
        descriptor: platform === 'win32' ? undefined : file.fd,
        release() {
          ended ??= (async () => {
            unlock(file.fd);
            await file.close();
          })();
          return ended;
        },
        handOver() {
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
}

function adopt(descriptor: number): HeldLock {
  let ended: Promise<void> | undefined;
  const end = () => {
    // The kernel lets go of the lock with the last descriptor of the file.
    ended ??= new Promise((resolve) => close(descriptor, () => resolve()));
    return ended;
  };
  return { descriptor, release: end, handOver: end };
}

/** Somebody may have deleted the file by hand; a lock on what no other process can open protects nothing. */
async function isStill(path: string, ino: number): Promise<boolean> {
  try {
    return (await disk.stat(path)).ino === ino;
  } catch {
    return false;
  }
}
