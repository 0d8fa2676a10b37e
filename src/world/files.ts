// Reads and writes files, whole or as they grow, and knows where settings and records are kept. The folders are worked
// out here rather than by the package env-paths, which looks at the process's own environment, once, while it is being
// loaded; so it could neither be given another environment nor be loaded on demand for a property that is read at once.

// `promises` is loaded when it is first touched, and most commands touch nothing but one small file.
import {
  type BigIntStats,
  promises as disk,
  ftruncateSync,
  readFile,
  realpathSync,
  stat,
  writeSync,
} from 'node:fs';
import { homedir, tmpdir, userInfo } from 'node:os';
import { basename, dirname, isAbsolute, join, parse, resolve, sep } from 'node:path';
import { makeFolder } from './make-folder.ts';
import type { Environment, Files } from './world.ts';

export function createFiles(
  environment: Environment,
  platform: NodeJS.Platform,
  currentFolder: string = folderFrom(() => process.cwd()),
  accountHome: () => string = () => folderFrom(() => userInfo().homedir),
): Files {
  const chosen = environment['WM_CONFIG_DIR'];
  const configFolder = chosen ? resolve(currentFolder, chosen) : usualFolder(environment, platform);
  // Of the same user there is one keychain, whatever XDG says, and each folder has locks of its own.
  const configFolderIsDefault =
    configFolder === usualFolder({ ...environment, XDG_CONFIG_HOME: undefined }, platform);
  return {
    configFolder,
    stateFolder: chosen ? join(configFolder, 'state') : usualStateFolder(environment, platform),
    configFolderIsDefault,
    // Worked out only where it is needed: the system looks the user up for it.
    get homeIsAccounts() {
      return configFolderIsDefault && isSameFolder(homeFolder(environment, platform), accountHome());
    },
    currentFolder,
    async read(path, options) {
      if (options && !(await isPlain(path, options.mostBytes))) return undefined;
      return new Promise((found, failed) => {
        readFile(path, (error, bytes) => {
          if (!error) found(bytes);
          else if (isMissing(error)) found(undefined);
          else failed(error);
        });
      });
    },
    async write(path, content, { mode }) {
      await makeFolder(dirname(path));
      // A link stays one: what it leads to is replaced.
      const target = await disk.realpath(path).catch(() => path);
      await replace(target, content, mode);
      if (platform !== 'win32') await syncFolder(dirname(target));
    },
    async stream(path) {
      try {
        const file = await disk.open(path, 'r');
        return file.createReadStream({ highWaterMark: pieceBytes });
      } catch (error) {
        if (isMissing(error)) return undefined;
        throw error;
      }
    },
    async append(path, { mode, anew }) {
      const folder = dirname(path);
      await makeFolder(folder);
      const file = await disk.open(path, 'a', mode);
      if (anew && (await file.stat()).isFile()) await file.truncate();
      const { size } = await file.stat();
      if (size === 0 && platform !== 'win32') await syncFolder(folder);
      let length = size;
      return {
        size,
        write(content) {
          const bytes = typeof content === 'string' ? Buffer.from(content) : content;
          let at = 0;
          // By this thread: the system only copies it, in a microsecond; another thread would take twenty times as long.
          try {
            while (at < bytes.length) at += writeSync(file.fd, bytes, at);
            length += at;
          } catch (error) {
            if (at > 0) cutBack(file.fd, length);
            throw named(error, path);
          }
        },
        async sync() {
          await file.datasync().catch((error: unknown) => {
            throw named(error, path);
          });
        },
        close: () => file.close(),
      };
    },
    async isSame(one, other) {
      const [first, second] = await Promise.all([statOf(one), statOf(other)]);
      if (first && second) return first.dev === second.dev && first.ino === second.ino;
      return !first && !second && resolve(currentFolder, one) === resolve(currentFolder, other);
    },
    async kind(path) {
      const found = await statOf(path);
      if (!found) return undefined;
      if (found.isFile()) return 'file';
      if (found.isDirectory()) return 'folder';
      return found.isFIFO() || found.isSocket() ? 'pipe' : 'other';
    },
    async size(path) {
      return Number((await statOf(path))?.size ?? 0);
    },
    async names(path) {
      return Number((await statOf(path))?.nlink ?? 0);
    },
    realPath,
    async list(folder) {
      try {
        return await disk.readdir(folder);
      } catch (error) {
        if (isMissing(error)) return [];
        throw error;
      }
    },
    async remove(path) {
      try {
        await disk.unlink(path);
        return true;
      } catch (error) {
        if (isMissing(error)) return false;
        throw error;
      }
    },
    makeTemporaryFolder: (prefix) => disk.mkdtemp(join(tmpdir(), prefix)),
    removeFolder: (path) => disk.rm(path, { recursive: true, force: true, maxRetries: 3 }),
  };
}

