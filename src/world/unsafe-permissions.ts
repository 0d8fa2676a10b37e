// Finds out whether other users could change a file or folder, much as ssh does: by its owner, its permissions and the folders
// above. The caller decides what that means for the content.

import { dirname } from 'node:path';
import type { FileStats, FileSystem } from './file-system.ts';
import type { UnsafePermissions } from './world.ts';

export interface User {
  readonly uid: number;
  readonly gid: number;
}

/** Returns undefined on Windows, which has no such numbers. Its access control lists are not checked. */
export function currentUser(): User | undefined {
  const uid = process.geteuid?.();
  const gid = process.getegid?.();
  return uid === undefined || gid === undefined ? undefined : { uid, gid };
}

const groupWrites = 0o020;
const othersWrite = 0o002;
const sticky = 0o1000;

/**
 * Finds the first unsafe file or folder. `path` need not exist. `includeParents` also checks the folders above: in the path, and in
 * the targets of its links. Synchronous, because each system call takes microseconds.
 */
export function findUnsafePermissions(system: FileSystem, path: string, user: User, includeParents: boolean) {
  const real = realPathOrSelf(system, path);
  const unsafe = unsafePermissionsOf(system, real, user);
  if (unsafe || !includeParents) return unsafe;
  for (const folder of new Set([path, ...parentFolders(path), ...parentFolders(real)])) {
    const unsafeFolder = unsafePermissionsOf(system, folder, user, { isParent: true });
    if (unsafeFolder) return unsafeFolder;
  }
  return undefined;
}

function realPathOrSelf({ realpathSync }: FileSystem, path: string): string {
  try {
    return realpathSync.native(path);
  } catch {
    return path;
  }
}

function parentFolders(path: string): readonly string[] {
  const folder = dirname(path);
  return folder === path ? [] : [folder, ...parentFolders(folder)];
}

/** Examines a link itself, because its owner can redirect it. Undefined if that fails: then the target cannot be read either. */
function statLink(system: FileSystem, path: string): FileStats | undefined {
  try {
    return system.lstatSync(path, { bigint: true, throwIfNoEntry: false });
  } catch {
    return undefined;
  }
}

function unsafePermissionsOf(
  system: FileSystem,
  path: string,
  { uid, gid }: User,
  { isParent = false } = {},
): UnsafePermissions | undefined {
  const stats = statLink(system, path);
  if (!stats) return undefined;
  if (!stats.isFile() && !stats.isDirectory() && !stats.isSymbolicLink()) return { path, isDevice: true };
  const mode = Number(stats.mode) & 0o7777;
  const owner = Number(stats.uid);
  if (owner !== uid && owner !== 0) return { path, owner, user: uid };
  if (stats.isSymbolicLink()) return undefined;
  // In a sticky folder, a user cannot replace the files of another. A user's own group often has no other members.
  const isSafe = (mode & sticky) !== 0 || ((mode & othersWrite) === 0 && Number(stats.gid) === gid);
  if (isParent && isSafe) return undefined;
  return (mode & (groupWrites | othersWrite)) === 0 ? undefined : { path, mode, user: uid };
}
