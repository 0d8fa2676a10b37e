// Reads, writes and appends to files, finds wm's folders, and tells whether two paths lead to the same file.

import { tmpdir, userInfo } from 'node:os';
import { join, type PlatformPath } from 'node:path';
import { hasCode } from './file-error.ts';
import type { FileStats, FileSystem } from './file-system.ts';
import { makeFolder, syncFolder } from './make-folder.ts';
import {
  defaultConfigFolder,
  defaultStateFolder,
  folderOrNonexistent,
  homeFolder,
  pathRules,
  platformConfigFolder,
} from './standard-folders.ts';
import { currentUser, findUnsafePermissions, type User } from './unsafe-permissions.ts';
import { retryBusyFiles, retryWhileBusy } from './windows-file-retry.ts';
import type { Environment, Files } from './world.ts';

export function createFiles(
  environment: Environment,
  platform: NodeJS.Platform,
  currentFolder: string = folderOrNonexistent(() => process.cwd()),
  accountHome: () => string = () => folderOrNonexistent(() => userInfo().homedir),
  // An import of the whole module would copy it at each start.
  calls: FileSystem = process.getBuiltinModule('node:fs'),
  user: User | undefined = currentUser(),
): Files {
  const system = platform === 'win32' ? retryBusyFiles(calls) : calls;
  const paths = pathRules(platform);
  const disk: Disk = { system, paths, platform, currentFolder };
  const ownFolder = environment['WM_CONFIG_DIR'];
  const configFolder = ownFolder
    ? paths.resolve(currentFolder, ownFolder)
    : defaultConfigFolder(environment, platform);
  const isSameFolder = (first: string, second: string) =>
    first === second || realFolder(system, first, platform) === realFolder(system, second, platform);
  return {
    ...readingFrom(disk),
    ...writingTo(disk),
    ...examining(disk, user),
    configFolder,
    stateFolder: ownFolder ? paths.join(configFolder, 'state') : defaultStateFolder(environment, platform),
    // Computed on use: these read the disk, and the last one also the list of users.
    get realConfigFolder() {
      return realFolder(system, configFolder, platform);
    },
    // XDG variables change the folder and its locks, but the user still has only one keychain.
    get isDefaultConfigFolder() {
      return isSameFolder(configFolder, platformConfigFolder(environment, platform));
    },
    get isAccountHome() {
      return this.isDefaultConfigFolder && isSameFolder(homeFolder(environment, platform), accountHome());
    },
    currentFolder,
  };
}

interface Disk {
  readonly system: FileSystem;
  readonly paths: PlatformPath;
  readonly platform: NodeJS.Platform;
  readonly currentFolder: string;
}

function readingFrom({ system, platform }: Disk) {
  return {
    async read(path, options) {
      return platform === 'win32'
        ? retryWhileBusy(async () => readWhole(system, path, options?.maxBytes))
        : readWhole(system, path, options?.maxBytes);
    },
    async stream(path, start = 0) {
      try {
        const stats = await statOf(system, path);
        // Only Linux tells a pipe that has no writer yet from one whose writer has gone. Elsewhere a thread has to wait.
        // A file of the system, such as /proc/kmsg, has no size, and its read may never return.
        if (platform === 'linux' && stats && !stats.isDirectory() && !(stats.isFile() && stats.size > 0n)) {
          const { openPipe } = await import('./pipe-input.ts');
          return openPipe(path, stats.isFIFO(), chunkBytes);
        }
        const file = await system.promises.open(path, 'r');
        return file.createReadStream({ highWaterMark: chunkBytes, start });
      } catch (error) {
        if (isMissing(error)) return undefined;
        throw error;
      }
    },
    openForReading: async (path) => (await import('./read-file.ts')).openForReading(system, path),
    list: (folder) => orIfMissing(system.promises.readdir(folder), []),
  } satisfies Partial<Files>;
}

