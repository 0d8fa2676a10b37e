// Replaces a file whole or not at all: a new file beside the old one takes its place. The room for it can be taken
// beforehand. docs/decisions/whole-files.md says why this is our own code.

import { randomUUID } from 'node:crypto';
import type { PlatformPath } from 'node:path';
import type { FileHandle, FileSystem } from './file-system.ts';
import type { Reservation } from './world.ts';

type Content = string | Uint8Array;

/** The name of a file on its way: of one whose room was reserved, or of any other. */
const temporarySuffix = /^\.(?:reserved|[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})$/;

/** Throws where the file is as it was. `path` is no link. */
export async function replaceFile(
  system: FileSystem,
  path: string,
  content: Content,
  mode: number,
): Promise<void> {
  const beside = `${path}.${randomUUID()}`;
  try {
    await writeWhole(await createTemporary(system, beside, path, mode), toBytes(content));
    await system.promises.rename(beside, path);
  } catch (error) {
    // What matters is why it failed, not that it could not be tidied up.
    await system.promises.unlink(beside).catch(() => {});
    throw withPath(error, path);
  }
}

/** One at a time for each path: its name does not change, so that whoever finds it later knows what it was for. */
export async function reserveFile(
  system: FileSystem,
  path: string,
  { mode, bytes }: { readonly mode: number; readonly bytes: number },
): Promise<Reservation> {
  const { promises: disk } = system;
  const beside = `${path}.reserved`;
  const remove = () => disk.unlink(beside).catch(() => {});
  const openAnew = async () => {
    await remove();
    return createTemporary(system, beside, path, mode);
  };
  try {
    // Spaces: a file of JSON is whole even where it was written and not yet cut to its length.
    await writeWhole(await openAnew(), Buffer.alloc(bytes, ' '));
  } catch (error) {
    await remove();
    throw withPath(error, path);
  }
  let isInPlace = false;
  return {
    async write(content) {
      try {
        // Written over in place: that takes no more room.
        // Created again only if somebody has removed it: other errors are reported, and the room stays reserved.
        const opened = disk.open(beside, 'r+').catch((error: unknown) => {
          if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return openAnew();
          throw error;
        });
        await writeWhole(await opened, toBytes(content));
        await disk.rename(beside, path);
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

/** Throws where the file at `path` is as it was. */
export async function moveIntoPlace(system: FileSystem, from: string, path: string): Promise<void> {
  try {
    const file = await system.promises.open(from, 'r+');
    await file.sync().finally(() => file.close());
    await system.promises.rename(from, path);
  } catch (error) {
    throw withPath(error, path);
  }
}

/** The paths of all that was on its way to `path`. */
export async function findLeftovers(
  system: FileSystem,
  path: string,
  { basename, dirname, join }: PlatformPath,
): Promise<readonly string[]> {
  const folder = dirname(path);
  const name = basename(path);
  const names = await system.promises.readdir(folder);
  return names
    .filter((one) => one.startsWith(name) && temporarySuffix.test(one.slice(name.length)))
    .map((one) => join(folder, one));
}

async function createTemporary(
  { promises: disk }: FileSystem,
  beside: string,
  path: string,
  mode: number,
): Promise<FileHandle> {
  const file = await disk.open(beside, 'wx', mode);
  try {
    // Over an older file the mode is as asked too, whatever the umask, and so is whose file it was, where that may be.
    await file.chmod(mode);
    const old = await disk.stat(path, { bigint: true }).catch(() => undefined);
    if (old) await file.chown(Number(old.uid), Number(old.gid)).catch(() => {});
    return file;
  } catch (error) {
    await file.close();
    throw error;
  }
}

/** Makes it the whole content, on the disk. */
async function writeWhole(file: FileHandle, content: Uint8Array): Promise<void> {
  try {
    // A disk that fills up takes a part and says so by a number, not by an error; the error comes with the rest.
    for (let at = 0; at < content.length; )
      at += (await file.write(content, at, content.length - at, at)).bytesWritten;
    await file.truncate(content.length);
    await file.sync();
  } finally {
    await file.close();
  }
}

function toBytes(content: Content): Uint8Array {
  return typeof content === 'string' ? Buffer.from(content) : content;
}

/** An open file does not know its name, and who is told of the trouble wants it. */
export function withPath(error: unknown, path: string): unknown {
  return error instanceof Error ? Object.assign(error, { path }) : error;
}
