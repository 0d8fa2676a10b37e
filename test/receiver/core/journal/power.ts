// A journal on a disk in memory whose power can be cut before any change: then nothing more happens, and what was not synced is
// there, gone, or there in part.

import { type JournalOptions, openJournal } from '#receiver/core/journal/open-journal.ts';
import { createTestClock, type TestClock } from '#test/support/clock.ts';
import { type MemoryDisk, userOf } from '#test/support/disk/memory-disk.ts';
import { createFiles } from '#world/files.ts';
import { randomBytes } from '#world/random.ts';
import type { Lock } from '#world/world.ts';

export const folder = '/state/deliveries';

/** The files in memory have no locks. */
const freeLock: Lock = {
  acquire: async () => ({
    id: '',
    isInPlace: async () => true,
    release: async () => {},
    descriptor: undefined,
    handOverTo: async () => {},
  }),
  holder: async () => undefined,
  isHeld: async () => false,
  adopt() {
    throw new Error('there is nothing to adopt');
  },
};

export interface PoweredRun {
  readonly clock: TestClock;
  readonly steps: readonly string[];
  isOff(): boolean;
  /** Resolves when the power fails. */
  readonly failed: Promise<void>;
  open(options: Partial<JournalOptions>): ReturnType<typeof openJournal>;
}

/** `last`: how many changes happen before the power fails. */
export function startRun(disk: MemoryDisk, last = Number.POSITIVE_INFINITY): PoweredRun {
  const steps: string[] = [];
  let fail = () => {};
  const failed = new Promise<void>((resolve) => {
    fail = resolve;
  });
  const isOff = () => steps.length >= last;
  const take = (name: string): boolean => {
    if (isOff()) return false;
    steps.push(name);
    if (isOff()) fail();
    return true;
  };
  const system = disk.systemOf(
    userOf(
      (name) => (take(name) ? Promise.resolve() : new Promise(() => {})),
      (name) => {
        if (!take(name)) throw new Error('the power is off');
      },
    ),
  );
  const clock = createTestClock();
  const files = createFiles({ WM_CONFIG_DIR: '/config' }, 'linux', '/', () => '/', system);
  return {
    clock,
    steps,
    isOff,
    failed,
    open: (options) => openJournal({ files, clock, lock: freeLock, randomBytes }, folder, options),
  };
}