function writingTo({ system, paths, platform }: Disk) {
  /** For a link, replaces its target. */
  const targetOf = (path: string) =>
    system.promises.realpath(path).catch(() => targetOfLink(path).catch(() => path));
  /** Where a link to a missing file leads. Rejects if the path is not a link. */
  const targetOfLink = async (path: string) => {
    await system.promises.readlink(path);
    const { folder, below } = await resolvePath(system, path, paths);
    return paths.join(folder, below);
  };
  /** Makes a new name survive a crash. Every process already sees the file, so an error here would be misleading. */
  const syncFolderOf = async (path: string) => {
    if (platform !== 'win32') await syncFolder(system, paths.dirname(path)).catch(() => {});
  };
  const leftovers = async (path: string) => {
    const { findLeftovers } = await import('./replace-file.ts');
    return orIfMissing(findLeftovers(system, await targetOf(path), paths), []);
  };
  return {
    async write(path, content, { mode, keepsMode }) {
      const { replaceFile } = await import('./replace-file.ts');
      await makeFolder(system, paths.dirname(path), paths);
      const target = await targetOf(path);
      await replaceFile(system, target, content, mode, keepsMode);
      await syncFolderOf(target);
    },
    async overwrite(path, content) {
      const { overwriteFile } = await import('./replace-file.ts');
      await overwriteFile(system, path, content);
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
      const found = await leftovers(path).catch(() => []);
      for (const leftover of found) await system.promises.unlink(leftover).catch(() => {});
      // A power cut would bring them back, perhaps with tokens.
      if (found.length > 0) await syncFolderOf(await targetOf(path));
    },
    async append(path, options) {
      const { openForAppending } = await import('./append-file.ts');
      await makeFolder(system, paths.dirname(path), paths);
      const file = await openForAppending(system, path, options, platform);
      if (file.size === 0) await syncFolderOf(path);
      return file;
    },
    async syncFolder(folder) {
      if (platform !== 'win32') await syncFolder(system, folder);
    },
    async appendLine(...line) {
      const { appendLine } = await import('./log-file.ts');
      try {
        return appendLine(system, paths, ...line);
      } catch (error) {
        if (!isMissing(error)) throw error;
        await makeFolder(system, line[0], paths);
        return appendLine(system, paths, ...line);
      }
    },
    remove: (path) =>
      orIfMissing(
        system.promises.unlink(path).then(() => true),
        false,
      ),
    openScratchFile: async () => (await import('./scratch-file.ts')).openScratchFile(platform),
    makeTemporaryFolder: (prefix) => system.promises.mkdtemp(join(tmpdir(), prefix)),
    removeFolder: (path) => system.promises.rm(path, { recursive: true, force: true, maxRetries: 3 }),
  } satisfies Partial<Files>;
}

function examining({ system, paths, platform, currentFolder }: Disk, user: User | undefined) {
  return {
    async isSameFile(firstPath, secondPath) {
      const both = [firstPath, secondPath] as const;
      const [first, second] = await Promise.all(both.map((path) => statOf(system, path)));
      if (first && second) return first.dev === second.dev && first.ino === second.ino;
      if (first || second) return false;
      const [target, otherTarget] = await Promise.all(
        both.map(async (path) => {
          const { folder, below } = await resolvePath(system, paths.resolve(currentFolder, path), paths);
          return paths.join(folder, foldCase(below, platform));
        }),
      );
      return target === otherTarget;
    },
    async kind(path) {
      const stats = await statOf(system, path);
      if (!stats) return undefined;
      if (stats.isFile()) return 'file';
      if (stats.isDirectory()) return 'folder';
      return stats.isFIFO() || stats.isSocket() ? 'pipe' : 'other';
    },
    async version(path) {
      // Synchronous: a command asks again for each of thousands of webhooks.
      const read = async () => system.statSync(path, { bigint: true, throwIfNoEntry: false });
      const stats = await orIfMissing(read(), undefined);
      return stats && `${stats.dev} ${stats.ino} ${stats.size} ${stats.mtimeNs}`;
    },
    async size(path) {
      return Number((await statOf(system, path))?.size ?? 0);
    },
    bootId() {
      if (platform !== 'linux') return undefined;
      try {
        return Buffer.from(system.readFileSync('/proc/sys/kernel/random/boot_id')).toString('latin1').trim();
      } catch {
        return undefined;
      }
    },
    async freeBytes(path) {
      const disk = await system.promises.statfs(path).catch(() => undefined);
      return disk && disk.bavail * disk.bsize;
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
      return findUnsafePermissions(system, paths.resolve(currentFolder, path), user, includeParents);
    },
    async isReadableByOthers(path) {
      const stats = platform === 'win32' ? undefined : await statOf(system, path);
      return stats?.isFile() === true && (stats.mode & accessOfOthers) !== 0n;
    },
    async makePrivate(path) {
      const stats = platform === 'win32' ? undefined : await statOf(system, path);
      if (!stats) return;
      const file = await system.promises.open(path, 'r');
      await file.chmod(Number(stats.mode & 0o700n)).finally(() => file.close());
    },
  } satisfies Partial<Files>;
}

