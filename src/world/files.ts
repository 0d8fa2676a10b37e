// Reads and writes files, whole or as they grow, and knows the program's folders and which paths lead to the same place.

import fs from 'node:fs';
import { tmpdir, userInfo } from 'node:os';
import { join, type PlatformPath } from 'node:path';
import type { FileStats, FileSystem } from './file-system.ts';
import { makeFolder } from './make-folder.ts';
import {
  defaultConfigFolder,
  defaultStateFolder,
  folderOrNonexistent,
  homeFolder,
  pathRules,
  platformConfigFolder,
} from './standard-folders.ts';
import { currentUser, findUnsafePermissions, type User } from './unsafe-permissions.ts';
import { retryBusyFiles } from './windows-file-retry.ts';
import type { Environment, Files } from './world.ts';

export function createFiles(
  environment: Environment,
  platform: NodeJS.Platform,
  currentFolder: string = folderOrNonexistent(() => process.cwd()),
  accountHome: () => string = () => folderOrNonexistent(() => userInfo().homedir),
  calls: FileSystem = fs,
  user: User | undefined = currentUser(),
): Files {
  const system = platform === 'win32' ? retryBusyFiles(calls) : calls;
  const paths = pathRules(platform);
  const chosen = environment['WM_CONFIG_DIR'];
  const configFolder = chosen
    ? paths.resolve(currentFolder, chosen)
    : defaultConfigFolder(environment, platform);
  const isSameFolder = (one: string, other: string) =>
    one === other || realFolder(system, one, platform) === realFolder(system, other, platform);
  /** A link stays one: what it leads to is replaced. */
  const targetOf = (path: string) => system.promises.realpath(path).catch(() => path);
  const syncFolderOf = async (path: string) => {
    if (platform !== 'win32') await syncFolder(system, paths.dirname(path));
  };
  const leftovers = async (path: string) => {
    const { findLeftovers } = await import('./replace-file.ts');
    try {
      return await findLeftovers(system, await targetOf(path), paths);
    } catch (error) {
      if (isMissing(error)) return [];
      throw error;
    }
  };
  return {
    configFolder,
    stateFolder: chosen ? paths.join(configFolder, 'state') : defaultStateFolder(environment, platform),
    // These are worked out only where they are needed: the disk is looked at, and for the last one the list of users.
    get realConfigFolder() {
      return realFolder(system, configFolder, platform);
    },
    // Of the same user there is one keychain, whatever XDG says, and each folder has locks of its own.
    get isDefaultConfigFolder() {
      return isSameFolder(configFolder, platformConfigFolder(environment, platform));
    },
    get isAccountHome() {
      return this.isDefaultConfigFolder && isSameFolder(homeFolder(environment, platform), accountHome());
    },
    currentFolder,
    async read(path, options) {
      if (!(await isReadableFile(system, path, options?.maxBytes))) return undefined;
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
      await makeFolder(system, paths.dirname(path), paths);
      const target = await targetOf(path);
      await replaceFile(system, target, content, mode);
      await syncFolderOf(target);
    },
    async reserve(path, options) {
      const { reserveFile } = await import('./replace-file.ts');
      await makeFolder(system, paths.dirname(path), paths);
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
    async moveIntoPlace(from, path) {
      const { moveIntoPlace } = await import('./replace-file.ts');
      const target = await targetOf(path);
      await moveIntoPlace(system, from, target);
      await syncFolderOf(target);
    },
    leftovers,
    async removeLeftovers(path) {
      for (const left of await leftovers(path).catch(() => []))
        await system.promises.unlink(left).catch(() => {});
    },
    async stream(path) {
      try {
        const found = await statOf(system, path);
        if (found && !found.isFile() && !found.isDirectory()) {
          const { canWaitForPipes, openPipe } = await import('./pipe-input.ts');
          if (canWaitForPipes(platform)) return openPipe(path, found.isFIFO(), chunkBytes);
        }
        const file = await system.promises.open(path, 'r');
        return file.createReadStream({ highWaterMark: chunkBytes });
      } catch (error) {
        if (isMissing(error)) return undefined;
        throw error;
      }
    },
    async append(path, { mode, truncate }) {
      const { openForAppending } = await import('./append-file.ts');
      await makeFolder(system, paths.dirname(path), paths);
      const file = await openForAppending(system, path, { mode, truncate: truncate === true, platform });
      if (file.size === 0) await syncFolderOf(path);
      return file;
    },
    async isSameFile(one, other) {
      const [first, second] = await Promise.all([statOf(system, one), statOf(system, other)]);
      if (first && second) return first.dev === second.dev && first.ino === second.ino;
      if (first || second) return false;
      const resolved = (path: string) => paths.resolve(currentFolder, path);
      const [place, otherPlace] = await Promise.all([
        resolvePath(system, resolved(one), paths),
        resolvePath(system, resolved(other), paths),
      ]);
      return (
        place.folder === otherPlace.folder &&
        foldCase(place.below, platform) === foldCase(otherPlace.below, platform)
      );
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
    async linkCount(path) {
      return Number((await statOf(system, path))?.nlink ?? 0);
    },
    async realPath(path) {
      const { folder, below } = await resolvePath(system, path, paths);
      return below === '' ? folder : paths.join(folder, below);
    },
    async unsafePermissions(path, { includeParents }) {
      if (platform === 'win32' || user === undefined) return undefined;
      return findUnsafePermissions(paths.resolve(currentFolder, path), user, includeParents);
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
    openScratchFile: async () => (await import('./scratch-file.ts')).openScratchFile(platform),
    makeTemporaryFolder: (prefix) => system.promises.mkdtemp(join(tmpdir(), prefix)),
    removeFolder: (path) => system.promises.rm(path, { recursive: true, force: true, maxRetries: 3 }),
  };
}

/** Larger pieces make a long file no faster to read, only heavier. */
const chunkBytes = 64 * 1024;

/**
 * By whatever links it is reached, and as the disk spells it. Of one that is not there yet, or that cannot be looked at, the
 * folders above are.
 */
function realFolder(system: FileSystem, path: string, platform: NodeJS.Platform): string {
  const paths = pathRules(platform);
  try {
    const real = system.realpathSync.native(path);
    return platform === 'darwin' ? real.normalize('NFC') : real;
  } catch {
    const above = paths.dirname(path);
    return above === path ? path : paths.join(realFolder(system, above, platform), paths.basename(path));
  }
}

function isReadableFile(
  system: FileSystem,
  path: string,
  mostBytes = Number.POSITIVE_INFINITY,
): Promise<boolean> {
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
async function statOf(system: FileSystem, path: string): Promise<FileStats | undefined> {
  try {
    return await system.promises.stat(path, { bigint: true });
  } catch (error) {
    if (isMissing(error)) return undefined;
    throw error;
  }
}

interface ResolvedPath {
  /** What is there, without links on the way, as the disk spells it. */
  readonly folder: string;
  /** The names that are not there yet; empty where all are. */
  readonly below: string;
}

/** Where a path leads to. Throws for links that lead in a circle. */
async function resolvePath(system: FileSystem, path: string, paths: PlatformPath): Promise<ResolvedPath> {
  const above = paths.dirname(path);
  try {
    return { folder: await system.promises.realpath(path), below: '' };
  } catch (error) {
    if (!isMissing(error)) throw error;
    // A drive that is not there.
    if (above === path) return { folder: path, below: '' };
  }
  const { folder, below } = await resolvePath(system, above, paths);
  if (below === '') {
    // There may be a link all the same, which leads to nothing yet. One that leads in a circle has thrown already.
    const target = await system.promises.readlink(path).catch(() => undefined);
    if (target !== undefined)
      return resolvePath(system, paths.isAbsolute(target) ? target : `${folder}${paths.sep}${target}`, paths);
  }
  return { folder, below: paths.join(below, paths.basename(path)) };
}

/** A name that is not there yet, as the usual disks of the platform compare it with others. */
function foldCase(name: string, platform: NodeJS.Platform): string {
  if (platform === 'darwin') return name.normalize('NFD').toLowerCase().normalize('NFC');
  return platform === 'win32' ? name.toUpperCase() : name;
}

/**
 * The new name of a file is on the disk only when its folder is. Where the folder cannot be synced, the file is in its
 * place all the same, for every process: an error would say that it is not.
 */
async function syncFolder(system: FileSystem, path: string): Promise<void> {
  const folder = await system.promises.open(path, 'r').catch(() => undefined);
  await folder?.sync().catch(() => {});
  await folder?.close().catch(() => {});
}

function isMissing(error: unknown): boolean {
  return error instanceof Error && 'code' in error && (error.code === 'ENOENT' || error.code === 'ENOTDIR');
}
