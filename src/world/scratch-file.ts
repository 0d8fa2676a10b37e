// A file without a name, for this process only. However the process ends, even by `kill -9`, the system frees the space.

import { randomUUID } from 'node:crypto';
import { constants, promises as disk, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { withPath } from './file-error.ts';
import type { ScratchFile } from './world.ts';

/** Windows cannot unlink an open file, but deletes a file opened with this flag on close: libuv's UV_FS_O_TEMPORARY. */
const deleteOnClose = 0x40;
const chunkBytes = 64 * 1024;

/** Throws the system's error. */
export async function openScratchFile(platform: NodeJS.Platform): Promise<ScratchFile> {
  const path = join(tmpdir(), `wm-${randomUUID()}`);
  const onWindows = platform === 'win32';
  // Exclusive: never follows a link, and never writes to another user's file.
  const flags = constants.O_RDWR | constants.O_CREAT | constants.O_EXCL;
  const file = await disk.open(path, onWindows ? flags | deleteOnClose : flags, 0o600);
  const removeName = () => disk.rm(path, { force: true });
  if (!onWindows) await removeName();
  let length = 0;
  let closed: Promise<void> | undefined;
  return {
    write(bytes) {
      try {
        for (let offset = 0; offset < bytes.length; ) {
          const written = writeSync(file.fd, bytes, offset, bytes.length - offset, length);
          offset += written;
          length += written;
        }
      } catch (error) {
        throw withPath(error, path);
      }
    },
    async *stream() {
      for (let position = 0; position < length; ) {
        const { bytesRead, buffer } = await file.read(new Uint8Array(chunkBytes), 0, chunkBytes, position);
        if (bytesRead === 0) return;
        position += bytesRead;
        yield buffer.subarray(0, bytesRead);
      }
    },
    close() {
      closed ??= file.close().then(onWindows ? removeName : undefined);
      return closed;
    },
  };
}
