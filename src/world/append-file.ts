// A file that grows at its end, such as a journal. If a full disk takes only a part of a write, removes that part, so that readers
// never see half a line. Keeps it if another process has appended since.

import { throwWithPath, withPath } from './file-error.ts';
import type { FileSystem } from './file-system.ts';
import type { AppendFile, Files } from './world.ts';

/** Opens or creates the file. Throws the system's own error, with the path. */
export async function openForAppending(
  system: FileSystem,
  path: string,
  { mode, truncate = false }: Parameters<Files['append']>[1],
  platform: NodeJS.Platform,
): Promise<AppendFile> {
  const file = await system.promises.open(path, 'a', mode);
  // Windows cannot truncate a file that is open for appending, so a second handle does.
  let cutter = file;
  const close = async () => {
    await file.close();
    if (cutter !== file) await cutter.close();
  };
  const open = async () => {
    if (platform === 'win32') cutter = await system.promises.open(path, 'r+');
    const stats = await file.stat({ bigint: true });
    const isCut = truncate && stats.isFile();
    if (isCut) await cutter.truncate(0);
    return { dev: stats.dev, ino: stats.ino, size: isCut ? 0 : Number(stats.size) };
  };
  const { dev, ino, size } = await open().catch(async (error: unknown) => {
    await close().catch(() => {});
    throw withPath(error, path);
  });
  let length = size;
  /** The length of a torn write after `length` that could not be removed yet. */
  let torn = 0;
  const cutBack = () => {
    const end = Number(system.fstatSync(file.fd, { bigint: true }).size);
    // Any other length: another process has appended here.
    if (end === length + torn) system.ftruncateSync(cutter.fd, length);
    torn = 0;
  };
  return {
    size,
    write(content) {
      const bytes = typeof content === 'string' ? Buffer.from(content) : content;
      let written = 0;
      // Synchronous: the system only copies the bytes, within a microsecond. The thread pool would take twenty times as long.
      try {
        if (torn > 0) cutBack();
        while (written < bytes.length) written += system.writeSync(file.fd, bytes, written);
        length += written;
      } catch (error) {
        torn += written;
        try {
          if (torn > 0) cutBack();
        } catch {
          // Report the error of the write. The next write retries the truncation.
        }
        throw withPath(error, path);
      }
    },
    truncate(end) {
      try {
        if (system.fstatSync(file.fd, { bigint: true }).size > end) system.ftruncateSync(cutter.fd, end);
        length = end;
        torn = 0;
      } catch (error) {
        throw withPath(error, path);
      }
    },
    async sync() {
      await file.datasync().catch(throwWithPath(path));
    },
    findLoss() {
      try {
        // Synchronous, like `write`: both take a few microseconds.
        const current = system.statSync(path, { bigint: true, throwIfNoEntry: false });
        if (current?.dev !== dev || current.ino !== ino) return { kind: 'moved', bytes: length };
        return current.size < length ? { kind: 'cut', bytes: Number(current.size) } : undefined;
      } catch (error) {
        throw withPath(error, path);
      }
    },
    async close() {
      await close().catch(throwWithPath(path));
    },
  };
}
