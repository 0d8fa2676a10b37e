// Reads and writes files, whole or as they grow, and knows where settings and records are kept. The folders are worked
// out here rather than by the package env-paths, which looks at the process's own environment, once, while it is being
// loaded; so it could neither be given another environment nor be loaded on demand for a property that is read at once.

import fs from 'node:fs';
import { homedir, tmpdir, userInfo } from 'node:os';
import { basename, dirname, isAbsolute, join, parse, resolve, sep } from 'node:path';
import { currentUser, findExposure, type User } from './exposure.ts';
import { makeFolder } from './make-folder.ts';
import type { FileStat, SystemCalls } from './system-calls.ts';
import { patientCalls } from './windows-calls.ts';
import type { Environment, Files } from './world.ts';

export function createFiles(
  environment: Environment,
  platform: NodeJS.Platform,
  currentFolder: string = folderFrom(() => process.cwd()),
  accountHome: () => string = () => folderFrom(() => userInfo().homedir),
  calls: SystemCalls = fs,
  user: User | undefined = currentUser(),
): Files {
  const system = platform === 'win32' ? patientCalls(calls) : calls;
  const chosen = environment['WM_CONFIG_DIR'];
  const configFolder = chosen ? resolve(currentFolder, chosen) : usualFolder(environment, platform);
  // Of the same user there is one keychain, whatever XDG says, and each folder has locks of its own.
  const configFolderIsDefault =
    configFolder === usualFolder({ ...environment, XDG_CONFIG_HOME: undefined }, platform);
  /** A link stays one: what it leads to is replaced. */
  const targetOf = (path: string) => system.promises.realpath(path).catch(() => path);
  const syncFolderOf = async (path: string) => {
    if (platform !== 'win32') await syncFolder(system, dirname(path));
  };
  return {
    configFolder,
    stateFolder: chosen ? join(configFolder, 'state') : usualStateFolder(environment, platform),
    configFolderIsDefault,
    // Worked out only where it is needed: the system looks the user up for it.
    get homeIsAccounts() {
      return configFolderIsDefault && isSameFolder(system, homeFolder(environment, platform), accountHome());
    },
    currentFolder,
    async read(path, options) {
      if (!(await isPlain(system, path, options?.mostBytes))) return undefined;
      return new Promise((found, failed) => {
        system.readFile(path, (error, bytes) => {
          if (!error) found(bytes);
          else if (isMissing(error)) found(undefined);
          else failed(error);
        });
      });
    },
    async write(path, content, { mode }) {
      const { replaceFile } = await import('./replace-file.ts');
      await makeFolder(system, dirname(path));
      const target = await targetOf(path);
      await replaceFile(system, target, content, mode);
      await syncFolderOf(target);
    },
    async reserve(path, options) {
      const { reserveFile } = await import('./replace-file.ts');
      await makeFolder(system, dirname(path));
      const target = await targetOf(path);
      const reservation = await reserveFile(system, target, options);
      await syncFolderOf(target);
      return {
        async write(content) {
          await reservation.write(content);
          await syncFolderOf(target);
        },
        release: () => reservation.release(),
      };
    },
    async place(from, path) {
      const { placeFile } = await import('./replace-file.ts');
      const target = await targetOf(path);
      await placeFile(system, from, target);
      await syncFolderOf(target);
    },
    async leftovers(path) {
      const { leftoversOf } = await import('./replace-file.ts');
      try {
        return await leftoversOf(system, await targetOf(path));
      } catch (error) {
        if (isMissing(error)) return [];
        throw error;
      }
    },
    async stream(path) {
      try {
        const found = await statOf(system, path);
        if (found && !found.isFile() && !found.isDirectory()) {
          const { canWaitForPipes, openPipe } = await import('./pipe-input.ts');
          if (canWaitForPipes(platform)) return openPipe(path, found.isFIFO(), pieceBytes);
        }
        const file = await system.promises.open(path, 'r');
        return file.createReadStream({ highWaterMark: pieceBytes });
      } catch (error) {
        if (isMissing(error)) return undefined;
        throw error;
      }
    },
    async append(path, { mode, anew }) {
      const { openForAppending } = await import('./append-file.ts');
      await makeFolder(system, dirname(path));
      const file = await openForAppending(system, path, { mode, anew: anew === true, platform });
      if (file.size === 0) await syncFolderOf(path);
      return file;
    },
    async isSame(one, other) {
      const [first, second] = await Promise.all([statOf(system, one), statOf(system, other)]);
      if (first && second) return first.dev === second.dev && first.ino === second.ino;
      return !first && !second && resolve(currentFolder, one) === resolve(currentFolder, other);
    },
    async kind(path) {
      const found = await statOf(system, path);
      if (!found) return undefined;
      if (found.isFile()) return 'file';
      if (found.isDirectory()) return 'folder';
      return found.isFIFO() || found.isSocket() ? 'pipe' : 'other';
    },
    async size(path) {
      return Number((await statOf(system, path))?.size ?? 0);
    },
    async names(path) {
      return Number((await statOf(system, path))?.nlink ?? 0);
    },
    realPath: (path) => realPath(system, path),
    async exposure(path, { above }) {
      if (platform === 'win32' || user === undefined) return undefined;
      return findExposure(resolve(currentFolder, path), user, above);
    },
    async list(folder) {
      try {
        return await system.promises.readdir(folder);
      } catch (error) {
        if (isMissing(error)) return [];
        throw error;
      }
    },
    async remove(path) {
      try {
        await system.promises.unlink(path);
        return true;
      } catch (error) {
        if (isMissing(error)) return false;
        throw error;
      }
    },
    openScratch: async () => (await import('./scratch-file.ts')).openScratch(platform),
    makeTemporaryFolder: (prefix) => system.promises.mkdtemp(join(tmpdir(), prefix)),
    removeFolder: (path) => system.promises.rm(path, { recursive: true, force: true, maxRetries: 3 }),
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
function isSameFolder(system: SystemCalls, one: string, other: string): boolean {
  const real = (path: string) => {
    try {
      return system.realpathSync(path);
    } catch {
      return resolve(path);
    }
  };
  return real(one) === real(other);
}

function isPlain(system: SystemCalls, path: string, mostBytes = Number.POSITIVE_INFINITY): Promise<boolean> {
  return new Promise((answer, failed) => {
    system.stat(path, { bigint: true }, (error, found) => {
      if (error) return isMissing(error) ? answer(false) : failed(error);
      if (found.isFile() && found.size <= mostBytes) return answer(true);
      const upTo = mostBytes === Number.POSITIVE_INFINITY ? '' : ` of up to ${mostBytes} bytes`;
      failed(new Error(`it is not a file${upTo}`));
    });
  });
}

/** Of what is at the end of the links; nothing where nothing is. */
async function statOf(system: SystemCalls, path: string): Promise<FileStat | undefined> {
  try {
    return await system.promises.stat(path, { bigint: true });
  } catch (error) {
    if (isMissing(error)) return undefined;
    throw error;
  }
}

async function realPath(system: SystemCalls, path: string): Promise<string> {
  try {
    return await system.promises.realpath(path);
  } catch (error) {
    if (!isMissing(error) || dirname(path) === path) throw error;
  }
  const folder = await realPath(system, dirname(path));
  // There may be a link all the same, which leads to nothing yet. One that leads in a circle has thrown already.
  const target = await system.promises.readlink(path).catch(() => undefined);
  if (target === undefined) return join(folder, basename(path));
  return realPath(system, isAbsolute(target) ? target : `${folder}${sep}${target}`);
}

/** Where the system cannot tell (the folder was deleted, the user is in no list), a place where nothing is. */
function folderFrom(system: () => string): string {
  try {
    return system();
  } catch {
    return join(parse(process.execPath).root, 'nonexistent');
  }
}

/**
 * The new name of a file is on the disk only when its folder is. Where the folder cannot be synced, the file is in its
 * place all the same, for every process: an error would say that it is not.
 */
async function syncFolder(system: SystemCalls, path: string): Promise<void> {
  const folder = await system.promises.open(path, 'r').catch(() => undefined);
  await folder?.sync().catch(() => {});
  await folder?.close().catch(() => {});
}

function isMissing(error: unknown): boolean {
  return error instanceof Error && 'code' in error && (error.code === 'ENOENT' || error.code === 'ENOTDIR');
}
