// Appends a line to a log that several processes write. Synchronous: the system copies a line within microseconds, and each call
// through the thread pool would cost a short command a tenth of a millisecond.

import { constants } from 'node:fs';
import type { PlatformPath } from 'node:path';
import { withPath } from './file-error.ts';
import type { FileSystem } from './file-system.ts';
import type { Files } from './world.ts';

/** Opening a FIFO must not wait for a reader. Windows has no such flag. */
const { O_WRONLY, O_APPEND, O_CREAT, O_NONBLOCK = 0 } = constants;

/** Throws the system's own error. The folder must exist. */
export function appendLine(
  system: FileSystem,
  paths: PlatformPath,
  ...[folder, name, line]: Parameters<Files['appendLine']>
): boolean {
  const path = paths.join(folder, typeof name === 'string' ? name : name(system.readdirSync(folder)));
  const descriptor = system.openSync(path, O_WRONLY | O_APPEND | O_CREAT | O_NONBLOCK, 0o600);
  try {
    const stats = system.fstatSync(descriptor, { bigint: true });
    if (!stats.isFile()) throw new Error(`${path} is not a regular file`);
    const isFirst = stats.size === 0n;
    // Start a new line: a crash or a full disk may have cut off the last one.
    const bytes = Buffer.from(isFirst ? `${line}\n` : `\n${line}\n`);
    for (let offset = 0; offset < bytes.length; ) offset += system.writeSync(descriptor, bytes, offset);
    return isFirst;
  } catch (error) {
    throw withPath(error, path);
  } finally {
    system.closeSync(descriptor);
  }
}
