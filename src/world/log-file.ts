// Opens a log that several processes append lines to. Synchronous: the system copies a line within microseconds, and each call
// through the thread pool would cost a short command a tenth of a millisecond.

import { constants } from 'node:fs';
import type { PlatformPath } from 'node:path';
import { withPath } from './file-error.ts';
import type { FileSystem } from './file-system.ts';
import type { Files, LogFile } from './world.ts';

/** Opening a FIFO must not wait for a reader. Windows has no such flag. */
const { O_WRONLY, O_APPEND, O_CREAT, O_NONBLOCK = 0 } = constants;

/** Throws the system's own error. The folder must exist. */
export function openLogFile(
  system: FileSystem,
  folder: string,
  chosenName: Parameters<Files['openLog']>[1],
  paths: PlatformPath,
): LogFile {
  const name = typeof chosenName === 'string' ? chosenName : chosenName(system.readdirSync(folder));
  const path = paths.join(folder, name);
  const descriptor = system.openSync(path, O_WRONLY | O_APPEND | O_CREAT | O_NONBLOCK, 0o600);
  let isFirst: boolean;
  try {
    const stats = system.fstatSync(descriptor, { bigint: true });
    if (!stats.isFile()) throw new Error(`${path} is not a regular file`);
    isFirst = stats.size === 0n;
  } catch (error) {
    system.closeSync(descriptor);
    throw error;
  }
  return {
    isNew: isFirst,
    write(line) {
      // Start a new line: a crash or a full disk may have cut off the last one.
      const bytes = Buffer.from(isFirst ? `${line}\n` : `\n${line}\n`);
      isFirst = false;
      try {
        for (let offset = 0; offset < bytes.length; ) offset += system.writeSync(descriptor, bytes, offset);
      } catch (error) {
        throw withPath(error, path);
      }
    },
    close: () => system.closeSync(descriptor),
  };
}
