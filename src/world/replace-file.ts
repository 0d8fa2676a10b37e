// Replaces a file completely or not at all: writes a new file next to the old one, then renames it. Can reserve the disk space
// beforehand. docs/decisions/whole-files.md says why we use no library.

import { randomUUID } from 'node:crypto';
import type { PlatformPath } from 'node:path';
import { hasCode, withPath } from './file-error.ts';
import type { FileHandle, FileSystem } from './file-system.ts';
import type { Reservation } from './world.ts';

type Content = string | Uint8Array | AsyncIterable<Uint8Array>;

/** The suffix of a file that will replace another: reserved beforehand, or not. */
const temporarySuffix = /^\.(?:reserved|[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})$/;

/** Leaves the file unchanged if it throws. `path` is not a link. */
export async function replaceFile(
  system: FileSystem,
  path: string,
  content: Content,
  mode: number,
  keepsMode = false,
): Promise<void> {
  const temporary = `${path}.${randomUUID()}`;
  try {
    await writeWhole(await createTemporary(system, temporary, path, mode, keepsMode), content);
    await system.promises.rename(temporary, path);
  } catch (error) {
    // Report why the write failed, not that the cleanup failed.
    await system.promises.unlink(temporary).catch(() => {});
    throw withPath(error, path);
  }
}

/** Reserve a path only once at a time: the fixed name tells a later run what the file was for. */
export async function reserveFile(
  system: FileSystem,
  path: string,
  { mode, bytes }: { readonly mode: number; readonly bytes: number },
): Promise<Reservation> {
  const { promises: disk } = system;
  const temporary = `${path}.reserved`;
  const remove = () => disk.unlink(temporary).catch(() => {});
  const recreate = async () => {
    await remove();
    return createTemporary(system, temporary, path, mode);
  };
  try {
    // Spaces: a JSON file is valid before it is truncated to its length, too.
    await writeWhole(await recreate(), Buffer.alloc(bytes, ' '));
  } catch (error) {
    await remove();
    throw withPath(error, path);
  }
  let isInPlace = false;
  return {
    async write(content) {
      try {
        // Overwrite in place, which needs no more disk space. Create the file again only if it is missing: after any other error
        // the space is still reserved.
        const opened = disk.open(temporary, 'r+').catch((error: unknown) => {
          if (hasCode(error, 'ENOENT')) return recreate();
          throw error;
        });
        await writeWhole(await opened, content);
        await disk.rename(temporary, path);
        isInPlace = true;
      } catch (error) {
        throw withPath(error, path);
      }
    },
    async release() {
      if (!isInPlace) await remove();
    },
  };
}

/** Needs no more disk space, where the disk itself overwrites in place. */
export async function overwriteFile(system: FileSystem, path: string, content: Uint8Array): Promise<void> {
  try {
    await writeWhole(await system.promises.open(path, 'r+'), content);
  } catch (error) {
    throw withPath(error, path);
  }
}

/** Leaves the file at `path` unchanged if it throws. */
export async function moveIntoPlace(system: FileSystem, from: string, path: string): Promise<void> {
  try {
    const file = await system.promises.open(from, 'r+');
    await file.sync().finally(() => file.close());
    await system.promises.rename(from, path);
  } catch (error) {
    throw withPath(error, path);
  }
}

export async function findLeftovers(system: FileSystem, path: string, paths: PlatformPath) {
  const folder = paths.dirname(path);
  const name = paths.basename(path);
  const names = await system.promises.readdir(folder);
  return names
    .filter((candidate) => candidate.startsWith(name) && temporarySuffix.test(candidate.slice(name.length)))
    .map((candidate) => paths.join(folder, candidate));
}

async function createTemporary(
  { promises: disk }: FileSystem,
  temporary: string,
  path: string,
  mode: number,
  keepsMode = false,
): Promise<FileHandle> {
  const file = await disk.open(temporary, 'wx', mode);
  try {
    // A replaced file gets the requested mode despite the umask, and keeps its owner if we may set it.
    const old = await disk.stat(path, { bigint: true }).catch(() => undefined);
    await file.chmod(keepsMode && old ? Number(old.mode) & 0o777 : mode);
    if (old) await file.chown(Number(old.uid), Number(old.gid)).catch(() => {});
    return file;
  } catch (error) {
    await file.close();
    throw error;
  }
}

/** Writes the complete content and syncs it to disk. */
async function writeWhole(file: FileHandle, content: Content): Promise<void> {
  try {
    let length = 0;
    // A filling disk accepts a part of a write and returns its length. Only the next write fails.
    for await (const chunk of chunksOf(content))
      for (let offset = 0; offset < chunk.length; ) {
        const { bytesWritten } = await file.write(chunk, offset, chunk.length - offset, length);
        offset += bytesWritten;
        length += bytesWritten;
      }
    await file.truncate(length);
    await file.sync();
  } finally {
    await file.close();
  }
}

function chunksOf(content: Content): Iterable<Uint8Array> | AsyncIterable<Uint8Array> {
  if (typeof content === 'string') return [Buffer.from(content)];
  return content instanceof Uint8Array ? [content] : content;
}
