// A file that grows at its end, for records of what was done. Where the disk takes a part of what is written, that part is
// taken back, so that whoever reads the file finds no half of a line.

import { named } from './replace-file.ts';
import type { SystemCalls } from './system-calls.ts';
import type { Appending } from './world.ts';

/** Throws the system's own error. `anew`: what was in it is gone. */
export async function openForAppending(
  system: SystemCalls,
  path: string,
  { mode, anew }: { readonly mode: number; readonly anew: boolean },
): Promise<Appending> {
  const file = await system.promises.open(path, 'a', mode);
  const openedSize = async () => {
    const found = await file.stat({ bigint: true });
    if (!anew || !found.isFile()) return Number(found.size);
    await file.truncate(0);
    return 0;
  };
  const size = await openedSize().catch(async (error: unknown) => {
    await file.close().catch(() => {});
    throw named(error, path);
  });
  let length = size;
  /** A part that could not be taken back stands behind `length`. */
  let isTorn = false;
  const cutBack = () => {
    system.ftruncateSync(file.fd, length);
    isTorn = false;
  };
  return {
    size,
    write(content) {
      const bytes = typeof content === 'string' ? Buffer.from(content) : content;
      let at = 0;
      // By this thread: the system only copies it, in a microsecond; another thread would take twenty times as long.
      try {
        if (isTorn) cutBack();
        while (at < bytes.length) at += system.writeSync(file.fd, bytes, at);
        length += at;
      } catch (error) {
        isTorn ||= at > 0;
        try {
          if (isTorn) cutBack();
        } catch {
          // Why the write failed says more; the next one tries again.
        }
        throw named(error, path);
      }
    },
    async sync() {
      await file.datasync().catch((error: unknown) => {
        throw named(error, path);
      });
    },
    async close() {
      await file.close().catch((error: unknown) => {
        throw named(error, path);
      });
    },
  };
}
