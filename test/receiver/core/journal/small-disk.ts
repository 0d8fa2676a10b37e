// The real disk, where the files of one folder together get only so many bytes.

import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { createFaultySystem } from '#test/support/disk/faulty-system.ts';
import type { FileSystem } from '#world/file-system.ts';

export function createSmallDisk(folder: string, bytes: number): FileSystem {
  const { system } = createFaultySystem();
  const used = () => {
    let sum = 0;
    for (const name of readdirSync(folder, { recursive: true, encoding: 'utf8' }))
      sum += statSync(join(folder, name), { throwIfNoEntry: false })?.size ?? 0;
    return sum;
  };
  const free = () => bytes - used();
  const take = (length: number) => {
    if (length > free())
      throw Object.assign(new Error('ENOSPC: no space left on device, write'), {
        code: 'ENOSPC',
        syscall: 'write',
      });
  };
  return {
    ...system,
    promises: {
      ...system.promises,
      statfs: async () => ({ bavail: free(), bsize: 1 }),
      async open(path, flags, mode) {
        const file = await system.promises.open(path, flags, mode);
        return {
          ...file,
          async write(from, offset, length, position) {
            take(length);
            return file.write(from, offset, length, position);
          },
        };
      },
    },
    writeSync(descriptor, from, offset, length = from.length - offset, position) {
      take(length);
      return system.writeSync(descriptor, from, offset, length, position);
    },
  };
}