/** The permissions of the group and of all other users. */
const accessOfOthers = 0o077n;
/** Larger chunks need more memory and are not faster. */
const chunkBytes = 64 * 1024;

/** Resolves links and uses the disk's spelling. A part that does not exist stays as it is. */
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

/** Synchronous: most files are small or do not exist, and threads for that take longer than the calls. */
function readWhole(system: FileSystem, path: string, maxBytes = Number.POSITIVE_INFINITY) {
  try {
    const stats = system.statSync(path, { bigint: true, throwIfNoEntry: false });
    if (stats === undefined) return undefined;
    if (stats.isDirectory()) throw new Error('it is a folder');
    if (stats.isFile() && stats.size <= maxBytes) return system.readFileSync(path);
  } catch (error) {
    if (isMissing(error)) return undefined;
    throw error;
  }
  const limit = maxBytes === Number.POSITIVE_INFINITY ? '' : ` of up to ${maxBytes} bytes`;
  throw new Error(`it is not a file${limit}`);
}

/** Follows links. Returns `undefined` if the target does not exist. */
function statOf(system: FileSystem, path: string): Promise<FileStats | undefined> {
  return orIfMissing(system.promises.stat(path, { bigint: true }), undefined);
}

interface ResolvedPath {
  /** The part that exists, with links resolved, as the disk spells it. */
  readonly folder: string;
  /** The names that do not exist yet; empty if all do. */
  readonly below: string;
}

/** Where a path leads. Throws if its links form a loop. */
async function resolvePath(system: FileSystem, path: string, paths: PlatformPath): Promise<ResolvedPath> {
  const above = paths.dirname(path);
  try {
    return { folder: await system.promises.realpath(path), below: '' };
  } catch (error) {
    const isUnknown = hasCode(error, 'EISDIR', 'UNKNOWN');
    if (!isUnknown && !isMissing(error)) throw error;
    // Some disks of Windows, such as RAM disks, cannot tell. Or the drive does not exist.
    if (isUnknown || above === path) return { folder: path, below: '' };
  }
  const { folder, below } = await resolvePath(system, above, paths);
  if (below === '') {
    // It may still be a link whose target does not exist yet. For a loop of links, realpath has thrown already.
    const target = await system.promises.readlink(path).catch(() => undefined);
    if (target !== undefined)
      return resolvePath(system, paths.isAbsolute(target) ? target : `${folder}${paths.sep}${target}`, paths);
  }
  return { folder, below: paths.join(below, paths.basename(path)) };
}

/** Folds case for a name that does not exist yet, as the platform's usual file systems do. */
function foldCase(name: string, platform: NodeJS.Platform): string {
  if (platform === 'darwin') return name.normalize('NFD').toLowerCase().normalize('NFC');
  return platform === 'win32' ? name.toUpperCase() : name;
}

async function orIfMissing<T, F>(work: Promise<T>, fallback: F): Promise<T | F> {
  try {
    return await work;
  } catch (error) {
    if (isMissing(error)) return fallback;
    throw error;
  }
}

function isMissing(error: unknown): boolean {
  return hasCode(error, 'ENOENT', 'ENOTDIR');
}