/** Larger pieces make a long file no faster to read, only heavier. */
const pieceBytes = 64 * 1024;

function usualFolder(environment: Environment, platform: NodeJS.Platform): string {
  const xdg = environment['XDG_CONFIG_HOME'];
  // The XDG specification says to ignore a relative one.
  if (xdg && isAbsolute(xdg)) return join(xdg, 'wm');
  const home = homeFolder(environment, platform);
  if (platform === 'win32') return join(environment['APPDATA'] || join(home, 'AppData', 'Roaming'), 'wm');
  if (platform === 'darwin') return join(home, 'Library', 'Application Support', 'wm');
  return join(home, '.config', 'wm');
}

function usualStateFolder(environment: Environment, platform: NodeJS.Platform): string {
  const xdg = environment['XDG_STATE_HOME'];
  if (xdg && isAbsolute(xdg)) return join(xdg, 'wm');
  if (platform === 'darwin') return join(usualFolder(environment, platform), 'state');
  const home = homeFolder(environment, platform);
  if (platform === 'win32') return join(environment['LOCALAPPDATA'] || join(home, 'AppData', 'Local'), 'wm');
  return join(home, '.local', 'state', 'wm');
}

function homeFolder(environment: Environment, platform: NodeJS.Platform): string {
  return environment[platform === 'win32' ? 'USERPROFILE' : 'HOME'] || folderFrom(homedir);
}

/** By whatever links they are reached; one that does not exist is the same as itself. */
function isSameFolder(one: string, other: string): boolean {
  const real = (path: string) => {
    try {
      return realpathSync(path);
    } catch {
      return resolve(path);
    }
  };
  return real(one) === real(other);
}

function isPlain(path: string, mostBytes: number): Promise<boolean> {
  return new Promise((answer, failed) => {
    stat(path, (error, found) => {
      if (error) return isMissing(error) ? answer(false) : failed(error);
      if (found.isFile() && found.size <= mostBytes) return answer(true);
      failed(new Error(`it is not a file of up to ${mostBytes} bytes`));
    });
  });
}

/** Of what is at the end of the links; nothing where nothing is. */
async function statOf(path: string): Promise<BigIntStats | undefined> {
  try {
    return await disk.stat(path, { bigint: true });
  } catch (error) {
    if (isMissing(error)) return undefined;
    throw error;
  }
}

async function realPath(path: string): Promise<string> {
  try {
    return await disk.realpath(path);
  } catch (error) {
    if (!isMissing(error) || dirname(path) === path) throw error;
  }
  const folder = await realPath(dirname(path));
  // There may be a link all the same, which leads to nothing yet. One that leads in a circle has thrown already.
  const target = await disk.readlink(path).catch(() => undefined);
  if (target === undefined) return join(folder, basename(path));
  return realPath(isAbsolute(target) ? target : `${folder}${sep}${target}`);
}

/** Where the system cannot tell (the folder was deleted, the user is in no list), a place where nothing is. */
function folderFrom(system: () => string): string {
  try {
    return system();
  } catch {
    return join(parse(process.execPath).root, 'nonexistent');
  }
}

/** See docs/decisions/whole-files.md. */
async function replace(path: string, content: string | Uint8Array, mode: number): Promise<void> {
  const { randomUUID } = await import('node:crypto');
  const beside = `${path}.${randomUUID()}`;
  const file = await disk.open(beside, 'wx', mode);
  try {
    try {
      // Over an older file the mode is as asked too, whatever the umask, and so is whose file it was, where that may be.
      await file.chmod(mode);
      const old = await disk.stat(path).catch(() => undefined);
      if (old) await file.chown(old.uid, old.gid).catch(() => {});
      await file.writeFile(content);
      await file.sync();
    } finally {
      await file.close();
    }
    await disk.rename(beside, path);
  } catch (error) {
    // What matters is why it failed, not that it could not be tidied up.
    await disk.unlink(beside).catch(() => {});
    throw named(error, path);
  }
}

/** A full disk takes a part of what is written. Where that cannot be taken back, its reader finds half a line. */
function cutBack(descriptor: number, length: number): void {
  try {
    ftruncateSync(descriptor, length);
  } catch {
    // Why the write failed says more.
  }
}

/** An open file does not know its name, and who is told of the trouble wants it. */
function named(error: unknown, path: string): unknown {
  return error instanceof Error ? Object.assign(error, { path }) : error;
}

/** The new name of a file is on the disk only when its folder is. */
async function syncFolder(path: string): Promise<void> {
  const folder = await disk.open(path, 'r');
  try {
    await folder.sync();
  } finally {
    await folder.close();
  }
}

function isMissing(error: unknown): boolean {
  return error instanceof Error && 'code' in error && (error.code === 'ENOENT' || error.code === 'ENOTDIR');
}
