// Opens a log that any number of processes append lines to. Synchronous: the system only copies what is written, within
// microseconds, while every call through the thread pool would cost a short command about a tenth of a millisecond.

import { constants } from 'node:fs';
import type { PlatformPath } from 'node:path';
import { withPath } from './file-error.ts';
import type { FileSystem } from './file-system.ts';
import type { LogFile } from './world.ts';

/** Opening a named pipe must not wait for a reader. Windows has no such flag. */
const { O_WRONLY, O_APPEND, O_CREAT, O_NONBLOCK = 0 } = constants;

/** Throws the system's own error. The folder must exist. */
export function openLogFile(
  system: FileSystem,
  folder: string,
  chooseName: (names: readonly string[]) => string,
  { mode, paths }: { readonly mode: number; readonly paths: PlatformPath },
): LogFile {
  const name = chooseName(system.readdirSync(folder));
  const path = paths.join(folder, name);
  const descriptor = system.openSync(path, O_WRONLY | O_APPEND | O_CREAT | O_NONBLOCK, mode);
  const isEmptyFile = (): boolean => {
    try {
      const found = system.fstatSync(descriptor, { bigint: true });
      if (!found.isFile()) throw new Error(`${path} is not a regular file`);
      return found.size === 0n;
    } catch (error) {
      system.closeSync(descriptor);
      throw error;
    }
  };
  const isNew = isEmptyFile();
  let isFirst = isNew;
  return {
    name,
    isNew,
    write(line) {
      // A line that a crash or a full disk cut off must not merge with the next.
      const bytes = Buffer.from(isFirst ? `${line}\n` : `\n${line}\n`);
      isFirst = false;
      try {
        for (let at = 0; at < bytes.length; ) at += system.writeSync(descriptor, bytes, at);
      } catch (error) {
        throw withPath(error, path);
      }
    },
    close: () => system.closeSync(descriptor),
  };
}
